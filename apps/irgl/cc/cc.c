/* cc: the host's part. Arcs count in both directions. */
#include "cc.state.h"

#include "apps/irgl/irgl.h"

#define APP_OPTIONS(X) IRGL_PUSHES(X) IRGL_NESTS(X)
#include "apps/host.h"
#include "cc.plan.h"

static int prepare(struct mu_instance *instance, struct mu_error *err)
{
    struct app_state *S = instance->state;
    return irgl_take_graph(instance, &(struct irgl_arrays){IRGL_ROWS(S)}, err);
}

static int check(struct mu_instance *instance, struct mu_error *err)
{
    const struct app_state *S = instance->state;
    return irgl_check_components(instance, S->component, err);
}

const struct mu_app mu_app_irgl_cc = {
    .suite = "irgl",
    .name = "cc",
    .purpose = "connected components by hooking and pointer jumping: the smallest vertex of each",
    .needs = MU_NEEDS_SUBGROUPS,
    .result = "component",
    .prepare = prepare,
    .check = check,
    IRGL_COMPONENTS,
    MU_APP_TABLES,
};
