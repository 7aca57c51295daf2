/* muster table samples: for people, how the samples of each test are distributed; for programs, every sample of the
 * measurements that the other tables show. */
#include "analysis/tables/common.h"
#include "base/memory.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <string.h>

/* Adds one row for each sample. */
static void add_samples(struct mu_grid *grid, const struct mu_measurement *measurement)
{
    for (size_t i = 0; i < measurement->process_count; i++)
        for (size_t j = 0; j < measurement->processes[i].count; j++) {
            mu_grid_row(grid);
            mu_table_key_cells(grid, measurement);
            mu_grid_text(grid, "%s", measurement->variant);
            mu_grid_number(grid, (double)i, 0);
            mu_grid_number(grid, (double)j, 0);
            mu_grid_time(grid, measurement->processes[i].values[j]);
        }
}

static void fill_samples(struct mu_grid *grid, const struct mu_study *study)
{
    mu_grid_column(grid, "process", "process", 0);
    mu_grid_column(grid, "index", "index", 0);
    mu_grid_column(grid, "ns", "time", 0);
    for (size_t i = 0; i < study->count; i++) add_samples(grid, &study->measurements[i]);
}

/* Adds the row of a test: extremes, quartiles and outliers of its samples, all processes together. */
static int add_spread(struct mu_grid *grid, const struct mu_measurement *measurement, struct mu_error *err)
{
    size_t count = 0;
    struct mu_signs signs;
    double *values = mu_malloc(measurement->sample_count, sizeof *values, "samples", err);
    if (values == NULL) return MU_NO_MEMORY;
    for (size_t i = 0; i < measurement->process_count; i++) {
        const struct mu_samples *process = &measurement->processes[i];
        memcpy(values + count, process->values, process->count * sizeof *values);
        count += process->count;
    }
    gsl_sort(values, 1, count);
    mu_grid_row(grid);
    mu_table_key_cells(grid, measurement);
    mu_grid_text(grid, "%s", measurement->variant);
    for (int quarter = 0; quarter <= 4; quarter++)
        mu_grid_time(grid, gsl_stats_quantile_from_sorted_data(values, 1, count, quarter / 4.0));
    if (mu_signs_of(values, count, &signs, err) == MU_OK) mu_grid_number(grid, (double)signs.outliers, 0);
    mu_grid_number(grid, (double)count, 0);
    mu_free(values);
    return err->status;
}

static void fill_spreads(struct mu_grid *grid, const struct mu_study *study, struct mu_error *err)
{
    static const char *const titles[] = {"min", "lower quartile", "median", "upper quartile", "max"};
    for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++) mu_grid_column(grid, titles[i], titles[i], 0);
    mu_grid_column(grid, "outliers", "outliers", 0);
    mu_grid_column(grid, "samples", "samples", 0);
    for (size_t i = 0; i < study->count; i++)
        if (study->measurements[i].sample_count > 0 && add_spread(grid, &study->measurements[i], err) != MU_OK) return;
}

static int fill(const struct mu_table_request *request, struct mu_grids *grids)
{
    struct mu_table_data data;
    struct mu_grid *grid = mu_grids_add(grids, "samples", "How the samples of each test lie, all processes together");
    if (mu_table_load(request, MU_STUDY_MEASURED, &data, grids->err) != MU_OK) return grids->err->status;
    mu_study_choose(&data.study);
    mu_table_key_columns(grid);
    mu_grid_column(grid, "variant", "variant", MU_COLUMN_LEFT);
    if (request->plain_rows)
        fill_samples(grid, &data.study);
    else
        fill_spreads(grid, &data.study, grids->err);
    mu_table_release(&data);
    return grids->err->status;
}

const struct mu_table mu_table_samples = {"samples", "quartiles and extremes of samples (CSV, JSON: every sample)",
                                          fill};
