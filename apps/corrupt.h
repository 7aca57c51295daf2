/* Wrong answers, made of right ones: what a checker has to refuse. */
#ifndef MU_APPS_CORRUPT_H
#define MU_APPS_CORRUPT_H

#include "apps/app.h"

/* What is done to the values of a result. */
struct mu_corruption_values;
struct mu_corruption {
    const char *name;
    void (*corrupt)(struct mu_corruption_values *values);
    bool of_sets; /* also wrong of a result that is a set of values, whatever their places */
};
/* Ends in a row without a name. */
#define MU_CORRUPTIONS 10
extern const struct mu_corruption mu_corruptions[MU_CORRUPTIONS + 1];

/* The row of what a run that writes nothing leaves. */
#define MU_NEVER_WRITTEN 6

/* Has the app's check judge one of its results, of at least one word, after a corruption. *changed says whether that
 * changed anything; then *verdict gets what the check says. The result is as before afterwards. MU_NO_MEMORY. */
int mu_corrupt(struct mu_instance *instance, size_t buffer, const struct mu_corruption *how, bool *changed,
               struct mu_error *verdict, struct mu_error *err);

#endif
