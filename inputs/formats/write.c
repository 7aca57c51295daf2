#include "inputs/formats/formats.h"

#include <inttypes.h>

static uint64_t count_loops(const struct mu_graph *graph)
{
    uint64_t loops = 0;
    for (uint32_t tail = 0; tail < graph->vertices; tail++)
        for (uint64_t arc = graph->row_start[tail]; arc < graph->row_start[tail + 1]; arc++)
            loops += graph->column[arc] == tail;
    return loops;
}

uint64_t mu_graph_undirected_edges(const struct mu_graph *graph)
{
    return (graph->edges + count_loops(graph)) / 2;
}

static uint32_t greatest_weight(const struct mu_graph *graph)
{
    uint32_t greatest = 0;
    for (uint64_t arc = 0; graph->weight != NULL && arc < graph->edges; arc++)
        if (graph->weight[arc] > greatest) greatest = graph->weight[arc];
    return greatest;
}

static int refuse(const struct mu_format *format, const char *why, struct mu_error *err)
{
    return mu_fail(err, MU_USAGE, "the format %s cannot hold this graph: %s", format->name, why);
}

static int check_sizes(const struct mu_format *format, const struct mu_graph *graph, struct mu_error *err)
{
    if (graph->vertices > format->max_vertices) return refuse(format, "it has too many vertices", err);
    if (graph->edges > format->max_edges) return refuse(format, "it has too many arcs", err);
    if ((format->traits & MU_HOLDS_WEIGHTS) && greatest_weight(graph) > format->max_weight)
        return refuse(format, "a weight is too large", err);
    return MU_OK;
}

static int check_symmetry(const struct mu_format *format, const struct mu_graph *graph, struct mu_error *err)
{
    bool symmetric = true;
    if (!(format->traits & MU_ONLY_SYMMETRIC) || graph->undirected) return MU_OK;
    int status = mu_graph_is_symmetric(graph, &symmetric, err);
    if (status != MU_OK || symmetric) return status;
    return refuse(format, "it holds undirected edges only, and some arcs have no opposite", err);
}

/* Checks that the format can hold the graph's isolated vertices, which no arc leaves and none enters. */
static int check_isolated(const struct mu_format *format, const struct mu_graph *graph, struct mu_error *err)
{
    struct mu_graph *transposed = NULL;
    if (!(format->traits & MU_NO_ISOLATED)) return MU_OK;
    int status = mu_graph_transpose(graph, &transposed, err);
    for (uint64_t vertex = 0; status == MU_OK && vertex < graph->vertices; vertex++) {
        if (graph->row_start[vertex + 1] > graph->row_start[vertex]) continue;
        if (transposed->row_start[vertex + 1] > transposed->row_start[vertex]) continue;
        status = refuse(format, "it has vertices without edges (--lossy drops them)", err);
    }
    mu_graph_free(transposed);
    return status;
}

static int check_losses(const struct mu_format *format, const struct mu_graph *graph, struct mu_error *err)
{
    if (graph->weight != NULL && !(format->traits & MU_HOLDS_WEIGHTS))
        return refuse(format, "it has weights (--lossy drops them)", err);
    return check_isolated(format, graph, err);
}

int mu_format_write(const struct mu_format *format, const struct mu_graph *graph, const char *path, bool lossy,
                    struct mu_error *err)
{
    struct mu_sink *sink = NULL;
    int status = check_sizes(format, graph, err);
    if (status == MU_OK) status = check_symmetry(format, graph, err);
    if (status == MU_OK && (format->traits & MU_NO_LOOPS) && count_loops(graph) > 0)
        status = refuse(format, "it has loops", err);
    if (status == MU_OK && (format->traits & MU_NO_ISOLATED) && graph->edges == 0)
        status = refuse(format, "it has no edges, and nothing would be left of it", err);
    if (status == MU_OK && !lossy) status = check_losses(format, graph, err);
    if (status == MU_OK) status = mu_sink_open(path, &sink, err);
    if (status == MU_OK) status = format->write(graph, sink, err);
    return mu_sink_close(sink, status, err);
}
