/* Checks of what vertices are told: components, independent sets, triangles. */
#include "apps/irgl/irgl.h"

#include "apps/symmetric.h"
#include "base/memory.h"

/* ---- Components: trees whose root is their smallest vertex ---- */

static uint32_t find(uint32_t *parent, uint32_t v)
{
    while (parent[v] != v) {
        parent[v] = parent[parent[v]];
        v = parent[v];
    }
    return v;
}

/* Finds the smallest vertex of each vertex's component. */
static int make_components(struct mu_instance *instance, struct mu_error *err)
{
    const struct mu_graph *graph = instance->graph;
    uint32_t *parent = mu_malloc(graph->vertices, sizeof *parent, "the reference components", err);
    if (parent == NULL) return err->status;
    for (uint32_t v = 0; v < graph->vertices; v++) parent[v] = v;
    for (uint32_t v = 0; v < graph->vertices; v++)
        for (uint64_t e = graph->row_start[v]; e < graph->row_start[v + 1]; e++) {
            const uint32_t a = find(parent, v), b = find(parent, graph->column[e]);
            parent[a > b ? a : b] = a > b ? b : a;
        }
    /* A parent is smaller than its child, and has its root already when the child's turn comes. */
    for (uint32_t v = 0; v < graph->vertices; v++) parent[v] = parent[parent[v]];
    instance->reference = parent;
    return MU_OK;
}

int irgl_check_components(struct mu_instance *instance, const uint32_t *component, struct mu_error *err)
{
    if (instance->reference == NULL && make_components(instance, err) != MU_OK) return err->status;
    const uint32_t *smallest = instance->reference;
    if (smallest == NULL) return err->status;
    for (uint32_t v = 0; v < instance->graph->vertices; v++)
        if (component[v] != smallest[v])
            return mu_fail(err, MU_WRONG, "vertex %u has component %u, but the smallest vertex of its component is %u",
                           v, component[v], smallest[v]);
    return MU_OK;
}

/* ---- Independent sets, on the arcs of the input ---- */

int irgl_check_independent(struct mu_instance *instance, const uint32_t *status, uint32_t in, uint32_t out,
                           struct mu_error *err)
{
    const struct mu_graph *graph = instance->graph;
    bool *beside = mu_calloc(graph->vertices, sizeof *beside, "neighbours of the set", err);
    for (uint32_t v = 0; beside != NULL && v < graph->vertices; v++)
        for (uint64_t e = graph->row_start[v]; e < graph->row_start[v + 1]; e++) {
            const uint32_t w = graph->column[e];
            if (v == w) continue;
            if (status[v] == in) beside[w] = true;
            if (status[w] == in) beside[v] = true;
        }
    for (uint32_t v = 0; beside != NULL && err->status == MU_OK && v < graph->vertices; v++) {
        if (status[v] != in && status[v] != out)
            mu_fail(err, MU_WRONG, "vertex %u is undecided (%u)", v, status[v]);
        else if (status[v] == in && beside[v])
            mu_fail(err, MU_WRONG, "vertex %u is in the set, and so is a neighbour", v);
        else if (status[v] == out && !beside[v])
            mu_fail(err, MU_WRONG, "vertex %u is out of the set, and no neighbour is in it", v);
    }
    mu_free(beside);
    return err->status;
}

/* ---- Triangles: pairs of neighbours that are marked ---- */

/* Counts the triangles whose smallest vertex is v, by marks on its neighbours. */
static uint32_t count_at(const struct mu_graph *graph, uint32_t v, uint32_t *marked_by)
{
    uint32_t count = 0;
    for (uint64_t e = graph->row_start[v]; e < graph->row_start[v + 1]; e++) marked_by[graph->column[e]] = v;
    for (uint64_t e = graph->row_start[v]; e < graph->row_start[v + 1]; e++) {
        const uint32_t w = graph->column[e];
        if (w <= v) continue;
        for (uint64_t f = graph->row_start[w]; f < graph->row_start[w + 1]; f++)
            if (graph->column[f] > w && marked_by[graph->column[f]] == v) count++;
    }
    return count;
}

static int make_triangles(struct mu_instance *instance, struct mu_error *err)
{
    const struct mu_graph *graph = instance->derived;
    if (mu_check_symmetric(instance, err) != MU_OK) return err->status;
    uint32_t *triangles = mu_malloc(graph->vertices, sizeof *triangles, "the reference triangles", err);
    uint32_t *marked_by = mu_malloc(graph->vertices, sizeof *marked_by, "marks", err);
    const bool room = triangles != NULL && marked_by != NULL;
    for (uint32_t v = 0; room && v < graph->vertices; v++) marked_by[v] = UINT32_MAX;
    for (uint32_t v = 0; room && v < graph->vertices; v++) triangles[v] = count_at(graph, v, marked_by);
    mu_free(marked_by);
    if (room)
        instance->reference = triangles;
    else
        mu_free(triangles);
    return err->status;
}

int irgl_check_triangles(struct mu_instance *instance, const uint32_t *triangles, struct mu_error *err)
{
    if (instance->reference == NULL) make_triangles(instance, err);
    const uint32_t *reference = instance->reference;
    if (reference == NULL) return err->status;
    for (uint32_t v = 0; v < instance->derived->vertices; v++)
        if (triangles[v] != reference[v])
            return mu_fail(err, MU_WRONG, "vertex %u has %u triangles, but is the smallest of %u", v, triangles[v],
                           reference[v]);
    return MU_OK;
}
