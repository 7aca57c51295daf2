/* sssp-topo: the host's part. Arcs are followed in their direction. */
#include "sssp-topo.state.h"

#include "apps/distances.h"
#include "apps/irgl/irgl.h"

#define APP_OPTIONS(X) X(source, uint, MU_ROW_SOURCE) IRGL_PUSHES(X) IRGL_NESTS(X)
#include "apps/host.h"
#include "sssp-topo.plan.h"

static int prepare(struct mu_instance *instance, struct mu_error *err)
{
    struct app_state *S = instance->state;
    S->source = S->option.source;
    return irgl_take_graph(instance, &(struct irgl_arrays){IRGL_ROWS(S), .weight = &S->weight}, err);
}

static int check(struct mu_instance *instance, struct mu_error *err)
{
    const struct app_state *S = instance->state;
    return mu_check_distances(instance, S->distance, S->overflow[0] != 0, err);
}

const struct mu_app mu_app_irgl_sssp_topo = {
    .suite = "irgl",
    .name = "sssp-topo",
    .purpose = "shortest paths that look at every vertex in each round",
    .needs = MU_NEEDS_WEIGHTS | MU_NEEDS_SUBGROUPS,
    .result = "distance",
    .shared = "apps/irgl/sssp.clh",
    .prepare = prepare,
    .check = check,
    IRGL_DISTANCES,
    MU_APP_TABLES,
};
