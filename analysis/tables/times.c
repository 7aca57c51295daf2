/* muster table times: how long each test takes. */
#include "analysis/tables/common.h"

/* Returns the number of colours that color took, by its first process that tells; 0 for other apps. */
static double colours_of(const struct mu_measurement *measurement)
{
    for (size_t i = 0; i < measurement->record_count; i++)
        if (measurement->every[i].colours > 0) return measurement->every[i].colours;
    return 0;
}

static bool any_colours(const struct mu_study *study)
{
    for (size_t i = 0; i < study->count; i++)
        if (colours_of(&study->measurements[i]) > 0) return true;
    return false;
}

static void add_columns(struct mu_grid *grid, bool plain, bool colours)
{
    mu_table_key_columns(grid);
    mu_grid_column(grid, "variant", "variant", MU_COLUMN_LEFT);
    mu_grid_column(grid, "workgroup", "workgroup", MU_COLUMN_MINOR);
    mu_grid_column(grid, "team", "team", MU_COLUMN_MINOR);
    mu_grid_column(grid, "median_ns", "median [95 %]", MU_COLUMN_INTERVAL);
    if (colours) mu_grid_column(grid, "colours", "colours", 0);
    mu_grid_column(grid, "min_ns", "min", MU_COLUMN_MINOR);
    mu_grid_column(grid, "max_ns", "max", MU_COLUMN_MINOR);
    mu_grid_column(grid, "processes", "processes", MU_COLUMN_MINOR);
    mu_grid_column(grid, "samples", "samples", MU_COLUMN_MINOR);
    if (plain) mu_grid_column(grid, "outcome", "outcome", MU_COLUMN_LEFT);
}

static void add_extremes(struct mu_grid *grid, const struct mu_measurement *measurement)
{
    double min = INFINITY, max = 0;
    for (size_t i = 0; i < measurement->process_count; i++)
        for (size_t j = 0; j < measurement->processes[i].count; j++) {
            min = fmin(min, measurement->processes[i].values[j]);
            max = fmax(max, measurement->processes[i].values[j]);
        }
    mu_grid_time(grid, min);
    mu_grid_time(grid, max > 0 ? max : INFINITY);
}

static void add_row(struct mu_grid *grid, const struct mu_measurement *measurement, bool plain, bool colours)
{
    mu_grid_row(grid);
    mu_table_key_cells(grid, measurement);
    mu_grid_text(grid, "%s", measurement->variant);
    mu_table_count_cell(grid, measurement->workgroup);
    mu_table_count_cell(grid, measurement->team);
    mu_table_time_cell(grid, measurement, plain);
    if (colours) mu_table_count_cell(grid, (uint32_t)colours_of(measurement));
    add_extremes(grid, measurement);
    mu_grid_number(grid, (double)measurement->process_count, 0);
    mu_grid_number(grid, (double)measurement->sample_count, 0);
    if (plain) mu_grid_text(grid, "%s", measurement->outcome);
}

static int fill(const struct mu_table_request *request, struct mu_grids *grids)
{
    struct mu_table_data data;
    struct mu_grid *grid = mu_grids_add(grids, "times", "Times: the median of each test, with its interval at 95 %%");
    if (mu_table_load(request, MU_STUDY_MEASURED, &data, grids->err) != MU_OK) return grids->err->status;
    mu_study_choose(&data.study);
    const bool colours = any_colours(&data.study);
    add_columns(grid, request->plain_rows, colours);
    for (size_t i = 0; i < data.study.count; i++)
        add_row(grid, &data.study.measurements[i], request->plain_rows, colours);
    if (data.study.count == 0) mu_grid_note(grid, "No results.");
    mu_table_release(&data);
    return grids->err->status;
}

const struct mu_table mu_table_times = {"times", "the time of each test, with its interval", fill};
