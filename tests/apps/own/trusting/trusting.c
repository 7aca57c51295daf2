/* trusting: the host's part. Its check is the mistake that muster check-app has to find. */
#include "trusting.state.h"

#include "apps/host.h"
#include "trusting.plan.h"

static int prepare(struct mu_instance *instance, struct mu_error *err)
{
    struct app_state *S = instance->state;
    S->vertices = instance->graph->vertices;
    return err->status;
}

static int check(struct mu_instance *instance, struct mu_error *err)
{
    (void)instance;
    return err->status;
}

const struct mu_app mu_app_own_trusting = {
    .suite = "own",
    .name = "trusting",
    .purpose = "a result that nothing is asked of",
    .result = "number",
    .prepare = prepare,
    .check = check,
    MU_APP_TABLES,
};
