/* mis-pannotia: the host's part. Arcs count in both directions, and loops and
 * parallel arcs do not count. */
#include "mis-pannotia.state.h"

#include "apps/irgl/irgl.h"

#define APP_OPTIONS(X) IRGL_PUSHES(X)
#include "apps/host.h"
#include "mis-pannotia.plan.h"

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

const struct mu_app mu_app_irgl_mis_pannotia = {
    .suite = "irgl",
    .name = "mis-pannotia",
    .purpose = "maximal independent set that looks at every vertex in each round",
    .needs = MU_NEEDS_SUBGROUPS,
    .result = "status",
    .prepare = prepare,
    .check = check,
    MU_APP_TABLES,
};
