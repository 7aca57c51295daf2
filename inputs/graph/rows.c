#include "inputs/graph/rows.h"

#include "inputs/parallel.h"

#include <stdatomic.h>
#include <stddef.h>

enum { INSERTION_MAX = 32, ROWS_AT_ONCE = 1 << 12, BITS = 64 };

/* Part of a row: heads, and weights or NULL. */
struct span {
    uint32_t *column, *weight;
};

/* Returns head and weight in one number, by which arcs are sorted. */
static inline uint64_t key_at(const struct span *span, uint64_t i)
{
    return (uint64_t)span->column[i] << 32 | (span->weight != NULL ? span->weight[i] : 0);
}

static inline void set(const struct span *span, uint64_t i, uint64_t key)
{
    span->column[i] = (uint32_t)(key >> 32);
    if (span->weight != NULL) span->weight[i] = (uint32_t)key;
}

static void insertion_sort(const struct span *span, uint64_t begin, uint64_t end)
{
    for (uint64_t i = begin + 1; i < end; i++) {
        const uint64_t key = key_at(span, i);
        uint64_t at = i;
        for (; at > begin && key_at(span, at - 1) > key; at--) set(span, at, key_at(span, at - 1));
        set(span, at, key);
    }
}

/* Sorts by the bits that differ, from the highest on, as quicksort does by pivots (radix exchange, Hildebrandt and
 * Isbitz 1959): at most 64 levels deep, whatever the keys. */
static void sort_span(const struct span *span, uint64_t begin, uint64_t end)
{
    while (end - begin > INSERTION_MAX) {
        uint64_t differing = 0;
        for (uint64_t i = begin + 1; i < end; i++) differing |= key_at(span, i) ^ key_at(span, begin);
        if (differing == 0) return;
        const uint64_t bit = UINT64_C(1) << (BITS - 1 - __builtin_clzll(differing));
        uint64_t low = begin, high = end;
        while (low < high) {
            const uint64_t key = key_at(span, low);
            if ((key & bit) == 0) {
                low++;
                continue;
            }
            high--;
            set(span, low, key_at(span, high));
            set(span, high, key);
        }
        sort_span(span, begin, low);
        begin = low;
    }
    insertion_sort(span, begin, end);
}

static bool is_sorted(const struct span *span, uint64_t count)
{
    for (uint64_t i = 1; i < count; i++)
        if (key_at(span, i - 1) > key_at(span, i)) return false;
    return true;
}

struct work {
    struct mu_graph *graph;
    atomic_uint_fast64_t next;
};

static void sort_some(void *context, unsigned thread, unsigned threads)
{
    (void)thread, (void)threads;
    struct work *work = context;
    const struct mu_graph *graph = work->graph;
    uint64_t first;
    while ((first = atomic_fetch_add(&work->next, ROWS_AT_ONCE)) < graph->vertices) {
        const uint64_t behind = graph->vertices - first > ROWS_AT_ONCE ? first + ROWS_AT_ONCE : graph->vertices;
        for (uint64_t v = first; v < behind; v++) {
            const uint64_t begin = graph->row_start[v], count = graph->row_start[v + 1] - begin;
            const struct span span = {graph->column + begin, graph->weight != NULL ? graph->weight + begin : NULL};
            if (!is_sorted(&span, count)) sort_span(&span, 0, count);
        }
    }
}

void mu_graph_sort_rows(struct mu_graph *graph)
{
    struct work work = {.graph = graph};
    mu_parallel(graph->vertices < ROWS_AT_ONCE ? 1 : mu_parallel_threads(), sort_some, &work);
}
