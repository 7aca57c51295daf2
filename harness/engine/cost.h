/* How long work takes, learnt from records, for estimates of the time to go.
 *
 * Work of one kind ("measure", "tune", "probe") is divided into wide groups (an app, an experiment), and these into
 * narrow ones (an app on an input, an experiment with its parameters). An estimate comes from the narrow group if
 * anything of it was seen, else from the wide one, else from the kind. */
#ifndef MU_HARNESS_ENGINE_COST_H
#define MU_HARNESS_ENGINE_COST_H

#include "harness/engine/progress.h"
#include "records/store.h"

#include <limits.h>

struct mu_cost {
    char kind[64], wide[192], narrow[PATH_MAX + 192];
    const char *names[4]; /* the three texts above, from the widest on, ended by NULL */
};

/* Fills in the names of a kind and its groups. `wide` and `narrow` may be NULL. */
void mu_cost_of(const char *kind, const char *wide, const char *narrow, struct mu_cost *cost);

/* Members of a record that mu_cost_learn reads. */
#define MU_COST_MEMBERS                                                                                                \
    "kind", "app", "comparison", "wall_ns", "build_ns", "build_cached", "parameters", "part", "seconds"

/* Learns how long the work of a record took. Time to compile is subtracted, since the next process of the kind finds
 * the program cached. */
void mu_cost_learn(struct mu_progress *progress, const json_t *record);

/* Learns from all records of a store, which may be closed. Fails with MU_IO or MU_NO_MEMORY, as mu_store_each does. */
int mu_cost_learn_all(struct mu_progress *progress, const struct mu_store *store, struct mu_error *err);

/* Returns the expected duration of such work in seconds, or `otherwise` if nothing of its kind was seen. */
double mu_cost_expect(const struct mu_progress *progress, const struct mu_cost *cost, double otherwise);

/* Returns true if work of the narrow group was seen before. */
bool mu_cost_is_known(const struct mu_progress *progress, const struct mu_cost *cost);

#endif
