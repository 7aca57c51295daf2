/* A chip's results in one line: what the global barrier gains, what portability costs. */
#ifndef MU_ANALYSIS_HEADLINE_H
#define MU_ANALYSIS_HEADLINE_H

#include "analysis/study.h"

struct mu_headline {
    const char *chip, *set;
    size_t tests, failed;               /* measurements; those that have no time that counts */
    size_t speedups, slowdowns;         /* that the means are over; 0: there is no mean */
    struct mu_ratio speedup;            /* multi-kernel / portable: geometric mean over apps and inputs */
    struct mu_ratio slowdown;           /* portable / specialised */
    bool dirty, sessionless;            /* some are of sources that were not committed, or do not tell their session */
    const char *first_date, *last_date; /* of the newest records of measurements, as records have them */
};

/* Of the chip and set whose measurements begin at `start` of a study that mu_study_choose has seen; returns where the
 * next ones begin. Fails with MU_NO_MEMORY. */
size_t mu_headline_make(const struct mu_study *study, size_t start, struct mu_headline *headline, struct mu_error *err);

/* "h200: speedup 2.30 [2.26, 2.34] in one session over 17 tests, slowdown 1.00 [0.99, 1.00] over 17; 51 of 51
 * measurements ended well". Returns `text`. */
const char *mu_headline_text(const struct mu_headline *headline, char *text, size_t bytes);

#endif
