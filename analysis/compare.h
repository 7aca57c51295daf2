/* Compares two result sets, test by test. */
#ifndef MU_ANALYSIS_COMPARE_H
#define MU_ANALYSIS_COMPARE_H

#include "base/error.h"
#include "base/grid.h"
#include "base/user/junit.h"

#include <stddef.h>

/* What a comparison found. Tests are those of either set. */
struct mu_comparison_result {
    size_t faster, slower;          /* B against A: different */
    size_t equivalent, not_shown;   /* within the margin; neither this nor different could be shown */
    double finds_least, finds_most; /* the smallest change that is found in four of five cases, in the test where that
                                       is least and in that where it is most, as parts; 0: no test tells */
    size_t broken, fixed, incomparable; /* B fails where A ends well; the other way round; neither has both times */
};

struct mu_comparison_request {
    const char *root;       /* of all results */
    const char *a, *b;      /* sets, as records/sets.h names them */
    double margin;          /* B is equivalent where it is surely within this part (0.05) of A */
    double session;         /* what sessions differ by: a standard deviation, as a part; 0: unknown */
    struct mu_junit *junit; /* gets a test for each row; NULL: none */
};

/* Adds a grid with a row for each test: the times, B / A with its interval at 95 %, the effect and the p of Mann and
 * Whitney's test of all samples, the difference that would have been found, and a verdict. A test is the same app,
 * input, options and variant, and the same chip where a set has several; labels and drivers may differ. Of a set, what
 * mu_study_choose leaves is compared.
 *
 * B is equivalent where its interval lies within the margin, and else slower or faster only where both its interval
 * excludes 1 and, after Benjamini and Hochberg's correction over all tests, p < 0.05 for the greater of two p: of the
 * interval's own test, which judges by sessions or processes, and of Mann and Whitney's, which judges by samples and
 * makes no assumption on their distribution, but takes no notice that those of a process belong together. So two sets
 * of equals differ in any test at all with a chance of at most 5 %. All else is not shown, which does not mean that it
 * is equal. That includes tests with a single process in A or B, whatever their samples say, and these have no part in
 * the correction and in the mean: what processes differ by is not known of them.
 *
 * Where A and B are of different sessions and one of them has only one, what differs between sessions cannot be told
 * from what differs between A and B: nothing is shown then, unless the request says what sessions differ by. Returns
 * the status of grids->err. */
int mu_compare_sets(const struct mu_comparison_request *request, struct mu_grids *grids,
                    struct mu_comparison_result *result);

/* Notes the smallest change that would have been found: "0 differ" says little without it. */
void mu_comparison_finds_note(struct mu_grid *grid, const struct mu_comparison_result *result);

#endif
