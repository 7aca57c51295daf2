/* The tests of the optimisation study (thesis, chapter 4): the time of each test in each configuration.
 *
 * A test is a program of the suite irgl on an input on a chip. Its optimisations are those that its records have in
 * some configuration that ended well: what a program does not offer, or a chip cannot do, is not available to the test.
 * A configuration with optimisations that a test lacks stands for the one without them, as in the thesis
 * (section 4.5.3).
 */
#ifndef MU_ANALYSIS_OPTIMISATIONS_TESTS_H
#define MU_ANALYSIS_OPTIMISATIONS_TESTS_H

#include "analysis/study.h"
#include "records/optimisations/configurations.h"

#include <stdbool.h>
#include <stddef.h>

/* The study has few processes for each of many configurations. Two processes alone have one degree of freedom, which
 * finds nothing, and one process does not show what processes differ by. So that, a variance on the scale of
 * logarithms, is pooled over the configurations of a test that are of one variant: they run on the same input, and
 * share what makes processes differ. Levels of several sessions stay as they are. */

/* Which samples a figure comes from. The best of 96 configurations is partly so by luck. So one half of the samples
 * chooses it, and the other half gives its time. A configuration with several processes is halved by processes, since a
 * fast process is fast in all its samples; otherwise by every other sample. */
enum mu_half { MU_ALL_SAMPLES, MU_CHOOSING, MU_JUDGING, MU_HALVES };

/* A test in one configuration. */
struct mu_configured {
    bool counts; /* it ended well in all its processes, with a sample in each half; false: the rest is zero */
    struct mu_level levels[MU_HALVES];
    const struct mu_measurement *measurement;
};

struct mu_optimised_test {
    const char *chip, *app, *input;   /* borrowed from the study */
    char *shown;                      /* the input for people, without the optimisations */
    char *key;                        /* key of the test among those of its chip */
    unsigned available;               /* its optimisations */
    bool can_be_faster;               /* a configuration is confidently faster than the baseline, by all samples */
    size_t failed;                    /* measurements that did not end well */
    struct mu_configured *configured; /* [MU_CONFIGURATIONS] */
    double *effects;                  /* [MU_OPTIMISATIONS][MU_CONFIGURATIONS], see mu_effect_of */
};

/* Sorted by chip, app, input. */
struct mu_optimised_tests {
    struct mu_optimised_test *tests;
    size_t count;
};

/* Collects the study's tests. Of several measurements of one configuration of a test, the newest counts. The tests
 * borrow from `study`. Fails with MU_NO_MEMORY. Release them after a failure, too. */
int mu_optimised_tests_make(const struct mu_study *study, struct mu_optimised_tests *tests, struct mu_error *err);
void mu_optimised_tests_release(struct mu_optimised_tests *tests);

/* Returns the configuration that stands for this one in a test. */
unsigned mu_available(const struct mu_optimised_test *test, unsigned configuration);

/* Returns the test in that configuration; NULL if it was not measured or failed. */
const struct mu_configured *mu_configured_of(const struct mu_optimised_test *test, unsigned configuration);

/* Computes the time in one configuration divided by that in another. Returns false if one of them has no time. The
 * ratio of a configuration to itself is exactly 1. */
bool mu_configured_ratio(const struct mu_optimised_test *test, unsigned numerator, unsigned denominator,
                         enum mu_half half, struct mu_ratio *ratio);

/* Returns the time with the optimisation divided by the time without it, all else as in `configuration`, which has it.
 * NAN if the two do not differ confidently, by all samples. */
double mu_effect_of(const struct mu_optimised_test *test, unsigned optimisation, unsigned configuration);

/* Finds the fastest configuration with only `allowed` optimisations, by the choosing half: the oracle's. Returns false
 * if none has a time. */
bool mu_best_of(const struct mu_optimised_test *test, unsigned allowed, unsigned *configuration);

/* Finds the fastest configuration by all samples: the thesis's oracle, whose time is partly luck. */
bool mu_fastest_of(const struct mu_optimised_test *test, unsigned *configuration);

#endif
