/* What litmus tests saw, test by test. A test is one shape, barrier or lock through one atomics path in one form, over
 * all places in which it was run. */
#ifndef MU_ANALYSIS_TRUST_LITMUS_H
#define MU_ANALYSIS_TRUST_LITMUS_H

#include "base/json.h"

#include <stddef.h>

struct mu_litmus_total {
    double instances, weak;
    double most;       /* of the weak outcome, per million, in one place */
    const char *where; /* that place; "" where none had the outcome */
};

struct mu_litmus_test {
    const json_t *first; /* its first measurement, borrowed */
    struct mu_litmus_total total;
};

/* The tests of a chip, in the order of their first measurements. Fill with zeros; release after a failure, too. */
struct mu_litmus_tests {
    struct mu_litmus_test *tests;
    size_t count;
    struct mu_json places; /* of each test among them */
};

/* Gathers the tests that the measurements are of. The measurements must outlive them. */
int mu_litmus_gather(const json_t *measurements, struct mu_litmus_tests *tests, struct mu_error *err);
void mu_litmus_release(struct mu_litmus_tests *tests);

/* Returns the same test in another form; NULL if there is none. */
const struct mu_litmus_test *mu_litmus_find_form(struct mu_litmus_tests *tests, const struct mu_litmus_test *test,
                                                 const char *form);

/* Returns the rate per million; NAN without instances. */
double mu_litmus_per_million(const struct mu_litmus_total *total);

#endif
