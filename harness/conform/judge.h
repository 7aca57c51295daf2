/* What measurements say of a statement. */
#ifndef MU_HARNESS_CONFORM_JUDGE_H
#define MU_HARNESS_CONFORM_JUDGE_H

#include "harness/conform/conform.h"

/* How measurements of an experiment bear on a statement of theirs. */
struct mu_conform_subject {
    const char *experiment;
    const char *axis; /* the point's parameter that names what the statement is about; NULL: the measurement's test */
    const char *path; /* NULL: any */
    const char *what; /* the name; NULL: the only statement of the experiment */
    const char *placement; /* of a program; else NULL */
    int idiom, order;      /* of progress */
};

/* Judges a statement that has no verdict yet by all measurements that bear on it, which must outlive it. */
void mu_conform_judge_one(struct mu_conform_statement *statement, const struct mu_conform_subject *of,
                          const json_t *measurements);

#endif
