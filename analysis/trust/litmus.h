/* What litmus tests saw, test by test. A test is one shape, barrier or lock through one atomics path in one form, over
 * all places in which it was run. */
#ifndef MU_ANALYSIS_TRUST_LITMUS_H
#define MU_ANALYSIS_TRUST_LITMUS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

struct mu_litmus_total {
    double instances, weak;
    double most;       /* of the weak outcome, per million, in one place */
    const char *where; /* that place; "" where none had the outcome */
};

/* Over all measurements of the test that `of` is of. */
struct mu_litmus_total mu_litmus_total_of(const json_t *measurements, const json_t *of);

/* Whether measurement i is of a litmus test, and the first of that test. */
bool mu_litmus_is_first(const json_t *measurements, size_t i);

/* NAN without instances. */
double mu_litmus_per_million(const struct mu_litmus_total *total);

#endif
