/* The ratios by test and column, shared by the files of the tables of ratios. */
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

/* All ratios of a table. Each column is a place: a chip with a result set. Each row is a benchmark: an app with an
 * input. Either is represented by any of its measurements. */
struct mu_ratio_matrix {
    const struct mu_measurement **places, **benchmarks;
    size_t place_count, benchmark_count;
    struct mu_ratio_pair *pairs; /* by benchmark, then by place */
    struct mu_ratio *gathered;   /* room for the ratios of a mean */
};

const struct mu_ratio_pair *mu_ratio_pair_of(const struct mu_ratio_matrix *matrix, size_t row, size_t place);

/* Adds rows with the median, least and greatest ratio of each column. A place uses only the rows for which a published
 * figure exists. */
void mu_ratio_figure_rows(struct mu_grid *grid, const struct mu_ratio_matrix *matrix, enum mu_paper_half half,
                          enum mu_paper_look paper, struct mu_error *err);

/* Adds rows with the greatest ratio of each column and its test: the maxima of the thesis's table 5.4. */
void mu_ratio_greatest_rows(struct mu_grid *grid, const struct mu_ratio_matrix *matrix);

#endif
