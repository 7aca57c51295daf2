#include "inputs/lines/private.h"

#include "base/limits.h"
#include "base/memory.h"
#include "inputs/graph/rows.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

/* From here on values look like seconds since 1970. */
#define TIMES_FROM UINT64_C(100000000)

/* ---- The first look ---- */

static inline void note_value(const struct mu_arc_lines_pass *pass, struct mu_arc_lines_tally *tally, double value,
                              uint64_t at)
{
    uint32_t weight;
    if (!mu_weight_of(pass->reading, value, &weight)) {
        if (at < tally->seen.refused_at) tally->seen.refused_at = at;
    } else if (weight < tally->seen.least_value) {
        tally->seen.least_value = weight;
    }
}

static void survey_arc(struct mu_arc_lines_pass *pass, struct mu_arc_lines_tally *tally, const struct mu_arc_line *arc,
                       uint64_t at)
{
    struct mu_arc_lines_survey *seen = &tally->seen;
    seen->arcs++;
    if (arc->tail > seen->greatest) seen->greatest = arc->tail;
    if (pass->lines->bipartite) {
        if (arc->head > seen->greatest_head) seen->greatest_head = arc->head;
    } else {
        if (arc->head > seen->greatest) seen->greatest = arc->head;
        seen->loops += arc->head == arc->tail;
    }
    if (pass->lines->columns > 2) note_value(pass, tally, arc->value, at);
}

int mu_arc_lines_survey(const struct mu_source *source, const struct mu_arc_lines *lines, struct mu_reading *reading,
                        struct mu_arc_lines_survey *survey, struct mu_error *err)
{
    struct mu_arc_lines_pass pass = {.source = source, .lines = lines, .reading = reading, .visit = survey_arc};
    const int status = mu_arc_lines_run(&pass, err);
    *survey = pass.tally[0].seen;
    return status;
}

/* ---- Counting the arcs of each vertex ---- */

/* Returns at least pass->vertices for an id that was not there when the file was read before. */
static inline uint64_t vertex_of(const struct mu_arc_lines_pass *pass, uint64_t id)
{
    if (pass->lines->counted) return id - 1;
    return pass->table.slot != NULL ? mu_sparse_ids_find(pass, id) : id;
}

/* Finds the vertices of an arc. False where the file must have changed since it was read before. */
static inline bool find_ends(struct mu_arc_lines_pass *pass, const struct mu_arc_line *arc, uint64_t *tail,
                             uint64_t *head)
{
    *tail = vertex_of(pass, arc->tail);
    *head = vertex_of(pass, arc->head + pass->head_shift);
    const bool there = *tail < pass->vertices && *head < pass->vertices;
    if (!there) pass->unreadable = true;
    return there;
}

static void count_pending(struct mu_arc_lines_pass *pass, struct mu_arc_lines_tally *tally)
{
    for (unsigned i = 0; i < tally->pending_count; i++)
        __atomic_fetch_add(&pass->row_start[tally->pending[i].row], 1, __ATOMIC_RELAXED);
    tally->pending_count = 0;
}

/* Counts go in two places further on than the rows they belong to, so that the placing needs no second array: that of
 * the last vertex is not needed. */
static inline void count_one(struct mu_arc_lines_pass *pass, struct mu_arc_lines_tally *tally, uint64_t vertex)
{
    if (vertex + 2 > pass->vertices) return;
    __builtin_prefetch(&pass->row_start[vertex + 2], 1);
    tally->pending[tally->pending_count++].row = vertex + 2;
    if (tally->pending_count == MU_PENDING_ARCS) count_pending(pass, tally);
}

static void count_arc(struct mu_arc_lines_pass *pass, struct mu_arc_lines_tally *tally, const struct mu_arc_line *arc,
                      uint64_t at)
{
    uint64_t tail, head;
    if (!find_ends(pass, arc, &tail, &head)) return;
    tally->seen.arcs++;
    tally->seen.loops += head == tail;
    count_one(pass, tally, tail);
    if (pass->lines->mirror && head != tail) count_one(pass, tally, head);
    if (pass->lines->counted && pass->lines->columns > 2) note_value(pass, tally, arc->value, at);
}

/* ---- Placing them ---- */

static void place_pending(struct mu_arc_lines_pass *pass, struct mu_arc_lines_tally *tally)
{
    const unsigned count = tally->pending_count;
    for (unsigned i = 0; i < count; i++) {
        struct mu_pending_arc *arc = &tally->pending[i];
        arc->to = __atomic_fetch_add(&pass->row_start[arc->row], 1, __ATOMIC_RELAXED);
        if (arc->to >= pass->edges) {
            pass->unreadable = true;
            return;
        }
        __builtin_prefetch(&pass->column[arc->to], 1);
        if (pass->weight != NULL) __builtin_prefetch(&pass->weight[arc->to], 1);
    }
    for (unsigned i = 0; i < count; i++) {
        const struct mu_pending_arc *arc = &tally->pending[i];
        pass->column[arc->to] = arc->head;
        if (pass->weight != NULL) pass->weight[arc->to] = arc->weight;
    }
    tally->pending_count = 0;
}

static inline void place_one(struct mu_arc_lines_pass *pass, struct mu_arc_lines_tally *tally, uint64_t tail,
                             uint64_t head, uint32_t weight)
{
    if (tally->pending_count == MU_PENDING_ARCS) return; /* the file has changed */
    __builtin_prefetch(&pass->row_start[tail + 1], 1);
    tally->pending[tally->pending_count++] =
        (struct mu_pending_arc){.row = tail + 1, .head = (uint32_t)head, .weight = weight};
    if (tally->pending_count == MU_PENDING_ARCS) place_pending(pass, tally);
}

static void place_arc(struct mu_arc_lines_pass *pass, struct mu_arc_lines_tally *tally, const struct mu_arc_line *arc,
                      uint64_t at)
{
    (void)at;
    uint64_t tail, head;
    uint32_t weight = 0;
    if (!find_ends(pass, arc, &tail, &head)) return;
    tally->seen.arcs++;
    if (pass->weight != NULL) mu_weight_of(pass->reading, arc->value, &weight);
    place_one(pass, tally, tail, head, weight);
    if (pass->lines->mirror && head != tail) place_one(pass, tally, head, tail, weight);
}

/* ---- Sparse ids ---- */

static void take_waiting(struct mu_arc_lines_pass *pass, struct mu_arc_lines_tally *tally)
{
    for (unsigned i = 0; i < tally->waiting_count; i++) pass->take(pass, tally, &tally->waiting[i], 0);
    tally->waiting_count = 0;
}

/* Puts an arc to those that wait while the slots of their ends are fetched. */
static void await_ends(struct mu_arc_lines_pass *pass, struct mu_arc_lines_tally *tally, const struct mu_arc_line *arc,
                       uint64_t at)
{
    (void)at;
    mu_sparse_ids_prefetch(pass, arc->tail);
    mu_sparse_ids_prefetch(pass, arc->head + pass->head_shift);
    tally->waiting[tally->waiting_count++] = *arc;
    if (tally->waiting_count == MU_PENDING_ARCS) take_waiting(pass, tally);
}

static void finish_waiting(struct mu_arc_lines_pass *pass, struct mu_arc_lines_tally *tally)
{
    take_waiting(pass, tally);
    pass->finish_taken(pass, tally);
}

/* Sets what the next pass does with each arc, and in the end with those that are pending. */
static void set_visit(struct mu_arc_lines_pass *pass, mu_arc_visit *visit, mu_arc_finish *finish)
{
    const bool sparse = pass->table.slot != NULL;
    pass->take = visit;
    pass->finish_taken = finish;
    pass->visit = sparse ? await_ends : visit;
    pass->finish = sparse ? finish_waiting : finish;
}

/* ---- Weights ---- */

/* Decides whether the values become weights; otherwise the graph says why not. */
static bool takes_values(const struct mu_arc_lines_pass *pass, const struct mu_arc_lines_survey *survey,
                         struct mu_graph *graph)
{
    const struct mu_reading *reading = pass->reading;
    char value[96];
    if (pass->lines->columns < 3 || pass->lines->ignore_values) return false;
    if (mu_reading_generates(reading) || survey->arcs == 0) return false;
    if (survey->refused_at != UINT64_MAX) {
        mu_arc_lines_quote_value(pass, survey->refused_at, value, sizeof value);
        mu_graph_refuse_weights(graph, "the file's values are not all %s from 0 to 4294967295 (%s)",
                                mu_reading_scales(reading) ? "numbers that give weights" : "whole numbers", value);
        return false;
    }
    if (pass->lines->may_be_times && reading->weights == MU_WEIGHTS_AUTO && survey->least_value >= TIMES_FROM &&
        survey->least_value != UINT64_MAX) {
        mu_graph_refuse_weights(graph, "the file's values look like times (from %" PRIu64 " on)", survey->least_value);
        return false;
    }
    return true;
}

/* ---- All together ---- */

void mu_use_large_pages(void *block, uint64_t bytes)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), begin = ((uintptr_t)block + page - 1) / page * page;
    const uintptr_t end = (uintptr_t)block + (uintptr_t)bytes;
    if (begin < end) (void)madvise((void *)begin, end - begin, MADV_HUGEPAGE);
}

/* Makes the passes before the arcs are placed, and fills in what the values are like. */
static int count_all(struct mu_arc_lines_pass *pass, struct mu_arc_lines_survey *survey, struct mu_error *err)
{
    int status = MU_OK;
    if (!pass->lines->counted) {
        pass->visit = survey_arc;
        status = mu_arc_lines_run(pass, err);
        *survey = pass->tally[0].seen;
    }
    if (status == MU_OK) status = mu_arc_lines_prepare_ids(pass, survey, err);
    if (status != MU_OK) return status;
    if (pass->vertices > MU_MAX_VERTICES)
        return mu_fail(err, MU_INPUT, "%s: %" PRIu64 " vertices are too many", pass->source->path, pass->vertices);
    if (mu_memory_check(pass->vertices + 1, sizeof *pass->row_start, "the graph's rows", err) != MU_OK) return MU_LIMIT;
    pass->row_start = mu_calloc(pass->vertices + 1, sizeof *pass->row_start, "the graph's rows", err);
    if (pass->row_start == NULL) return MU_NO_MEMORY;
    mu_use_large_pages(pass->row_start, pass->vertices * sizeof *pass->row_start);
    set_visit(pass, count_arc, count_pending);
    status = mu_arc_lines_run(pass, err);
    if (pass->lines->counted)
        *survey = pass->tally[0].seen;
    else
        survey->loops = pass->tally[0].seen.loops;
    return status;
}

/* Drops arcs that are listed again. */
static void drop_repeated(struct mu_graph *graph)
{
    uint64_t kept = 0, begin = 0;
    for (uint32_t v = 0; v < graph->vertices; v++) {
        const uint64_t end = graph->row_start[v + 1], first = kept;
        for (uint64_t arc = begin; arc < end; arc++)
            if (kept == first || graph->column[kept - 1] != graph->column[arc])
                graph->column[kept++] = graph->column[arc];
        begin = end;
        graph->row_start[v + 1] = kept;
    }
    graph->edges = kept;
}

static int place_all(struct mu_arc_lines_pass *pass, const struct mu_arc_lines_survey *survey, struct mu_graph *graph,
                     struct mu_error *err)
{
    const bool weighted = takes_values(pass, survey, graph);
    graph->vertices = (uint32_t)pass->vertices;
    graph->undirected = pass->lines->mirror;
    graph->edges = pass->edges = survey->arcs + (pass->lines->mirror ? survey->arcs - survey->loops : 0);
    for (uint64_t vertex = 1; vertex <= pass->vertices; vertex++)
        pass->row_start[vertex] += pass->row_start[vertex - 1];
    if (mu_memory_check(graph->edges, weighted ? 8 : 4, "the graph", err) != MU_OK) return MU_LIMIT;
    pass->column = graph->column = mu_malloc(graph->edges, sizeof *graph->column, "the graph's columns", err);
    if (weighted)
        pass->weight = graph->weight = mu_malloc(graph->edges, sizeof *graph->weight, "the graph's weights", err);
    if (graph->column == NULL || (weighted && graph->weight == NULL)) return MU_NO_MEMORY;
    mu_use_large_pages(graph->column, graph->edges * sizeof *graph->column);
    if (weighted) mu_use_large_pages(graph->weight, graph->edges * sizeof *graph->weight);
    set_visit(pass, place_arc, place_pending);
    const int status = mu_arc_lines_run(pass, err);
    if (status == MU_OK && (pass->tally[0].seen.arcs != survey->arcs || mu_source_changed(pass->source)))
        return mu_source_fail_changed(pass->source, err);
    graph->row_start = pass->row_start;
    pass->row_start = NULL;
    if (status == MU_OK) mu_graph_sort_rows(graph);
    if (status == MU_OK && pass->lines->simple) drop_repeated(graph);
    pass->reading->scaled = true;
    graph->outside_id = pass->id;
    pass->id = NULL;
    return status == MU_OK && pass->dense ? mu_arc_lines_drop_absent_ids(graph, err) : status;
}

int mu_arc_lines_read(const struct mu_source *source, const struct mu_arc_lines *lines, struct mu_reading *reading,
                      struct mu_graph **graph, struct mu_error *err)
{
    struct mu_arc_lines_pass pass = {.source = source, .lines = lines, .reading = reading};
    struct mu_arc_lines_survey survey = {0};
    struct mu_graph *made = mu_calloc(1, sizeof *made, "a graph", err);
    int status = made != NULL ? count_all(&pass, &survey, err) : MU_NO_MEMORY;
    if (status == MU_OK) status = place_all(&pass, &survey, made, err);
    reading->skipped += survey.skipped;
    mu_free(pass.row_start);
    mu_free(pass.id);
    mu_free(pass.table.slot);
    if (status == MU_OK)
        *graph = made;
    else
        mu_graph_free(made);
    return status;
}
