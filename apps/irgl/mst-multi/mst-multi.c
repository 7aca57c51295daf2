/* mst-multi: the host's part. The graph is taken as simple and undirected: arcs count in both directions, loops do not
 * count, and of parallel and opposite arcs the lightest stays. */
#include "mst-multi.state.h"

#include "apps/irgl/irgl.h"

#define APP_OPTIONS(X) IRGL_PUSHES(X)
#include "apps/host.h"
#include "mst-multi.plan.h"

#include "base/memory.h"

static int prepare(struct mu_instance *instance, struct mu_error *err)
{
    struct app_state *S = instance->state;
    if (mu_derive_symmetric(instance, err) != MU_OK) return err->status;
    const struct mu_graph *graph = instance->derived;
    if (graph->edges >= UINT32_MAX) return mu_fail(err, MU_LIMIT, "%s: more arcs than 32 bits can number", graph->name);
    S->weight = mu_copy_words(graph->weight, graph->edges, "weights", err);
    S->tail = mu_malloc(graph->edges, sizeof *S->tail, "tails of arcs", err);
    S->twin = mu_malloc(graph->edges, sizeof *S->twin, "twins of arcs", err);
    if (err->status != MU_OK || irgl_pair_arcs(graph, S->tail, S->twin, err) != MU_OK) return err->status;
    return irgl_take_graph(instance, graph, &S->vertices, &S->row_start, &S->column, err);
}

static int check(struct mu_instance *instance, struct mu_error *err)
{
    const struct app_state *S = instance->state;
    return irgl_check_forest(instance, S->joined_by, S->component, err);
}

const struct mu_app mu_app_irgl_mst_multi = {
    .suite = "irgl",
    .name = "mst-multi",
    .purpose = "minimum spanning forest by Boruvka's rounds, with worklists of vertices and of roots",
    .needs = MU_NEEDS_WEIGHTS | MU_NEEDS_SUBGROUPS,
    .result = "component",
    .prepare = prepare,
    .check = check,
    .summary = irgl_summarise_forest,
    MU_APP_TABLES,
};
