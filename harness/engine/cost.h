/* What work costs in time, learnt from records, so that a plan can tell how long it will take.
 *
 * Work of one kind ("measure", "tune", "probe") is divided into wide groups (an app, an experiment), and those into
 * narrow ones (an app on an input, an experiment with its parameters). What is not known of the narrow group is taken
 * from the wide one, then from the kind. */
#ifndef MU_HARNESS_ENGINE_COST_H
#define MU_HARNESS_ENGINE_COST_H

#include "harness/engine/progress.h"
#include "records/store.h"

#include <limits.h>

struct mu_cost {
    char kind[64], wide[192], narrow[PATH_MAX + 192];
    const char *names[4]; /* the three above, as the progress has them, and NULL */
};

/* `wide` and `narrow` may be NULL. */
void mu_cost_of(const char *kind, const char *wide, const char *narrow, struct mu_cost *cost);

/* The members of a record that mu_cost_learn reads. */
#define MU_COST_MEMBERS                                                                                                \
    "kind", "app", "comparison", "wall_ns", "build_ns", "build_cached", "parameters", "part", "seconds"

/* Learns what a record's work took. Compiling is not counted, since the next process of its kind need not do it. */
void mu_cost_learn(struct mu_progress *progress, const json_t *record);

/* The same of all records in a store, which may be closed. MU_IO and MU_NO_MEMORY, as mu_store_each. */
int mu_cost_learn_all(struct mu_progress *progress, const struct mu_store *store, struct mu_error *err);

/* What such work will probably take; `otherwise` where nothing of its kind is known. */
double mu_cost_expect(const struct mu_progress *progress, const struct mu_cost *cost, double otherwise);

/* Returns true if work of its narrowest group was done before. */
bool mu_cost_is_known(const struct mu_progress *progress, const struct mu_cost *cost);

#endif
