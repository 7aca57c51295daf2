/* When a test has enough processes: the rule above that of harness/run/stopping.h, which ends one process.
 *
 * Most of the variance of a time is between processes (Kalibera and Jones, ISMM 2013), so that no number of samples in
 * one process makes up for more of them. With most == least each test gets exactly so many processes. With most > least
 * they are added until the interval of the *test*, which is the one that tables show, is narrow enough; and then as
 * many again. For whoever stops as soon as an interval is narrow stops too often where the variance happens to look
 * small, and publishes intervals that hold the truth in less than 95 % of cases; what comes after the decision does not
 * depend on it and sets that right (tests/harness/engine/test_enough.c). */
#ifndef MU_HARNESS_ENGINE_ENOUGH_H
#define MU_HARNESS_ENGINE_ENOUGH_H

#include "base/error.h"
#include "statistics/statistics.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct mu_enough {
    uint32_t least, most; /* processes of each test */
    double width;         /* the relative half-width that the test's interval at 95 % may have */
    const char *samples;  /* the member of a record that holds the samples of a process */
};

/* With most > least, the least that makes intervals hold what they promise. */
#define MU_ENOUGH_LEAST 8

/* How many processes a test probably needs in all, of which those so far have given this level. *reached gets whether
 * the width is reached, so that the number is final. */
uint32_t mu_enough_needed(const struct mu_enough *rules, const struct mu_level *level, bool *reached);

/* What the processes of one test have come to. */
struct mu_tally {
    bool failed;                  /* one did not end well, and stands for the test */
    struct mu_samples *processes; /* the samples of those that ended well, where these decide how many are needed */
    size_t count;
    uint32_t needed; /* processes that the test probably needs in all */
    bool reached;    /* the width was reached: `needed` is final */
    uint32_t room;   /* processes that the plan's budget has room for; UINT32_MAX: any */
};

/* Takes the record of a process that ended well, and looks again how many the test needs. MU_NO_MEMORY. */
int mu_tally_add(struct mu_tally *tally, const struct mu_enough *rules, const json_t *record, struct mu_error *err);

void mu_tally_release(struct mu_tally *tally);

#endif
