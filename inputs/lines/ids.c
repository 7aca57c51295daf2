/* Which vertex an id is, where ids are arbitrary: vertices are numbered in the order of the ids that occur. If many ids
 * occur, the graph is made of all ids up to the greatest, and the others are taken out of it. That is one run through
 * the graph, while looking up the vertex of each end of each line would be accesses to memory in random order.
 * Otherwise a table finds the vertices (sparse.c). */
#include "inputs/lines/private.h"

#include "base/memory.h"
#include "inputs/parallel.h"

#include <inttypes.h>

/* Ids are dense where there are up to this many for each end of an edge. */
enum { DENSE_IDS_PER_END = 8, PARALLEL_FROM = 1 << 16 };

int mu_arc_lines_prepare_ids(struct mu_arc_lines_pass *pass, const struct mu_arc_lines_survey *survey,
                             struct mu_error *err)
{
    const struct mu_arc_lines *lines = pass->lines;
    const uint64_t ends = 2 * survey->arcs;
    uint64_t greatest = survey->greatest;
    if (lines->bipartite) {
        pass->head_shift = lines->counted ? lines->vertices : survey->greatest;
        if (__builtin_add_overflow(survey->greatest_head, pass->head_shift, &greatest))
            return mu_fail(err, MU_INPUT, "%s: ids beyond 64 bits", pass->source->path);
    }
    if (lines->counted) {
        pass->vertices = lines->vertices + (lines->bipartite ? lines->second_part : 0);
        return MU_OK;
    }
    if (ends == 0) return MU_OK;
    if (greatest / DENSE_IDS_PER_END >= ends || greatest >= MU_MAX_VERTICES)
        return mu_sparse_ids_collect(pass, ends, err);
    pass->vertices = greatest + 1;
    pass->dense = true;
    return MU_OK;
}

/* ---- Ids that do not occur ---- */

/* The ids that occur: a bit for each, and for each word of bits how many there are in those before it. */
struct occurring {
    struct mu_graph *graph;
    uint64_t *mark;
    uint32_t *before;
};

static void mark_heads(void *context, unsigned thread, unsigned threads)
{
    const struct occurring *ids = context;
    const uint64_t end = mu_slice(ids->graph->edges, thread + 1, threads);
    for (uint64_t arc = mu_slice(ids->graph->edges, thread, threads); arc < end; arc++) {
        const uint32_t id = ids->graph->column[arc];
        uint64_t *word = &ids->mark[id / 64];
        const uint64_t bit = UINT64_C(1) << id % 64;
        if ((__atomic_load_n(word, __ATOMIC_RELAXED) & bit) == 0) __atomic_fetch_or(word, bit, __ATOMIC_RELAXED);
    }
}

/* Marks the ids that have arcs; returns how many ids occur. */
static uint64_t mark_tails(const struct occurring *ids)
{
    const struct mu_graph *graph = ids->graph;
    uint64_t marked = 0;
    for (uint64_t id = 0; id < graph->vertices; id++)
        if (graph->row_start[id] < graph->row_start[id + 1]) ids->mark[id / 64] |= UINT64_C(1) << id % 64;
    for (uint64_t word = 0; word <= graph->vertices / 64; word++) {
        ids->before[word] = (uint32_t)marked;
        marked += (uint64_t)__builtin_popcountll(ids->mark[word]);
    }
    return marked;
}

static void renumber_heads(void *context, unsigned thread, unsigned threads)
{
    const struct occurring *ids = context;
    uint32_t *column = ids->graph->column;
    const uint64_t end = mu_slice(ids->graph->edges, thread + 1, threads);
    for (uint64_t arc = mu_slice(ids->graph->edges, thread, threads); arc < end; arc++) {
        const uint32_t id = column[arc];
        const uint64_t lower = ids->mark[id / 64] & ((UINT64_C(1) << id % 64) - 1);
        column[arc] = ids->before[id / 64] + (uint32_t)__builtin_popcountll(lower);
    }
}

/* Drops the rows of ids that do not occur. They are empty, so that the row behind one begins where it does. */
static int drop_rows(const struct occurring *ids, uint64_t marked, struct mu_error *err)
{
    struct mu_graph *graph = ids->graph;
    uint64_t vertex = 0;
    void *shorter = graph->row_start;
    graph->outside_id = mu_malloc(marked, sizeof *graph->outside_id, "the vertex ids", err);
    if (graph->outside_id == NULL) return MU_NO_MEMORY;
    for (uint64_t id = 0; id < graph->vertices; id++) {
        if ((ids->mark[id / 64] >> id % 64 & 1) == 0) continue;
        graph->outside_id[vertex] = id;
        graph->row_start[vertex++] = graph->row_start[id];
    }
    graph->row_start[vertex] = graph->edges;
    graph->vertices = (uint32_t)vertex;
    const int status = mu_resize(&shorter, vertex + 1, sizeof *graph->row_start, "the graph's rows", err);
    if (status == MU_OK) graph->row_start = shorter;
    return status;
}

int mu_arc_lines_drop_absent_ids(struct mu_graph *graph, struct mu_error *err)
{
    const size_t words = graph->vertices / 64 + (size_t)1;
    const unsigned threads = graph->edges < PARALLEL_FROM ? 1 : mu_parallel_threads();
    struct occurring ids = {.graph = graph};
    int status = MU_NO_MEMORY;
    ids.mark = mu_calloc(words, sizeof *ids.mark, "the vertex ids that occur", err);
    ids.before = mu_malloc(words, sizeof *ids.before, "the vertex ids that occur", err);
    if (ids.mark != NULL && ids.before != NULL) {
        mu_parallel(threads, mark_heads, &ids);
        const uint64_t marked = mark_tails(&ids);
        const bool all = marked == graph->vertices;
        status = all ? MU_OK : drop_rows(&ids, marked, err);
        if (!all && status == MU_OK) mu_parallel(threads, renumber_heads, &ids);
    }
    mu_free(ids.mark);
    mu_free(ids.before);
    return status;
}
