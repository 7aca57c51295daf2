/* Graphs made of other graphs: the transpose, the simple undirected graph, and the test for symmetry. All take linear
 * time and rely on rows sorted by (column, weight). */
#include "base/memory.h"
#include "inputs/graph/graph.h"

#include <string.h>

/* Returns a graph of the same vertices, with room for `edges` arcs and the original's name and outside ids. The caller
 * releases it. */
static struct mu_graph *new_like(const struct mu_graph *original, uint64_t edges, struct mu_error *err)
{
    struct mu_graph *graph = mu_graph_new(original->vertices, edges, original->weight != NULL, err);
    if (graph == NULL) return NULL;
    graph->format = original->format;
    bool ok = original->name == NULL || (graph->name = mu_strdup(original->name, err)) != NULL;
    if (ok && original->outside_id != NULL) {
        graph->outside_id = mu_malloc(graph->vertices, sizeof *graph->outside_id, "the graph's outside ids", err);
        ok = graph->outside_id != NULL;
        if (ok) memcpy(graph->outside_id, original->outside_id, graph->vertices * sizeof *graph->outside_id);
    }
    if (ok) return graph;
    mu_graph_free(graph);
    return NULL;
}

static int failure(const struct mu_error *err)
{
    return err != NULL && err->status != MU_OK ? err->status : MU_NO_MEMORY;
}

/* Places the transposed arcs without a second array. Counts go in two places behind the rows that they belong to, so
 * that row_start[v] is the end of row v - 1 once all arcs into v are placed. */
static void place_turned(const struct mu_graph *graph, struct mu_graph *turned)
{
    uint64_t *row_start = turned->row_start;
    const uint64_t vertices = graph->vertices;
    for (uint64_t arc = 0; arc < graph->edges; arc++)
        if (graph->column[arc] + UINT64_C(2) <= vertices) row_start[graph->column[arc] + UINT64_C(2)]++;
    for (uint64_t vertex = 1; vertex <= vertices; vertex++) row_start[vertex] += row_start[vertex - 1];
    for (uint32_t tail = 0; tail < vertices; tail++)
        for (uint64_t arc = graph->row_start[tail]; arc < graph->row_start[tail + 1]; arc++) {
            uint64_t to = row_start[graph->column[arc] + UINT64_C(1)]++;
            turned->column[to] = tail;
            if (graph->weight != NULL) turned->weight[to] = graph->weight[arc];
        }
}

int mu_graph_transpose(const struct mu_graph *graph, struct mu_graph **transposed, struct mu_error *err)
{
    struct mu_graph *turned = new_like(graph, graph->edges, err);
    if (turned == NULL) return failure(err);
    turned->undirected = graph->undirected;
    place_turned(graph, turned);
    *transposed = turned;
    return MU_OK;
}

/* Takes the arcs by ascending tail, so that those into a vertex must be the arcs out of it, one after another. */
int mu_graph_is_symmetric(const struct mu_graph *graph, bool *symmetric, struct mu_error *err)
{
    uint64_t *next = mu_malloc(graph->vertices, sizeof *next, "the graph's rows", err);
    if (next == NULL) return MU_NO_MEMORY;
    memcpy(next, graph->row_start, graph->vertices * sizeof *next);
    *symmetric = true;
    for (uint32_t tail = 0; *symmetric && tail < graph->vertices; tail++)
        for (uint64_t arc = graph->row_start[tail]; *symmetric && arc < graph->row_start[tail + 1]; arc++) {
            const uint32_t head = graph->column[arc];
            const uint64_t at = next[head]++;
            *symmetric = at < graph->row_start[head + UINT64_C(1)] && graph->column[at] == tail &&
                         (graph->weight == NULL || graph->weight[at] == graph->weight[arc]);
        }
    mu_free(next);
    return MU_OK;
}

/* Where two rows are being merged. */
struct merge {
    const struct mu_graph *from[2];
    uint64_t at[2], end[2];
    struct mu_graph *into;
    uint64_t edges;
};

static void keep(struct merge *merge, uint32_t tail, const struct mu_graph *graph, uint64_t arc)
{
    const uint32_t head = graph->column[arc];
    struct mu_graph *into = merge->into;
    if (head == tail) return;
    bool again = merge->edges > into->row_start[tail] && into->column[merge->edges - 1] == head;
    if (!again) {
        into->column[merge->edges] = head;
        if (graph->weight != NULL) into->weight[merge->edges] = graph->weight[arc];
        merge->edges++;
    } else if (graph->weight != NULL && graph->weight[arc] < into->weight[merge->edges - 1]) {
        into->weight[merge->edges - 1] = graph->weight[arc];
    }
}

static void merge_row(struct merge *merge, uint32_t tail)
{
    merge->into->row_start[tail] = merge->edges;
    for (unsigned i = 0; i < 2; i++) {
        merge->at[i] = merge->from[i]->row_start[tail];
        merge->end[i] = merge->from[i]->row_start[tail + 1];
    }
    while (merge->at[0] < merge->end[0] || merge->at[1] < merge->end[1]) {
        unsigned next = merge->at[0] == merge->end[0];
        if (next == 0 && merge->at[1] < merge->end[1])
            next = merge->from[1]->column[merge->at[1]] < merge->from[0]->column[merge->at[0]];
        keep(merge, tail, merge->from[next], merge->at[next]);
        merge->at[next]++;
    }
}

int mu_graph_symmetrise(const struct mu_graph *graph, struct mu_graph **symmetric, struct mu_error *err)
{
    struct mu_graph *transposed = NULL;
    int status = mu_graph_transpose(graph, &transposed, err);
    if (status != MU_OK) return status;
    struct mu_graph *both = new_like(graph, 2 * graph->edges, err);
    status = both == NULL ? failure(err) : MU_OK;
    if (status == MU_OK) {
        struct merge merge = {.from = {graph, transposed}, .into = both};
        for (uint32_t tail = 0; tail < graph->vertices; tail++) merge_row(&merge, tail);
        both->row_start[graph->vertices] = both->edges = merge.edges;
        both->undirected = true;
        *symmetric = both;
    }
    mu_graph_free(transposed);
    return status;
}
