/* Strategies: which configuration each test gets (thesis, section 4.4.2).
 *
 * A strategy divides the tests into partitions, and gives all tests of a partition the same configuration. The less a
 * partition is narrowed down to, the more portable the strategy: `global` has one partition, `chip` one for each chip,
 * `chip and app` one for each pair. `baseline` enables nothing; the `oracle` takes each test's fastest configuration.
 */
#ifndef MU_ANALYSIS_OPTIMISATIONS_STRATEGIES_H
#define MU_ANALYSIS_OPTIMISATIONS_STRATEGIES_H

#include "analysis/optimisations/tests.h"

/* What all tests of a partition share, ORed. */
enum { MU_BY_CHIP = 1, MU_BY_APP = 2, MU_BY_INPUT = 4 };

/* The result of algorithm 4.1 for one optimisation in one partition. */
struct mu_verdict {
    size_t count; /* list A: pairs of configurations with and without the optimisation whose times differ confidently */
    double median; /* of A: time with it divided by time without it; NAN: A is empty */
    double faster; /* share of A in which it is faster: the thesis's common language effect size; NAN: A is empty */
    double p;      /* of Mann and Whitney's test of A against as many ones; 1: A is empty */
    bool enabled;
    double part; /* share of resamples of whole tests in which it would be enabled. Algorithm 4.1 takes pairs of one
                    test as independent, which they are not. NAN: A is empty, or not computed */
};

struct mu_partition {
    const char *chip, *app, *input; /* NULL: any. Borrowed from the tests */
    size_t tests;
    struct mu_verdict verdicts[MU_OPTIMISATIONS];
    unsigned configuration;
};

struct mu_strategy {
    const char *name;  /* "global", "chip", "chip and app", … */
    unsigned narrowed; /* by MU_BY_… */
    struct mu_partition *partitions;
    size_t count;
};

enum mu_strategy_index {
    MU_STRATEGY_BASELINE,
    MU_STRATEGY_GLOBAL,
    MU_STRATEGY_CHIP,
    MU_STRATEGY_APP,
    MU_STRATEGY_INPUT,
    MU_STRATEGY_CHIP_APP,
    MU_STRATEGY_CHIP_INPUT,
    MU_STRATEGY_APP_INPUT,
    MU_STRATEGY_ORACLE,
    MU_STRATEGIES
};

struct mu_strategies {
    struct mu_strategy of[MU_STRATEGIES]; /* baseline and oracle have no partitions */
};

/* Applies algorithm 4.1 to one optimisation, on the tests that `partition` names. Does not resample. */
int mu_judge_optimisation(const struct mu_optimised_tests *tests, const struct mu_partition *partition,
                          unsigned optimisation, struct mu_verdict *verdict, struct mu_error *err);

/* Applies algorithm 4.1 to all optimisations. An optimisation is enabled if Mann and Whitney's test gives p < 0.05 and
 * the median of A is below 1. If that holds for both values of fg, a case that the thesis leaves open, the one with the
 * smaller median is enabled. Does not resample. Fails with MU_NO_MEMORY. */
int mu_decide_partition(const struct mu_optimised_tests *tests, struct mu_partition *partition, struct mu_error *err);

/* Makes all strategies, with resampling. Fails with MU_NO_MEMORY. Release them after a failure, too. */
int mu_strategies_make(const struct mu_optimised_tests *tests, struct mu_strategies *strategies, struct mu_error *err);
void mu_strategies_release(struct mu_strategies *strategies);

/* Gets the configuration that a strategy gives to a test. Returns false if the oracle finds no time. */
bool mu_strategy_choose(const struct mu_strategies *strategies, enum mu_strategy_index strategy,
                        const struct mu_optimised_test *test, unsigned *configuration);

/* Makes the strategies whose partitions do not depend on what `unknown` names (MU_BY_…), and which so can serve a test
 * that is new in it. The others get no partitions. Does not resample. */
int mu_strategies_make_without(const struct mu_optimised_tests *tests, unsigned unknown,
                               struct mu_strategies *strategies, struct mu_error *err);

/* Returns true if the strategy can serve such a test. */
bool mu_strategy_serves(enum mu_strategy_index strategy, unsigned unknown);

/* ---- How good a strategy is ---- */

/* How a strategy does. Tests that no configuration speeds up are left out of the first three numbers. */
struct mu_score {
    size_t faster, same, slower; /* tests compared with the baseline, confidently, by the judging half */
    size_t failed;               /* tests without a time in the strategy's configuration, or in the baseline's */
    struct mu_ratio over_oracle; /* the geometric mean over all tests of time / oracle's time, by the judging half */
    size_t tests;                /* number of tests in the mean; 0: no mean */
    double over_thesis_oracle;   /* the same over the thesis's oracle, which is chosen and judged by all samples */
};
int mu_strategy_score(const struct mu_optimised_tests *tests, const struct mu_strategies *strategies,
                      enum mu_strategy_index strategy, struct mu_score *score, struct mu_error *err);

/* Rates configurations that were chosen for each test in any other way; MU_CONFIGURATIONS: none for a test. */
int mu_chosen_score(const struct mu_optimised_tests *tests, const unsigned *chosen, struct mu_score *score,
                    struct mu_error *err);

#endif
