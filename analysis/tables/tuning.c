/* muster table tuning: the workgroup and team sizes that were tried, and which was the best. */
#include "analysis/tables/common.h"

#include <string.h>

static bool is_same_test(const struct mu_measurement *a, const struct mu_measurement *b)
{
    return strcmp(a->chip, b->chip) == 0 && strcmp(a->driver, b->driver) == 0 && mu_compare_benchmarks(a, b) == 0 &&
           strcmp(a->variant, b->variant) == 0;
}

static void add_row(struct mu_grid *grid, const struct mu_measurement *measurement, double least, bool plain)
{
    const bool best = mu_table_counts(measurement) && measurement->level.log_value <= least;
    mu_grid_row(grid);
    mu_table_test_cells(grid, measurement);
    mu_grid_text(grid, "%s", measurement->variant);
    mu_table_count_cell(grid, measurement->workgroup);
    mu_table_count_cell(grid, measurement->team);
    mu_table_time_cell(grid, measurement, plain);
    mu_grid_number(grid, mu_table_counts(measurement) ? exp(measurement->level.log_value - least) : NAN, 2);
    if (plain)
        mu_grid_number(grid, best, 0);
    else
        mu_grid_text(grid, "%s", best ? "best" : "");
    if (plain) mu_grid_text(grid, "%s", measurement->outcome);
}

/* Adds the tries of one test, which begin at `start`. Only those of its last tuning are shown. Returns where the next
 * test begins. */
static size_t add_test(struct mu_grid *grid, const struct mu_study *study, size_t start, bool plain)
{
    const struct mu_measurement *first = &study->measurements[start];
    double least = INFINITY;
    uint32_t last = 0;
    size_t end = start;
    for (; end < study->count && is_same_test(&study->measurements[end], first); end++)
        if (study->measurements[end].tuning > last) last = study->measurements[end].tuning;
    for (size_t i = start; i < end; i++)
        if (study->measurements[i].tuning == last && mu_table_counts(&study->measurements[i]))
            least = fmin(least, study->measurements[i].level.log_value);
    for (size_t i = start; i < end; i++)
        if (study->measurements[i].tuning == last) add_row(grid, &study->measurements[i], least, plain);
    return end;
}

static int fill(const struct mu_table_request *request, struct mu_grids *grids)
{
    struct mu_table_data data;
    struct mu_grid *grid = mu_grids_add(grids, "tuning", "Tuning: workgroup sizes and teams that were tried");
    if (mu_table_load(request, MU_STUDY_TUNED, &data, grids->err) != MU_OK) return grids->err->status;
    mu_table_test_columns(grid);
    mu_grid_column(grid, "variant", "variant", MU_COLUMN_LEFT);
    mu_grid_column(grid, "workgroup", "workgroup", 0);
    mu_grid_column(grid, "team", "team", 0);
    mu_grid_column(grid, "median_ns", "median [95 %]", MU_COLUMN_INTERVAL);
    mu_grid_column(grid, "over_best", "over best", 0);
    mu_grid_column(grid, "best", "", MU_COLUMN_LEFT);
    if (request->plain_rows) mu_grid_column(grid, "outcome", "outcome", MU_COLUMN_LEFT);
    for (size_t i = 0; i < data.study.count;) i = add_test(grid, &data.study, i, request->plain_rows);
    if (data.study.count == 0) mu_grid_note(grid, "No tunings.");
    mu_table_release(&data);
    return grids->err->status;
}

const struct mu_table mu_table_tuning = {"tuning", "the workgroup sizes and teams that a tuning tried", fill};
