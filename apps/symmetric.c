#include "apps/symmetric.h"

#include "base/memory.h"
#include "inputs/radix.h"

/* The pairs of vertices that an arc joins, as smaller << 32 | larger, in ascending order, each with its least weight.
 */
struct pairs {
    uint64_t *key, *spare_key;
    uint32_t *weight, *spare_weight; /* NULL without weights */
    uint64_t count;
};

static void free_pairs(struct pairs *pairs)
{
    mu_free(pairs->key);
    mu_free(pairs->spare_key);
    mu_free(pairs->weight);
    mu_free(pairs->spare_weight);
}

/* Leaves the lightest of equal pairs, which stand together. */
static void make_unique(struct pairs *pairs)
{
    uint64_t kept = 0;
    for (uint64_t i = 0; i < pairs->count; i++) {
        const bool again = kept > 0 && pairs->key[kept - 1] == pairs->key[i];
        if (!again) {
            pairs->key[kept] = pairs->key[i];
            if (pairs->weight != NULL) pairs->weight[kept] = pairs->weight[i];
            kept++;
        } else if (pairs->weight != NULL && pairs->weight[i] < pairs->weight[kept - 1]) {
            pairs->weight[kept - 1] = pairs->weight[i];
        }
    }
    pairs->count = kept;
}

static int make_pairs(const struct mu_graph *graph, bool weighted, struct pairs *pairs, struct mu_error *err)
{
    *pairs = (struct pairs){0};
    pairs->key = mu_malloc(graph->edges, sizeof *pairs->key, "the pairs of vertices", err);
    pairs->spare_key = mu_malloc(graph->edges, sizeof *pairs->spare_key, "the pairs of vertices", err);
    if (weighted) {
        pairs->weight = mu_malloc(graph->edges, sizeof *pairs->weight, "the weights of pairs", err);
        pairs->spare_weight = mu_malloc(graph->edges, sizeof *pairs->spare_weight, "the weights of pairs", err);
    }
    if (err->status != MU_OK) return err->status;
    for (uint32_t tail = 0; tail < graph->vertices; tail++)
        for (uint64_t arc = graph->row_start[tail]; arc < graph->row_start[tail + 1]; arc++) {
            const uint32_t head = graph->column[arc];
            if (head == tail) continue;
            if (weighted) pairs->weight[pairs->count] = graph->weight[arc];
            pairs->key[pairs->count++] = tail < head ? (uint64_t)tail << 32 | head : (uint64_t)head << 32 | tail;
        }
    const struct mu_sort_span span = {.key = pairs->key,
                                      .payload = pairs->weight,
                                      .spare_key = pairs->spare_key,
                                      .spare_payload = pairs->spare_weight,
                                      .count = pairs->count};
    mu_sort(&span);
    make_unique(pairs);
    return MU_OK;
}

/* Checks that the arc of `graph` is the next of its pair: `arc` is where it should be. */
static int check_arc(const struct mu_graph *graph, const struct pairs *pairs, uint64_t pair, uint32_t tail,
                     uint64_t arc, struct mu_error *err)
{
    const uint32_t low = (uint32_t)(pairs->key[pair] >> 32), high = (uint32_t)pairs->key[pair];
    const uint32_t head = tail == low ? high : low;
    if (arc >= graph->row_start[tail + 1] || graph->column[arc] != head)
        return mu_fail(err, MU_WRONG, "the graph was made symmetric wrongly: the arc from %u to %u is not in its place",
                       tail, head);
    if (pairs->weight != NULL && graph->weight[arc] != pairs->weight[pair])
        return mu_fail(err, MU_WRONG, "the graph was made symmetric wrongly: the arc from %u to %u weighs %u, not %u",
                       tail, head, graph->weight[arc], pairs->weight[pair]);
    return MU_OK;
}

/* Walks the pairs in order: that way a row's arcs to smaller vertices come in ascending order, and behind all of them
 * its arcs to larger ones. `next` is where each row has got to. */
static int compare(const struct mu_graph *graph, const struct pairs *pairs, uint64_t *next, struct mu_error *err)
{
    if (graph->edges != 2 * pairs->count)
        return mu_fail(err, MU_WRONG, "the graph was made symmetric wrongly: it has %llu arcs, not %llu",
                       (unsigned long long)graph->edges, 2 * (unsigned long long)pairs->count);
    for (uint32_t v = 0; v < graph->vertices; v++) next[v] = graph->row_start[v];
    for (uint64_t pair = 0; pair < pairs->count; pair++) {
        const uint32_t low = (uint32_t)(pairs->key[pair] >> 32), high = (uint32_t)pairs->key[pair];
        if (check_arc(graph, pairs, pair, low, next[low]++, err) != MU_OK ||
            check_arc(graph, pairs, pair, high, next[high]++, err) != MU_OK)
            return err->status;
    }
    return MU_OK;
}

/* Returns true if the rows of a graph ascend, without loops and parallel arcs, and each arc has its opposite with the
 * same weight. Tails ascend, so a row's arcs to smaller vertices are met in their order, from the other side. `next` is
 * the position in each row. */
static bool is_symmetric(const struct mu_graph *graph, uint64_t *next)
{
    for (uint32_t v = 0; v < graph->vertices; v++) next[v] = graph->row_start[v];
    for (uint32_t v = 0; v < graph->vertices; v++) {
        uint32_t before = v;
        for (uint64_t arc = next[v]; arc < graph->row_start[v + 1]; arc++) {
            const uint32_t head = graph->column[arc];
            if (head <= before) return false;
            before = head;
            const uint64_t opposite = next[head]++;
            if (opposite >= graph->row_start[head + 1] || graph->column[opposite] != v) return false;
            if (graph->weight != NULL && graph->weight[opposite] != graph->weight[arc]) return false;
        }
    }
    return true;
}

int mu_check_symmetric(const struct mu_instance *instance, struct mu_error *err)
{
    const struct mu_graph *graph = instance->graph, *derived = instance->derived;
    struct pairs pairs;
    uint64_t *next = mu_malloc(graph->vertices, sizeof *next, "rows to be checked", err);
    if (next == NULL) return err->status;
    const bool weighted = graph->weight != NULL && derived->weight != NULL;
    /* Most inputs are symmetric already, and large ones take long to sort. */
    if (!mu_graph_equal(graph, derived) || !is_symmetric(graph, next)) {
        if (make_pairs(graph, weighted, &pairs, err) == MU_OK) compare(derived, &pairs, next, err);
        free_pairs(&pairs);
    }
    mu_free(next);
    return err->status;
}
