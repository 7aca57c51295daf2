/* Budgets: a limit on the time that a plan may take.
 *
 * The steps of one group (struct mu_step) are done together or not at all, so that every comparison is complete. A
 * group begins only if it is expected to end within the budget. If it is not, its tests end there: no later step of
 * them runs. Durations of steps are learnt while the plan runs, so a long plan keeps to its budget better than a short
 * one. */
#ifndef MU_HARNESS_ENGINE_BUDGET_H
#define MU_HARNESS_ENGINE_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

struct mu_engine;
struct mu_step;

struct mu_budget {
    double seconds; /* 0: no limit */
    bool decided;   /* a group was decided already */
    uint32_t group; /* the group that was decided last */
};

/* Decides, at the first step of a group, whether the group still fits after `spent_s` seconds. If not, it ends the
 * group's tests, and mu_engine_leaves_out returns true for their later steps. */
void mu_budget_decide(struct mu_engine *engine, const struct mu_step *step, double spent_s);

/* Decides all groups of the plan in advance, as if each step took as long as expected. The decisions last until
 * mu_budget_reset. */
void mu_budget_forecast(struct mu_engine *engine);
/* Withdraws all decisions. */
void mu_budget_reset(struct mu_engine *engine);

#endif
