#include "inputs/graph/stats.h"

#include "base/memory.h"

static uint64_t degree(const struct mu_graph *graph, uint64_t vertex)
{
    return graph->row_start[vertex + 1] - graph->row_start[vertex];
}

static unsigned class_of(uint64_t degree)
{
    return degree == 0 ? 0 : 64 - (unsigned)__builtin_clzll(degree);
}

/* Finds the median degree, the mean of the two in the middle, by counting the vertices of each degree. */
static int find_median(const struct mu_graph *graph, struct mu_graph_stats *stats, struct mu_error *err)
{
    uint64_t *vertices = mu_calloc(stats->degree_max + 1, sizeof *vertices, "the degrees", err);
    if (vertices == NULL) return MU_NO_MEMORY;
    for (uint64_t vertex = 0; vertex < graph->vertices; vertex++) vertices[degree(graph, vertex)]++;
    const uint64_t middle[] = {(graph->vertices - UINT64_C(1)) / 2, graph->vertices / 2};
    double sum = 0;
    for (unsigned i = 0; i < 2; i++) {
        uint64_t value = 0, below = vertices[0];
        while (below <= middle[i]) below += vertices[++value];
        sum += (double)value;
    }
    stats->degree_median = sum / 2;
    mu_free(vertices);
    return MU_OK;
}

static int measure_degrees(const struct mu_graph *graph, struct mu_graph_stats *stats, struct mu_error *err)
{
    stats->degree_min = UINT64_MAX;
    for (uint64_t vertex = 0; vertex < graph->vertices; vertex++) {
        const uint64_t here = degree(graph, vertex);
        if (here < stats->degree_min) stats->degree_min = here;
        if (here > stats->degree_max) stats->degree_max = here;
        stats->degree_class[class_of(here)]++;
    }
    stats->degree_classes = class_of(stats->degree_max) + 1;
    stats->degree_mean = (double)graph->edges / (double)graph->vertices;
    return find_median(graph, stats, err);
}

static void measure_arcs(const struct mu_graph *graph, struct mu_graph_stats *stats)
{
    for (uint64_t vertex = 0; vertex < graph->vertices; vertex++)
        for (uint64_t arc = graph->row_start[vertex]; arc < graph->row_start[vertex + 1]; arc++) {
            stats->loops += graph->column[arc] == vertex;
            stats->parallel += arc > graph->row_start[vertex] && graph->column[arc] == graph->column[arc - 1];
        }
    if (graph->weight == NULL || graph->edges == 0) return;
    stats->weight_min = UINT32_MAX;
    for (uint64_t arc = 0; arc < graph->edges; arc++) {
        if (graph->weight[arc] < stats->weight_min) stats->weight_min = graph->weight[arc];
        if (graph->weight[arc] > stats->weight_max) stats->weight_max = graph->weight[arc];
    }
}

static uint32_t find_root(uint32_t *parent, uint32_t vertex)
{
    while (parent[vertex] != vertex) {
        parent[vertex] = parent[parent[vertex]];
        vertex = parent[vertex];
    }
    return vertex;
}

/* Joins the ends of all arcs. The smaller root becomes the parent, so that a tree's root is its first vertex. */
static void join_ends(const struct mu_graph *graph, uint32_t *parent)
{
    for (uint32_t tail = 0; tail < graph->vertices; tail++)
        for (uint64_t arc = graph->row_start[tail]; arc < graph->row_start[tail + 1]; arc++) {
            uint32_t one = find_root(parent, tail), other = find_root(parent, graph->column[arc]);
            if (one < other)
                parent[other] = one;
            else
                parent[one] = other;
        }
}

static int measure_components(const struct mu_graph *graph, struct mu_graph_stats *stats, struct mu_error *err)
{
    uint32_t *parent = mu_malloc(graph->vertices, sizeof *parent, "the components", err);
    uint32_t *size = mu_calloc(graph->vertices, sizeof *size, "the components' sizes", err);
    bool ok = parent != NULL && size != NULL;
    if (ok) {
        for (uint32_t vertex = 0; vertex < graph->vertices; vertex++) parent[vertex] = vertex;
        join_ends(graph, parent);
        for (uint32_t vertex = 0; vertex < graph->vertices; vertex++) {
            uint32_t root = find_root(parent, vertex);
            stats->components += root == vertex;
            if (++size[root] > stats->largest_component) stats->largest_component = size[root];
        }
    }
    mu_free(parent);
    mu_free(size);
    return ok ? MU_OK : MU_NO_MEMORY;
}

/* Counts the isolated vertices, which no arc leaves and none enters. */
static int count_isolated(const struct mu_graph *graph, struct mu_graph_stats *stats, struct mu_error *err)
{
    bool *entered = mu_calloc(graph->vertices, sizeof *entered, "the isolated vertices", err);
    if (entered == NULL) return MU_NO_MEMORY;
    for (uint64_t arc = 0; arc < graph->edges; arc++) entered[graph->column[arc]] = true;
    for (uint64_t vertex = 0; vertex < graph->vertices; vertex++)
        stats->isolated += degree(graph, vertex) == 0 && !entered[vertex];
    mu_free(entered);
    return MU_OK;
}

int mu_graph_stats(const struct mu_graph *graph, struct mu_graph_stats *stats, struct mu_error *err)
{
    *stats = (struct mu_graph_stats){0};
    measure_arcs(graph, stats);
    int status = measure_degrees(graph, stats, err);
    if (status == MU_OK) status = measure_components(graph, stats, err);
    if (status == MU_OK) status = mu_graph_is_symmetric(graph, &stats->symmetric, err);
    if (status == MU_OK) status = count_isolated(graph, stats, err);
    return status;
}
