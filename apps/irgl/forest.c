/* The check of minimum spanning forests, against Kruskal's: as many edges of the graph, no cycle among them, and the
 * same weight. */
#include "apps/irgl/irgl.h"

#include "apps/symmetric.h"
#include "base/memory.h"
#include "inputs/radix.h"

#define NO_EDGE UINT32_MAX

struct forest {
    uint64_t weight;
    uint32_t edges;
};

int irgl_pair_arcs(const struct mu_graph *graph, uint32_t *tail, uint32_t *twin, struct mu_error *err)
{
    uint64_t *next = mu_malloc(graph->vertices, sizeof *next, "rows to be paired", err);
    if (next == NULL) return err->status;
    for (uint32_t v = 0; v < graph->vertices; v++) next[v] = graph->row_start[v];
    /* Tails ascend here, and columns in every row: so the arcs of a row are met in their order. */
    for (uint32_t v = 0; v < graph->vertices; v++)
        for (uint64_t arc = graph->row_start[v]; arc < graph->row_start[v + 1]; arc++) {
            tail[arc] = v;
            twin[arc] = (uint32_t)next[graph->column[arc]]++;
        }
    mu_free(next);
    return MU_OK;
}

static uint32_t find(uint32_t *parent, uint32_t v)
{
    while (parent[v] != v) {
        parent[v] = parent[parent[v]];
        v = parent[v];
    }
    return v;
}

/* Joins the ends of an arc; false where they were. */
static bool join(uint32_t *parent, uint32_t tail, uint32_t head)
{
    const uint32_t a = find(parent, tail), b = find(parent, head);
    parent[a] = b;
    return a != b;
}

/* The arcs that lead to greater vertices, with their tails, in the order of their weights. */
struct arcs {
    uint64_t *key, *spare;
    uint32_t *tail, *spare_tail, *parent;
    uint64_t count;
};

static int kruskal(const struct mu_graph *graph, struct arcs *arcs, struct forest *forest)
{
    for (uint32_t v = 0; v < graph->vertices; v++) {
        arcs->parent[v] = v;
        for (uint64_t arc = graph->row_start[v]; arc < graph->row_start[v + 1]; arc++) {
            if (graph->column[arc] <= v) continue;
            arcs->key[arcs->count] = (uint64_t)graph->weight[arc] << 32 | graph->column[arc];
            arcs->tail[arcs->count++] = v;
        }
    }
    const struct mu_sort_span span = {.key = arcs->key,
                                      .payload = arcs->tail,
                                      .spare_key = arcs->spare,
                                      .spare_payload = arcs->spare_tail,
                                      .count = arcs->count};
    mu_sort(&span);
    for (uint64_t i = 0; i < arcs->count; i++)
        if (join(arcs->parent, arcs->tail[i], (uint32_t)arcs->key[i])) {
            forest->weight += arcs->key[i] >> 32;
            forest->edges++;
        }
    return MU_OK;
}

static int make_reference(struct mu_instance *instance, struct mu_error *err)
{
    const struct mu_graph *graph = instance->derived;
    const uint64_t most = graph->edges / 2 + 1;
    struct arcs arcs = {.key = mu_malloc(most, sizeof *arcs.key, "the reference's arcs", err)};
    arcs.spare = mu_malloc(most, sizeof *arcs.spare, "the reference's arcs", err);
    arcs.tail = mu_malloc(most, sizeof *arcs.tail, "the reference's arcs", err);
    arcs.spare_tail = mu_malloc(most, sizeof *arcs.spare_tail, "the reference's arcs", err);
    arcs.parent = mu_malloc(graph->vertices, sizeof *arcs.parent, "the reference's components", err);
    struct forest *forest = mu_calloc(1, sizeof *forest, "the reference forest", err);
    if (err->status == MU_OK) kruskal(graph, &arcs, forest);
    mu_free(arcs.key);
    mu_free(arcs.spare);
    mu_free(arcs.tail);
    mu_free(arcs.spare_tail);
    mu_free(arcs.parent);
    if (err->status == MU_OK)
        instance->reference = forest;
    else
        mu_free(forest);
    return err->status;
}

/* Adds up the forest in joined_by, whose components are then in `parent`. */
static int add_up(const struct mu_graph *graph, const uint32_t *joined_by, uint32_t *parent, struct forest *forest,
                  struct mu_error *err)
{
    for (uint32_t v = 0; v < graph->vertices; v++) parent[v] = v;
    for (uint32_t v = 0; v < graph->vertices; v++) {
        const uint32_t arc = joined_by[v];
        if (arc == NO_EDGE) continue;
        if (arc >= graph->edges) return mu_fail(err, MU_WRONG, "vertex %u was joined by arc %u, which is none", v, arc);
        if (!join(parent, mu_graph_tail(graph, arc), graph->column[arc]))
            return mu_fail(err, MU_WRONG, "the edge {%u, %u} closes a cycle", mu_graph_tail(graph, arc),
                           graph->column[arc]);
        forest->weight += graph->weight[arc];
        forest->edges++;
    }
    return MU_OK;
}

/* Vertices of a tree name the same vertex, which is one of them. */
static int check_names(uint32_t vertices, const uint32_t *component, uint32_t *parent, struct mu_error *err)
{
    for (uint32_t v = 0; v < vertices; v++) {
        const uint32_t root = find(parent, v);
        if (component[v] >= vertices || find(parent, component[v]) != root || component[v] != component[root])
            return mu_fail(err, MU_WRONG, "vertex %u has component %u, vertex %u of the same tree has %u", v,
                           component[v], root, component[root]);
    }
    return MU_OK;
}

int irgl_check_forest(struct mu_instance *instance, const uint32_t *joined_by, const uint32_t *component,
                      struct mu_error *err)
{
    const struct mu_graph *graph = instance->derived;
    if (instance->reference == NULL &&
        (mu_check_symmetric(instance, err) != MU_OK || make_reference(instance, err) != MU_OK))
        return err->status;
    const struct forest *reference = instance->reference;
    struct forest forest = {0};
    uint32_t *parent = mu_malloc(graph->vertices, sizeof *parent, "components of the forest", err);
    if (parent != NULL && add_up(graph, joined_by, parent, &forest, err) == MU_OK &&
        (forest.edges != reference->edges || forest.weight != reference->weight))
        mu_fail(err, MU_WRONG, "a forest of %u edges and weight %llu; the minimum has %u edges and weight %llu",
                forest.edges, (unsigned long long)forest.weight, reference->edges,
                (unsigned long long)reference->weight);
    if (parent != NULL && err->status == MU_OK) check_names(graph->vertices, component, parent, err);
    mu_free(parent);
    return err->status;
}

size_t irgl_forest_bytes(const struct mu_instance *instance)
{
    (void)instance;
    return sizeof(struct forest);
}

size_t irgl_summarise_forest(const struct mu_instance *instance, struct mu_figure *figures)
{
    const struct forest *forest = instance->reference;
    figures[0] = (struct mu_figure){.name = "weight", .value = (double)forest->weight};
    figures[1] = (struct mu_figure){.name = "edges", .value = forest->edges};
    return 2;
}
