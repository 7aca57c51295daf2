/* Decides when a test has enough processes. (harness/run/stopping.h decides when one process has enough samples.)
 *
 * Most of the variance of a time is between processes (Kalibera and Jones, ISMM 2013), so more samples in one process
 * do not replace further processes. With most == least, each test gets exactly that many processes. With most > least,
 * processes are added until the *test's* interval, which tables show, is narrow enough; then the number is doubled.
 *
 * The doubling corrects a bias. A rule that stops as soon as an interval is narrow tends to stop when the variance
 * happens to look small, so its intervals hold the truth in less than 95 % of cases. Processes that run after the
 * decision do not depend on it (tests/harness/engine/test_enough.c). */
#ifndef MU_HARNESS_ENGINE_ENOUGH_H
#define MU_HARNESS_ENGINE_ENOUGH_H

#include "base/error.h"
#include "statistics/statistics.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct mu_enough {
    uint32_t least, most; /* processes of each test */
    double width;         /* relative half-width that the test's interval at 95 % is to have */
    const char *samples;  /* the member of a record that holds the samples of a process */
};

/* The smallest `least` for which, with most > least, intervals at 95 % hold the truth in about 95 % of cases. */
#define MU_ENOUGH_LEAST 8

/* Returns how many processes a test is expected to need in all, given the level of those so far. *reached gets whether
 * its interval is narrow enough, so that the number is final. */
uint32_t mu_enough_needed(const struct mu_enough *rules, const struct mu_level *level, bool *reached);

/* What is known of one test from its processes so far. */
struct mu_tally {
    bool failed; /* a process failed, which is the test's outcome */
    struct mu_samples
        *processes; /* owned: samples of the processes that ended well; empty where the number of processes is fixed */
    size_t count;
    uint32_t needed; /* processes that the test is expected to need in all */
    bool reached;    /* the width was reached: `needed` is final */
    uint32_t room;   /* processes that the plan's budget allows; UINT32_MAX: no limit */
};

/* Adds the samples in the record of a process that ended well, and decides again how many processes the test needs.
 * Fails with MU_NO_MEMORY. */
int mu_tally_add(struct mu_tally *tally, const struct mu_enough *rules, const json_t *record, struct mu_error *err);

void mu_tally_release(struct mu_tally *tally);

#endif
