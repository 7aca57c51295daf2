/* Judges strategies on a chip, a program or an input that they were not made from (thesis, section 7.2.1). */
#ifndef MU_ANALYSIS_OPTIMISATIONS_LEFT_OUT_H
#define MU_ANALYSIS_OPTIMISATIONS_LEFT_OUT_H

#include "analysis/optimisations/strategies.h"
#include "base/grid.h"

/* The configuration that each strategy gives to each test when it is made without all tests of that test's chip, app or
 * input; MU_CONFIGURATIONS: none. */
struct mu_left_out {
    unsigned *chosen[MU_STRATEGIES]; /* NULL for a strategy whose partitions depend on what is left out */
};

/* Makes the strategies without the tests of each test's chip, app or input: `unknown` is MU_BY_CHIP, MU_BY_APP or
 * MU_BY_INPUT. Release it after a failure, too. Fails with MU_NO_MEMORY. */
int mu_left_out_choose(const struct mu_optimised_tests *tests, unsigned unknown, struct mu_left_out *left_out,
                       struct mu_error *err);
void mu_left_out_release(struct mu_left_out *left_out);

/* Adds a grid: each strategy on chips, apps and inputs that were left out, beside baseline, global and oracle, judged
 * by the tests of one chip (NULL: by all). It says which strategies are no better than the same configuration for all.
 */
int mu_left_out_add(const struct mu_optimised_tests *tests, const char *chip, struct mu_grids *grids);

#endif
