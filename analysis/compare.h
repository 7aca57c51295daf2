/* Compares two result sets, test by test. */
#ifndef MU_ANALYSIS_COMPARE_H
#define MU_ANALYSIS_COMPARE_H

#include "base/error.h"
#include "base/grid.h"
#include "base/user/junit.h"

#include <stddef.h>

/* The result of a comparison: counts of tests, which are those of either set. */
struct mu_comparison_result {
    size_t faster, slower;          /* B is faster than A; slower than A */
    size_t equivalent, not_shown;   /* within the margin; nothing could be shown */
    double finds_least, finds_most; /* the smallest relative change that would be found in four of five cases: in the
                                       most and in the least sensitive test; 0: unknown */
    size_t broken, fixed, incomparable; /* B fails and A ends well; the reverse; others without both times */
};

struct mu_comparison_request {
    const char *root;       /* root of all results */
    const char *a, *b;      /* sets, as records/sets.h names them */
    double margin;          /* B is equivalent if its whole interval is within this fraction (0.05) of A */
    double session;         /* relative standard deviation between sessions; 0: unknown */
    struct mu_junit *junit; /* gets a test for each row; NULL: none */
};

/* Adds a grid with a row for each test: the times, B / A with its interval at 95 %, the effect and the p of Mann and
 * Whitney's test of all samples, the smallest difference that would have been found, and a verdict. A test is the same
 * app, input, options and variant, and the same chip if a set has several; labels and drivers may differ. Of each set,
 * the measurements that mu_study_choose leaves are compared.
 *
 * B is equivalent if its interval lies within the margin. Otherwise it is slower or faster if its interval excludes 1
 * and p < 0.05 after Benjamini and Hochberg's correction over all tests. That p is the greater of two. One is of the
 * interval's own test, between sessions or processes. The other is Mann and Whitney's, between samples: it assumes no
 * distribution, but ignores that samples of one process belong together. So two equal sets differ in any test with a
 * probability of at most 5 %.
 *
 * Everything else is "not shown", which does not mean equal. That includes tests with a single process in A or B, since
 * the variance between their processes is unknown; they are left out of the correction and of the mean. If A and B are
 * of different sessions and one of them has only one, a difference between sessions cannot be told from one between A
 * and B. Then nothing is shown, unless the request gives the deviation between sessions. Returns the status of
 * grids->err. */
int mu_compare_sets(const struct mu_comparison_request *request, struct mu_grids *grids,
                    struct mu_comparison_result *result);

/* Adds a note with the smallest change that would have been found: without it, "0 differ" says little. */
void mu_comparison_finds_note(struct mu_grid *grid, const struct mu_comparison_result *result);

#endif
