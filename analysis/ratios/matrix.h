/* What the files of the tables of ratios share: the ratios, by test and column. */
#ifndef MU_ANALYSIS_RATIOS_MATRIX_H
#define MU_ANALYSIS_RATIOS_MATRIX_H

#include "analysis/ratios/ratio.h"
#include "analysis/study.h"
#include "base/error.h"
#include "base/grid.h"
#include "statistics/statistics.h"

/* One chip's measurements of both variants for an app and input, and their ratio. */
struct mu_ratio_pair {
    const struct mu_measurement *numerator, *denominator; /* NULL: missing */
    struct mu_ratio ratio;
    bool counts;
};

/* All ratios that the table shows. A place, which has a column, is a chip with a result set; a benchmark, which has a
 * row, is an app with an input. Each is told by any measurement of it. */
struct mu_ratio_matrix {
    const struct mu_measurement **places, **benchmarks;
    size_t place_count, benchmark_count;
    struct mu_ratio_pair *pairs; /* by benchmark, then by place */
    struct mu_ratio *gathered;   /* room for the ratios of a mean */
};

const struct mu_ratio_pair *mu_ratio_pair_of(const struct mu_ratio_matrix *matrix, size_t row, size_t place);

/* Adds rows of the median, the least and the greatest of each column's ratios. A place's are of the rows that a
 * published one stands beside. */
void mu_ratio_figure_rows(struct mu_grid *grid, const struct mu_ratio_matrix *matrix, enum mu_paper_half half,
                          enum mu_paper_look paper, struct mu_error *err);

/* Adds rows of the greatest ratio of each column, and whose it is: the maxima of the thesis's table 5.4. */
void mu_ratio_greatest_rows(struct mu_grid *grid, const struct mu_ratio_matrix *matrix);

#endif
