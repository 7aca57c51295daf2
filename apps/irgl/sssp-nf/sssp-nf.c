/* sssp-nf: the host's part. Arcs are followed in their direction. */
#include "sssp-nf.state.h"

#include "apps/distances.h"
#include "apps/irgl/irgl.h"

#define APP_OPTIONS(X) X(source, uint, MU_ROW_SOURCE) IRGL_WIDTH(X) IRGL_PUSHES(X) IRGL_NESTS(X)
#include "apps/host.h"
#include "sssp-nf.plan.h"

static int prepare(struct mu_instance *instance, struct mu_error *err)
{
    struct app_state *S = instance->state;
    S->option.width = irgl_width(instance->graph, S->option.width);
    S->delta = S->option.width;
    S->source = S->option.source;
    return irgl_take_graph(instance, &(struct irgl_arrays){IRGL_ROWS(S), .weight = &S->weight}, err);
}

static int check(struct mu_instance *instance, struct mu_error *err)
{
    const struct app_state *S = instance->state;
    return mu_check_distances(instance, S->distance, S->overflow[0] != 0, err);
}

const struct mu_app mu_app_irgl_sssp_nf = {
    .suite = "irgl",
    .name = "sssp-nf",
    .purpose = "shortest paths, near and far: phases with a worklist",
    .needs = MU_NEEDS_WEIGHTS | MU_NEEDS_SUBGROUPS,
    .result = "distance",
    .shared = "apps/irgl/sssp.clh",
    .prepare = prepare,
    .check = check,
    IRGL_DISTANCES,
    MU_APP_TABLES,
};
