/* The search for an occupancy bound: the largest N for which a barrier among N workgroups completes and among N + 1
 * does not (OOPSLA 2016, section 5.1).
 *
 * Doubling finds an N that fails, bisection the place between. Every verdict is given by several tries, until most of
 * all that there may be say the same, and verdicts whose tries disagree are counted. A try that fails must end by
 * itself, as a bounded spin does. */
#ifndef MU_HARNESS_PROBE_BOUND_SEARCH_H
#define MU_HARNESS_PROBE_BOUND_SEARCH_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

#define MU_BOUND_MAX_VERDICTS 64

struct mu_bound_verdict {
    uint32_t groups;
    uint32_t completed, tries; /* tries that completed, of so many */
};

struct mu_bound_search {
    /* One try with so many groups. A device that fails is an error; a barrier that does not complete is a result. */
    int (*attempt)(void *context, uint32_t groups, bool *completed, struct mu_error *err);
    void *context;
    uint32_t limit;   /* the largest number of groups to try */
    uint32_t repeats; /* the most tries for each verdict, odd */
};

struct mu_bound {
    uint32_t bound;         /* 0 when not even one group completes */
    bool open;              /* even `limit` groups complete: the bound is at least that */
    uint32_t disagreements; /* verdicts whose tries did not all agree */
    uint32_t verdict_count;
    struct mu_bound_verdict verdicts[MU_BOUND_MAX_VERDICTS]; /* in order */
};

/* Finds the bound. Errors are the attempt's. */
int mu_bound_find(const struct mu_bound_search *search, struct mu_bound *bound, struct mu_error *err);

#endif
