/* Arc list to compressed sparse rows, in three parallel passes:
 *
 * 1. partition: arcs are dealt, stably, to at most 1024 buckets of consecutive rows;
 * 2. sort: each bucket, now small enough for a cache, is radix-sorted by (row, column), parallel arcs by weight;
 *    duplicates are dropped if so wanted, and the rows' lengths counted;
 * 3. place: columns and weights are copied to where the prefix sum of the lengths says.
 *
 * Pass 1 reads the list and writes `sorted`; pass 2 needs as much room again, for which the list is used up. */
#include "inputs/graph/arcs.h"

#include "base/limits.h"
#include "base/memory.h"
#include "inputs/parallel.h"
#include "inputs/radix.h"

#include <stdatomic.h>

enum { BUCKETS_MAX = 1024, PARALLEL_FROM = 1 << 16 };

struct build {
    struct mu_arcs *list;
    struct mu_graph *graph;
    bool mirror, simple;
    unsigned threads, shift; /* a row's bucket is row >> shift */
    size_t buckets;
    uint64_t *cursor;       /* [threads][buckets]: first how many, then where the next arc goes */
    uint64_t *bucket_start; /* [buckets + 1]: in `sorted` */
    uint64_t *bucket_kept;  /* [buckets]: arcs left of it after pass 2 */
    struct mu_arcs sorted;
    atomic_size_t next_bucket;
};

int mu_arcs_reserve(struct mu_arcs *arcs, uint64_t capacity, bool weighted, struct mu_error *err)
{
    if (mu_memory_check(capacity, weighted ? 12 : 8, "the list of arcs", err) != MU_OK) return MU_LIMIT;
    *arcs = (struct mu_arcs){.capacity = capacity};
    arcs->ends = mu_malloc(capacity, sizeof *arcs->ends, "the list of arcs", err);
    if (weighted) arcs->weight = mu_malloc(capacity, sizeof *arcs->weight, "the list of weights", err);
    if (arcs->ends != NULL && (arcs->weight != NULL || !weighted)) return MU_OK;
    mu_arcs_release(arcs);
    return MU_NO_MEMORY;
}

void mu_arcs_release(struct mu_arcs *arcs)
{
    mu_free(arcs->ends);
    mu_free(arcs->weight);
    *arcs = (struct mu_arcs){0};
}

static uint64_t opposite(uint64_t ends)
{
    return ends << 32 | ends >> 32;
}

static bool is_loop(uint64_t ends)
{
    return ends >> 32 == (uint32_t)ends;
}

static size_t bucket_of(const struct build *build, uint64_t ends)
{
    return (size_t)(ends >> 32 >> build->shift);
}

static void count_slice(void *context, unsigned thread, unsigned threads)
{
    struct build *build = context;
    const struct mu_arcs *list = build->list;
    uint64_t *counts = build->cursor + thread * build->buckets;
    const uint64_t end = mu_slice(list->count, thread + 1, threads);
    for (uint64_t i = mu_slice(list->count, thread, threads); i < end; i++) {
        uint64_t ends = list->ends[i];
        bool loop = is_loop(ends);
        if (loop && build->simple) continue;
        counts[bucket_of(build, ends)]++;
        if (build->mirror && !loop) counts[bucket_of(build, opposite(ends))]++;
    }
}

static void deal(struct build *build, uint64_t *cursor, uint64_t ends, uint64_t from)
{
    uint64_t to = cursor[bucket_of(build, ends)]++;
    build->sorted.ends[to] = ends;
    if (build->list->weight != NULL) build->sorted.weight[to] = build->list->weight[from];
}

static void deal_slice(void *context, unsigned thread, unsigned threads)
{
    struct build *build = context;
    const struct mu_arcs *list = build->list;
    uint64_t *cursor = build->cursor + thread * build->buckets;
    const uint64_t end = mu_slice(list->count, thread + 1, threads);
    for (uint64_t i = mu_slice(list->count, thread, threads); i < end; i++) {
        uint64_t ends = list->ends[i];
        bool loop = is_loop(ends);
        if (loop && build->simple) continue;
        deal(build, cursor, ends, i);
        if (build->mirror && !loop) deal(build, cursor, opposite(ends), i);
    }
}

/* Turns the counts into cursors: within a bucket the slices follow each other in order, so that dealing is stable. */
static uint64_t set_cursors(struct build *build)
{
    uint64_t sum = 0;
    for (size_t bucket = 0; bucket < build->buckets; bucket++) {
        build->bucket_start[bucket] = sum;
        for (unsigned thread = 0; thread < build->threads; thread++) {
            uint64_t *cursor = &build->cursor[thread * build->buckets + bucket];
            uint64_t count = *cursor;
            *cursor = sum;
            sum += count;
        }
    }
    build->bucket_start[build->buckets] = sum;
    return sum;
}

static int partition(struct build *build, struct mu_error *err)
{
    mu_parallel(build->threads, count_slice, build);
    uint64_t total = set_cursors(build);
    bool weighted = build->list->weight != NULL;
    const uint64_t arc_bytes = weighted ? 12 : 8, longer_bytes = build->list->capacity < total ? arc_bytes : 0;
    if (mu_memory_check(total, arc_bytes + longer_bytes, "sorting the arcs", err) != MU_OK) return MU_LIMIT;
    int status = mu_arcs_reserve(&build->sorted, total, weighted, err);
    if (status != MU_OK) return status;
    mu_parallel(build->threads, deal_slice, build);
    if (build->list->capacity >= total) return MU_OK;
    mu_arcs_release(build->list);
    return mu_arcs_reserve(build->list, total, weighted, err);
}

static struct mu_sort_span span_of(const struct build *build, uint64_t from, uint64_t to)
{
    bool weighted = build->sorted.weight != NULL;
    return (struct mu_sort_span){
        .key = build->sorted.ends + from,
        .payload = weighted ? build->sorted.weight + from : NULL,
        .spare_key = build->list->ends + from,
        .spare_payload = weighted ? build->list->weight + from : NULL,
        .count = to - from,
    };
}

/* Sorts the weights of a run of arcs with the same two ends. The run's keys, all equal, serve as spare room. */
static void order_run(const struct mu_sort_span *span, uint64_t from, uint64_t to)
{
    const uint64_t ends = span->key[from];
    for (uint64_t i = from; i < to; i++) span->spare_key[i] = span->payload[i];
    mu_sort(&(struct mu_sort_span){.key = span->spare_key + from, .spare_key = span->key + from, .count = to - from});
    for (uint64_t i = from; i < to; i++) {
        span->payload[i] = (uint32_t)span->spare_key[i];
        span->key[i] = ends;
    }
}

static void order_parallel_arcs(const struct mu_sort_span *span)
{
    for (uint64_t from = 0, to; from < span->count; from = to) {
        for (to = from + 1; to < span->count && span->key[to] == span->key[from];) to++;
        if (to - from > 1) order_run(span, from, to);
    }
}

static uint64_t drop_duplicates(const struct mu_sort_span *span)
{
    uint64_t kept = 0;
    for (uint64_t i = 0; i < span->count; i++) {
        if (kept > 0 && span->key[kept - 1] == span->key[i]) continue;
        span->key[kept] = span->key[i];
        if (span->payload != NULL) span->payload[kept] = span->payload[i];
        kept++;
    }
    return kept;
}

static void sort_buckets(void *context, unsigned thread, unsigned threads)
{
    (void)thread, (void)threads;
    struct build *build = context;
    size_t bucket;
    while ((bucket = atomic_fetch_add(&build->next_bucket, 1)) < build->buckets) {
        struct mu_sort_span span = span_of(build, build->bucket_start[bucket], build->bucket_start[bucket + 1]);
        mu_sort(&span);
        if (span.payload != NULL) order_parallel_arcs(&span);
        uint64_t kept = build->simple ? drop_duplicates(&span) : span.count;
        build->bucket_kept[bucket] = kept;
        /* No two buckets share a row, so no two threads share a counter. */
        for (uint64_t i = 0; i < kept; i++) build->graph->row_start[(span.key[i] >> 32) + 1]++;
    }
}

static void place_buckets(void *context, unsigned thread, unsigned threads)
{
    (void)thread, (void)threads;
    struct build *build = context;
    struct mu_graph *graph = build->graph;
    size_t bucket;
    while ((bucket = atomic_fetch_add(&build->next_bucket, 1)) < build->buckets) {
        const uint64_t from = build->bucket_start[bucket];
        const uint64_t to = graph->row_start[(uint64_t)bucket << build->shift];
        for (uint64_t i = 0; i < build->bucket_kept[bucket]; i++) {
            graph->column[to + i] = (uint32_t)build->sorted.ends[from + i];
            if (graph->weight != NULL) graph->weight[to + i] = build->sorted.weight[from + i];
        }
    }
}

static int sort_and_place(struct build *build, struct mu_error *err)
{
    struct mu_graph *graph = build->graph;
    mu_parallel(build->threads, sort_buckets, build);
    for (uint64_t vertex = 0; vertex < graph->vertices; vertex++)
        graph->row_start[vertex + 1] += graph->row_start[vertex];
    graph->edges = graph->row_start[graph->vertices];
    mu_arcs_release(build->list);
    graph->column = mu_malloc(graph->edges, sizeof *graph->column, "the graph's columns", err);
    if (graph->column == NULL) return MU_NO_MEMORY;
    if (build->sorted.weight != NULL) {
        graph->weight = mu_malloc(graph->edges, sizeof *graph->weight, "the graph's weights", err);
        if (graph->weight == NULL) return MU_NO_MEMORY;
    }
    build->next_bucket = 0;
    mu_parallel(build->threads, place_buckets, build);
    return MU_OK;
}

static int start(struct build *build, uint32_t vertices, struct mu_error *err)
{
    while ((vertices >> build->shift) >= BUCKETS_MAX) build->shift++;
    build->buckets = (size_t)(vertices >> build->shift) + 1;
    build->threads = build->list->count < PARALLEL_FROM ? 1 : mu_parallel_threads();
    if (mu_memory_check((uint64_t)vertices + 1, sizeof(uint64_t), "the graph's rows", err) != MU_OK) return MU_LIMIT;
    build->graph = mu_calloc(1, sizeof *build->graph, "a graph", err);
    if (build->graph == NULL) return MU_NO_MEMORY;
    build->graph->vertices = vertices;
    build->graph->undirected = build->mirror;
    build->graph->row_start = mu_calloc((size_t)vertices + 1, sizeof(uint64_t), "the graph's rows", err);
    build->cursor = mu_calloc(build->threads * build->buckets, sizeof *build->cursor, "buckets", err);
    build->bucket_start = mu_calloc(build->buckets + 1, sizeof *build->bucket_start, "buckets", err);
    build->bucket_kept = mu_calloc(build->buckets, sizeof *build->bucket_kept, "buckets", err);
    bool ok = build->graph->row_start && build->cursor && build->bucket_start && build->bucket_kept;
    return ok ? MU_OK : MU_NO_MEMORY;
}

int mu_arcs_build(struct mu_arcs *arcs, uint32_t vertices, unsigned shape, struct mu_graph **graph,
                  struct mu_error *err)
{
    struct build build = {.list = arcs, .mirror = shape & MU_ARCS_MIRROR, .simple = shape & MU_ARCS_SIMPLE};
    int status = start(&build, vertices, err);
    if (status == MU_OK) status = partition(&build, err);
    if (status == MU_OK) status = sort_and_place(&build, err);
    if (status == MU_OK) {
        *graph = build.graph;
        build.graph = NULL;
    }
    mu_graph_free(build.graph);
    mu_free(build.cursor);
    mu_free(build.bucket_start);
    mu_free(build.bucket_kept);
    mu_arcs_release(&build.sorted);
    return status;
}
