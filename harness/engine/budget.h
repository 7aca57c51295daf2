/* Budgets: a plan that may take only so long.
 *
 * Steps of one group (struct mu_step) are done together or not at all, so that what is compared stays complete. A group
 * begins only where it is expected to end in time. Where it does not, its tests end there: no later step of them runs.
 * What a step takes is learnt while the plan runs, so a budget is kept better the longer it is. */
#ifndef MU_HARNESS_ENGINE_BUDGET_H
#define MU_HARNESS_ENGINE_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

struct mu_engine;
struct mu_step;

struct mu_budget {
    double seconds; /* 0: no limit */
    bool decided;   /* whether any group was */
    uint32_t group; /* the one that was decided last */
};

/* Decides, at the first step of a group, whether the group fits when so many seconds are spent. Ends its tests where it
 * does not, after which mu_engine_leaves_out says so. */
void mu_budget_decide(struct mu_engine *engine, const struct mu_step *step, double spent_s);

/* Goes through the whole plan as if each step took what is expected of it. The tests are marked as above until
 * mu_budget_reset. */
void mu_budget_forecast(struct mu_engine *engine);
void mu_budget_reset(struct mu_engine *engine);

#endif
