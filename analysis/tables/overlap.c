/* muster table overlap: what a team gains by its work between the halves of the global barrier, which is then hidden
 * behind the wait for the others, or hides it. */
#include "analysis/tables/probe_results.h"

#include <math.h>

static void add_row(struct mu_grid *grid, const char *chip, const json_t *chip_measurements, const json_t *measurement)
{
    struct mu_summary before, beside;
    const bool both = mu_probe_samples(measurement, "before_ns", &before) &&
                      mu_probe_samples(measurement, "beside_ns", &beside) && beside.median > 0;
    (void)chip_measurements;
    mu_grid_row(grid);
    mu_grid_text(grid, "%s", chip);
    mu_grid_number(grid, mu_probe_parameter(measurement, "workgroup"), 0);
    mu_grid_number(grid, mu_json_count(measurement, "team"), 0);
    mu_grid_number(grid, mu_json_count(measurement, "fmas"), 0);
    mu_probe_time_cell(grid, measurement, "before_ns");
    mu_probe_time_cell(grid, measurement, "beside_ns");
    mu_grid_number(grid, both ? before.median / beside.median : NAN, 3);
}

static int fill(const struct mu_table_request *request, struct mu_grids *grids)
{
    struct mu_grid *grid =
        mu_grids_add(grids, "overlap", "A round of work before a barrier, and between the barrier's halves");
    mu_grid_column(grid, "chip", "chip", MU_COLUMN_LEFT);
    mu_grid_column(grid, "workgroup", "workgroup", 0);
    mu_grid_column(grid, "team", "team", 0);
    mu_grid_column(grid, "fmas", "multiply-adds", 0);
    mu_grid_column(grid, "before_ns", "before [95 %]", MU_COLUMN_INTERVAL);
    mu_grid_column(grid, "beside_ns", "between [95 %]", MU_COLUMN_INTERVAL);
    mu_grid_column(grid, "gain", "before / between", 0);
    if (mu_probe_fill(request, grids, grid, "overlap", add_row) == MU_OK)
        mu_grid_note(grid, "Both by barrier split, for the same team; above 1: overlapping is quicker.");
    return grids->err->status;
}

const struct mu_table mu_table_overlap = {"overlap", "what work between the halves of a barrier gains", fill};
