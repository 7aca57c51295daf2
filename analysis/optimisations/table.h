/* Shared by the tables of the optimisation study. */
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

/* Loads the data of the study. Release it also after a failure. */
int mu_optimised_load(const struct mu_table_request *request, struct mu_optimised_data *loaded, struct mu_error *err);
void mu_optimised_release(struct mu_optimised_data *loaded);

/* Adds notes below a grid: that there are no tests, how many measurements failed, and what intervals leave out. */
void mu_optimised_notes(struct mu_grid *grid, const struct mu_optimised_tests *tests);

/* Adds a note for figures whose configuration was chosen by the choosing half. */
void mu_optimised_halves_note(struct mu_grid *grid);

/* Adds a cell with a ratio, two decimals for people, and its interval; "~" if it is not confident. */
void mu_optimised_ratio_cell(struct mu_grid *grid, const struct mu_ratio *ratio);

/* Writes the optimisations of a configuration: "oitergb, fg8, sg". */
void mu_optimised_configuration_cell(struct mu_grid *grid, unsigned configuration);

/* Returns the chips of the tests, in their order. The names are borrowed, the caller frees the array. NULL when memory
 * runs out. */
const char **mu_optimised_chips(const struct mu_optimised_tests *tests, size_t *count, struct mu_error *err);

/* Adds a row with a histogram of the tests' top speedups by configurations of `allowed` optimisations. One half of the
 * samples chooses the configuration, the other gives its speedup. The row is of the class or chip `name`; its tests are
 * those of `chip` (NULL: all). mu_top_columns adds the columns. */
void mu_top_columns(struct mu_grid *grid, const char *name, const char *title);
void mu_top_row(struct mu_grid *grid, const struct mu_optimised_tests *tests, const char *name, const char *chip,
                unsigned allowed);

/* Adds the grid of top speedups by feature class (thesis, figure 4.3) if there are tests. It is part of the table
 * `features`. */
int mu_optimised_classes(const struct mu_table_request *request, struct mu_grids *grids);

#endif
