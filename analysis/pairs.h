/* The tests of two result sets, side by side, for a comparison and its table. */
#ifndef MU_ANALYSIS_PAIRS_H
#define MU_ANALYSIS_PAIRS_H

#include "analysis/compare.h"
#include "analysis/study.h"

#include <stdbool.h>
#include <stddef.h>

/* A test of either set or both. */
struct mu_pair {
    const struct mu_measurement *a, *b;
    bool counts; /* both have times */
    struct mu_ratio ratio;
    struct mu_rank_test ranks;
    double p;          /* the greater of the two, then corrected */
    double detectable; /* the smallest factor that would have been found; NAN: none */
};

struct mu_pairs {
    struct mu_pair *pair;
    size_t count;
    bool with_chip;
};

/* Returns true if A or B has a single process. That does not show how much processes of the test differ, since samples
 * of one process differ less. */
static inline bool mu_pair_has_one_process(const struct mu_pair *pair)
{
    return pair->a->level.processes < 2 || pair->b->level.processes < 2;
}

/* Returns true if B / A may be told from what differs between processes, and between sessions. */
bool mu_pair_is_judgeable(const struct mu_pair *pair, double session);

/* Fills in the grid, a row for each pair, and the result; adds each pair to the request's report. */
void mu_pairs_show(struct mu_grid *grid, const struct mu_pairs *pairs, const struct mu_comparison_request *request,
                   struct mu_comparison_result *result);

#endif
