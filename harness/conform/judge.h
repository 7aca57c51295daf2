/* Judging a statement by measurements. */
#ifndef MU_HARNESS_CONFORM_JUDGE_H
#define MU_HARNESS_CONFORM_JUDGE_H

#include "harness/conform/conform.h"

/* Which measurements are evidence for a statement. */
struct mu_conform_subject {
    const char *experiment;
    const char *axis; /* parameter of the point that must equal `what`; NULL: the measurement's "test" is compared */
    const char *path; /* atomics path; NULL: any */
    const char *what; /* kind or test; NULL: the experiment has only this statement */
    const char *placement; /* placement of a program's threads; NULL: no program */
    int idiom, order;      /* of a forward-progress test; else -1 and 0 */
};

/* Judges a statement that has no verdict yet by all measurements about it, which must outlive it. */
void mu_conform_judge_one(struct mu_conform_statement *statement, const struct mu_conform_subject *of,
                          const json_t *measurements);

#endif
