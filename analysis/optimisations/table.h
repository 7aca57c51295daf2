/* What the tables of the optimisation study share. */
#ifndef MU_ANALYSIS_OPTIMISATIONS_TABLE_H
#define MU_ANALYSIS_OPTIMISATIONS_TABLE_H

#include "analysis/optimisations/strategies.h"
#include "analysis/optimisations/tests.h"
#include "analysis/tables/common.h"

/* The tests of the records that a request names. */
struct mu_optimised_data {
    struct mu_table_data data;
    struct mu_optimised_tests tests;
};

/* Release also after a failure. */
int mu_optimised_load(const struct mu_table_request *request, struct mu_optimised_data *loaded, struct mu_error *err);
void mu_optimised_release(struct mu_optimised_data *loaded);

/* Notes below a grid: that there are no tests; how many measurements failed; what intervals leave out. */
void mu_optimised_notes(struct mu_grid *grid, const struct mu_optimised_tests *tests);

/* Notes where figures come from when the choice of a configuration was made on the choosing half. */
void mu_optimised_halves_note(struct mu_grid *grid);

/* A ratio with two decimals for people and its interval; "~" where it is not confident. */
void mu_optimised_ratio_cell(struct mu_grid *grid, const struct mu_ratio *ratio);

/* "oitergb, fg8, sg" */
void mu_optimised_configuration_cell(struct mu_grid *grid, unsigned configuration);

/* The chips of the tests, in their order, borrowed; the caller frees the array. NULL when memory runs out. */
const char **mu_optimised_chips(const struct mu_optimised_tests *tests, size_t *count, struct mu_error *err);

/* Adds a histogram of the tests' top speedups with configurations of `allowed` optimisations: the configuration is
 * chosen by one half of the samples, its speedup by the other. A row of the class or chip `name`, whose tests are those
 * of `chip` (NULL: all). mu_top_columns adds its columns. */
void mu_top_columns(struct mu_grid *grid, const char *name, const char *title);
void mu_top_row(struct mu_grid *grid, const struct mu_optimised_tests *tests, const char *name, const char *chip,
                unsigned allowed);

/* Adds the grid of top speedups by feature class where there are any tests (thesis, figure 4.3); part of the table
 * `features`. */
int mu_optimised_classes(const struct mu_table_request *request, struct mu_grids *grids);

#endif
