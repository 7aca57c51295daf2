/* Compares two result sets, test by test. */
#ifndef MU_ANALYSIS_COMPARE_H
#define MU_ANALYSIS_COMPARE_H

#include "base/error.h"
#include "base/grid.h"

#include <stddef.h>

/* What a comparison found. Tests are those of either set. */
struct mu_comparison_result {
    size_t faster, slower, same;        /* B against A */
    size_t broken, fixed, incomparable; /* B fails where A ends well; the other way round; neither has both times */
};

struct mu_comparison_request {
    const char *root;  /* of all results */
    const char *a, *b; /* sets, as records/sets.h names them */
    double threshold;  /* a difference of less than this part (0.05) is none, however sure */
};

/* Adds a grid with a row for each test: the times, B / A with its interval at 95 %, the effect and the p of Mann and
 * Whitney's test of all samples, and a verdict. A test is the same app, input, options and variant, and the same chip
 * where a set has several; labels and drivers may differ. Of a set, what mu_study_choose leaves is compared.
 *
 * B is slower or faster only where both its interval excludes 1 and, after Holm's correction over all tests, p < 0.05
 * for the greater of two p: of the interval's own test, which judges by processes, and of Mann and Whitney's, which
 * judges by samples and makes no assumption on their distribution, but takes no notice that those of a process belong
 * together. So two sets of equals differ in any test at all with a chance of at most 5 %. Returns the status of
 * grids->err. */
int mu_compare_sets(const struct mu_comparison_request *request, struct mu_grids *grids,
                    struct mu_comparison_result *result);

#endif
