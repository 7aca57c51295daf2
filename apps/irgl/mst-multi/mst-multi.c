/* mst-multi: the host's part. The graph is taken as simple and undirected: arcs count in both directions, loops do not
 * count, and of parallel and opposite arcs the lightest stays. */
#include "mst-multi.state.h"

#include "apps/irgl/irgl.h"

#define APP_OPTIONS(X) IRGL_PUSHES(X)
#include "apps/host.h"
#include "mst-multi.plan.h"

static int prepare(struct mu_instance *instance, struct mu_error *err)
{
    struct app_state *S = instance->state;
    return irgl_take_symmetric(
        instance, &(struct irgl_arrays){IRGL_ROWS(S), .weight = &S->weight, .tail = &S->tail, .twin = &S->twin}, err);
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
    IRGL_FOREST,
    .summary = irgl_summarise_forest,
    MU_APP_TABLES,
};
