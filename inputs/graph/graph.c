#include "inputs/graph/graph.h"

#include "base/hash.h"
#include "base/limits.h"
#include "base/memory.h"
#include "inputs/rng.h"

#include <string.h>

enum { DEFAULT_WEIGHT_MAX = 100 };

struct mu_graph *mu_graph_new(uint32_t vertices, uint64_t edges, bool weighted, struct mu_error *err)
{
    const size_t rows = (size_t)vertices + 1;
    if (mu_memory_check(rows, sizeof(uint64_t), "the graph's rows", err) != MU_OK ||
        mu_memory_check(edges, weighted ? 8 : 4, "the graph", err) != MU_OK)
        return NULL;
    struct mu_graph *graph = mu_calloc(1, sizeof *graph, "a graph", err);
    if (graph == NULL) return NULL;
    graph->vertices = vertices;
    graph->edges = edges;
    graph->row_start = mu_calloc(rows, sizeof *graph->row_start, "the graph's rows", err);
    graph->column = mu_malloc(edges, sizeof *graph->column, "the graph's columns", err);
    if (weighted) graph->weight = mu_malloc(edges, sizeof *graph->weight, "the graph's weights", err);
    if (graph->row_start != NULL && graph->column != NULL && (graph->weight != NULL || !weighted)) return graph;
    mu_graph_free(graph);
    return NULL;
}

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
    if (graph->weights_refused)
        return mu_fail(err, MU_INPUT,
                       "%s: %s; --weights= takes generated, rounded, scaled:K, or file for whole numbers",
                       graph->name != NULL ? graph->name : "the graph", graph->weights_from);
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
    const size_t edges = (size_t)a->edges;
    if (memcmp(a->column, b->column, edges * sizeof *a->column) != 0) return false;
    return a->weight == NULL || memcmp(a->weight, b->weight, edges * sizeof *a->weight) == 0;
}

uint64_t mu_graph_hash(const struct mu_graph *graph)
{
    const uint64_t sizes[] = {graph->vertices, graph->edges, graph->weight != NULL};
    struct mu_hash hash;
    mu_hash_start(&hash);
    mu_hash_u64(&hash, sizes, sizeof sizes / sizeof sizes[0]);
    mu_hash_u64(&hash, graph->row_start, (uint64_t)graph->vertices + 1);
    mu_hash_u32(&hash, graph->column, graph->edges);
    if (graph->weight != NULL) mu_hash_u32(&hash, graph->weight, graph->edges);
    return mu_hash_end(&hash);
}

uint32_t mu_graph_tail(const struct mu_graph *graph, uint64_t arc)
{
    uint32_t low = 0, high = graph->vertices - 1;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (graph->row_start[middle + 1] <= arc)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
