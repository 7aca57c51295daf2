/* Which vertex an id is, where ids are arbitrary: vertices are numbered in the order of the ids that occur. Where most
 * ids occur, marks and a table by id say which; otherwise the ids are collected and sorted, and found by search. */
#include "inputs/lines/private.h"

#include "base/limits.h"
#include "base/memory.h"
#include "inputs/radix.h"

#include <inttypes.h>
#include <stdio.h>

/* Up to this many table entries for each end of an edge, a table maps ids to vertices; beyond, a search. */
enum { TABLE_ENTRIES_PER_END = 8 };

static void collect(struct mu_arc_lines_pass *pass, struct mu_arc_lines_tally *tally, const struct mu_arc_line *arc,
                    uint64_t at)
{
    (void)tally, (void)at;
    const uint64_t to = atomic_fetch_add(&pass->collected, 2);
    if (to + 2 > pass->ids) return; /* the file has grown, which the number of arcs will tell */
    pass->id[to] = arc->tail;
    pass->id[to + 1] = arc->head + pass->head_shift;
}

static void drop_equal_ids(struct mu_arc_lines_pass *pass, uint64_t ends)
{
    for (uint64_t i = 0; i < ends; i++)
        if (pass->vertices == 0 || pass->id[pass->vertices - 1] != pass->id[i])
            pass->id[pass->vertices++] = pass->id[i];
}

static int collect_ids(struct mu_arc_lines_pass *pass, uint64_t ends, struct mu_error *err)
{
    if (mu_memory_check(ends, 2 * sizeof *pass->id, "the table of sparse vertex ids", err) != MU_OK) return MU_LIMIT;
    pass->id = mu_malloc(ends, sizeof *pass->id, "the vertex ids", err);
    if (pass->id == NULL) return MU_NO_MEMORY;
    pass->visit = collect;
    pass->ids = ends;
    int status = mu_arc_lines_run(pass, err);
    uint64_t *spare = status == MU_OK ? mu_malloc(ends, sizeof *spare, "sorting the vertex ids", err) : NULL;
    if (status == MU_OK && spare == NULL) status = MU_NO_MEMORY;
    if (status != MU_OK) return status;
    if (atomic_load(&pass->collected) != ends)
        return mu_fail(err, MU_IO, "%s: the file changed while it was read", pass->source->path);
    mu_sort(&(struct mu_sort_span){.key = pass->id, .spare_key = spare, .count = ends});
    mu_free(spare);
    drop_equal_ids(pass, ends);
    void *shorter = pass->id;
    if (mu_resize(&shorter, pass->vertices, sizeof *pass->id, "the vertex ids", err) == MU_OK) pass->id = shorter;
    if (pass->vertices > MU_MAX_VERTICES)
        return mu_fail(err, MU_INPUT, "%s: %" PRIu64 " vertices are too many", pass->source->path, pass->vertices);
    snprintf(pass->reading->remark, sizeof pass->reading->remark,
             "ids are sparse: a table of %" PRIu64 " MiB finds their vertices",
             pass->vertices * sizeof *pass->id >> 20);
    return MU_OK;
}

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
        pass->ids = pass->vertices + 1;
        return MU_OK;
    }
    if (ends == 0) return MU_OK;
    if (greatest / TABLE_ENTRIES_PER_END >= ends || greatest >= MU_MAX_VERTICES) return collect_ids(pass, ends, err);
    pass->vertices = pass->ids = greatest + 1;
    pass->mark = mu_calloc(pass->ids / 64 + 1, sizeof *pass->mark, "the vertex ids that occur", err);
    return pass->mark != NULL ? MU_OK : MU_NO_MEMORY;
}

/* Moves the counts of the ids that occur to those of their vertices. Both begin two places further on (lines.c). */
static void move_counts(struct mu_arc_lines_pass *pass)
{
    uint64_t vertex = 0;
    for (uint64_t id = 0; id < pass->ids; id++) {
        if ((pass->mark[id / 64] >> id % 64 & 1) == 0) continue;
        pass->table[id] = (uint32_t)vertex;
        pass->id[vertex] = id;
        if (id + 2 <= pass->ids) pass->row_start[vertex + 2] = pass->row_start[id + 2];
        vertex++;
    }
}

int mu_arc_lines_number_ids(struct mu_arc_lines_pass *pass, struct mu_error *err)
{
    uint64_t vertices = 0;
    if (pass->mark == NULL) return MU_OK;
    for (uint64_t i = 0; i <= pass->ids / 64; i++) vertices += (uint64_t)__builtin_popcountll(pass->mark[i]);
    if (vertices == pass->ids) return MU_OK;
    pass->table = mu_malloc(pass->ids, sizeof *pass->table, "the table of vertex ids", err);
    pass->id = mu_malloc(vertices, sizeof *pass->id, "the vertex ids", err);
    if (pass->table == NULL || pass->id == NULL) return MU_NO_MEMORY;
    move_counts(pass);
    pass->vertices = vertices;
    void *shorter = pass->row_start;
    const int status = mu_resize(&shorter, vertices + 1, sizeof *pass->row_start, "the graph's rows", err);
    if (status == MU_OK) pass->row_start = shorter;
    return status;
}

uint64_t mu_arc_lines_search(const struct mu_arc_lines_pass *pass, uint64_t id)
{
    uint64_t low = 0, high = pass->vertices;
    while (high - low > 1) {
        const uint64_t middle = low + (high - low) / 2;
        if (pass->id[middle] <= id)
            low = middle;
        else
            high = middle;
    }
    return low;
}
