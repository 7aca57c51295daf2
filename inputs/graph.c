#define XXH_INLINE_ALL

#include "inputs/graph.h"

#include "base/memory.h"
#include "inputs/rng.h"

#include <string.h>
#include <xxhash.h>

enum { DEFAULT_WEIGHT_MAX = 100, HASH_BLOCK = 4096 };

void mu_graph_free(struct mu_graph *graph)
{
    if (graph == NULL) return;
    mu_free(graph->name);
    mu_free(graph->row_start);
    mu_free(graph->column);
    mu_free(graph->weight);
    mu_free(graph->outside_id);
    mu_free(graph);
}

uint32_t mu_edge_weight(uint32_t tail, uint32_t head)
{
    uint64_t low = tail < head ? tail : head;
    uint64_t high = tail < head ? head : tail;
    return 1 + (uint32_t)(mu_mix64((low << 32 | high) + MU_GOLDEN_RATIO) % DEFAULT_WEIGHT_MAX);
}

int mu_graph_need_weights(struct mu_graph *graph, struct mu_error *err)
{
    if (graph->weight != NULL) return MU_OK;
    uint32_t *weight = mu_malloc(graph->edges, sizeof *weight, "the graph's weights", err);
    if (weight == NULL) return MU_NO_MEMORY;
    for (uint32_t vertex = 0; vertex < graph->vertices; vertex++)
        for (uint64_t arc = graph->row_start[vertex]; arc < graph->row_start[vertex + 1]; arc++)
            weight[arc] = mu_edge_weight(vertex, graph->column[arc]);
    graph->weight = weight;
    return MU_OK;
}

bool mu_graph_equal(const struct mu_graph *a, const struct mu_graph *b)
{
    if (a->vertices != b->vertices || a->edges != b->edges || (a->weight == NULL) != (b->weight == NULL)) return false;
    if (memcmp(a->row_start, b->row_start, ((size_t)a->vertices + 1) * sizeof *a->row_start) != 0) return false;
    if (memcmp(a->column, b->column, a->edges * sizeof *a->column) != 0) return false;
    return a->weight == NULL || memcmp(a->weight, b->weight, a->edges * sizeof *a->weight) == 0;
}

/* The canonical form is little-endian; byte by byte, which compilers turn into a copy where it is one. */
static void hash_u64(XXH3_state_t *state, const uint64_t *values, uint64_t count)
{
    unsigned char block[HASH_BLOCK * 8];
    for (uint64_t from = 0; from < count; from += HASH_BLOCK) {
        size_t length = count - from < HASH_BLOCK ? (size_t)(count - from) : HASH_BLOCK;
        for (size_t i = 0; i < length; i++)
            for (unsigned byte = 0; byte < 8; byte++)
                block[8 * i + byte] = (unsigned char)(values[from + i] >> 8 * byte);
        XXH3_64bits_update(state, block, length * 8);
    }
}

static void hash_u32(XXH3_state_t *state, const uint32_t *values, uint64_t count)
{
    unsigned char block[HASH_BLOCK * 4];
    for (uint64_t from = 0; from < count; from += HASH_BLOCK) {
        size_t length = count - from < HASH_BLOCK ? (size_t)(count - from) : HASH_BLOCK;
        for (size_t i = 0; i < length; i++)
            for (unsigned byte = 0; byte < 4; byte++)
                block[4 * i + byte] = (unsigned char)(values[from + i] >> 8 * byte);
        XXH3_64bits_update(state, block, length * 4);
    }
}

uint64_t mu_graph_hash(const struct mu_graph *graph)
{
    const uint64_t sizes[] = {graph->vertices, graph->edges, graph->weight != NULL};
    XXH3_state_t state;
    XXH3_64bits_reset(&state);
    hash_u64(&state, sizes, sizeof sizes / sizeof sizes[0]);
    hash_u64(&state, graph->row_start, (uint64_t)graph->vertices + 1);
    hash_u32(&state, graph->column, graph->edges);
    if (graph->weight != NULL) hash_u32(&state, graph->weight, graph->edges);
    return XXH3_64bits_digest(&state);
}
