/* mis-wl: the host's part. Arcs count in both directions, and loops and
 * parallel arcs do not count. */
#include "mis-wl.state.h"

#include "apps/irgl/irgl.h"

#define APP_OPTIONS(X) IRGL_PUSHES(X)
#include "apps/host.h"
#include "mis-wl.plan.h"

static int prepare(struct mu_instance *instance, struct mu_error *err)
{
    struct app_state *S = instance->state;
    return irgl_take_symmetric(instance, &(struct irgl_arrays){IRGL_ROWS(S)}, err);
}

static int check(struct mu_instance *instance, struct mu_error *err)
{
    const struct app_state *S = instance->state;
    return irgl_check_independent(instance, S->status, MIS_IN, MIS_OUT, err);
}

const struct mu_app mu_app_irgl_mis_wl = {
    .suite = "irgl",
    .name = "mis-wl",
    .purpose = "maximal independent set with a worklist of the undecided",
    .needs = MU_NEEDS_SUBGROUPS,
    .result = "status",
    .prepare = prepare,
    .check = check,
    MU_APP_TABLES,
};
