/* Refusing a test that its chip cannot do, or none can. */
#ifndef MU_HARNESS_RUN_REFUSALS_H
#define MU_HARNESS_RUN_REFUSALS_H

#include "harness/run/resolve.h"

/* Returns whether the size of the team is to be found out by each launch, without any knowledge of the chip. */
static inline bool mu_is_blind(const struct mu_test *test)
{
    return MU_HAS_ROLL_CALL(test->variant) && test->condition != MU_WARM;
}

/* Refuses a test that is resolved but for that. *untested as for mu_resolve_by. MU_USAGE, MU_UNSUPPORTED. */
int mu_refuse(const struct mu_test *test, const struct mu_facts *facts, bool *untested, struct mu_error *err);

#endif
