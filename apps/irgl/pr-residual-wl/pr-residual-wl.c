/* pr-residual-wl: the host's part. Arcs are followed in their direction. */
#include "pr-residual-wl.state.h"

#include "apps/irgl/irgl.h"
#include "apps/irgl/pr.clh"

#define APP_OPTIONS(X) IRGL_PUSHES(X) IRGL_NESTS(X)
#include "apps/host.h"
#include "pr-residual-wl.plan.h"

static int prepare(struct mu_instance *instance, struct mu_error *err)
{
    struct app_state *S = instance->state;
    return irgl_take_graph(instance, &(struct irgl_arrays){IRGL_ROWS(S)}, err);
}

static int check(struct mu_instance *instance, struct mu_error *err)
{
    const struct app_state *S = instance->state;
    return irgl_check_ranks(instance, S->rank, err);
}

const struct mu_app mu_app_irgl_pr_residual_wl = {
    .suite = "irgl",
    .name = "pr-residual-wl",
    .purpose = "ranks by residuals with a worklist",
    .needs = MU_NEEDS_SUBGROUPS,
    .result = "rank",
    .shared = "apps/irgl/pr.clh",
    .prepare = prepare,
    .check = check,
    IRGL_RANKS,
    MU_APP_TABLES,
};
