/* A chip's results in one line: what the global barrier gains, and what portability costs. */
#ifndef MU_ANALYSIS_HEADLINE_H
#define MU_ANALYSIS_HEADLINE_H

#include "analysis/study.h"

struct mu_headline {
    const char *chip, *set;
    size_t tests, failed;               /* number of measurements; those without a time that counts */
    size_t speedups, slowdowns;         /* number of ratios in each mean; 0: no mean */
    struct mu_ratio speedup;            /* multi-kernel / portable: geometric mean over apps and inputs */
    struct mu_ratio slowdown;           /* portable / specialised */
    bool dirty, sessionless;            /* some records are of uncommitted sources; some do not tell their session */
    const char *first_date, *last_date; /* of the newest record of each measurement, as records have it */
};

/* Makes the headline of the chip and set whose measurements begin at `start`; mu_study_choose has seen the study.
 * Returns where the next ones begin. Fails with MU_NO_MEMORY. */
size_t mu_headline_make(const struct mu_study *study, size_t start, struct mu_headline *headline, struct mu_error *err);

/* Writes a line such as "h200: speedup 2.30 [2.26, 2.34] in one session over 17 tests, slowdown 1.00 [0.99, 1.00] over
 * 17; 51 of 51 measurements ended well" (an example). Returns `text`. */
const char *mu_headline_text(const struct mu_headline *headline, char *text, size_t bytes);

#endif
