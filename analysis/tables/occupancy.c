/* muster table occupancy: the occupancy bounds of chips, and how many workgroups each roll call finds (OOPSLA 2016,
 * table 3). */
#include "analysis/tables/probe_results.h"
#include "records/implementations.h"
#include "records/profile.h"

#include <stdio.h>
#include <string.h>

static void key_cells(struct mu_grid *grid, const char *chip, const json_t *bound)
{
    mu_grid_row(grid);
    mu_grid_text(grid, "%s", chip);
    mu_grid_text(grid, "%s", mu_probe_microbenchmark(bound));
    mu_grid_number(grid, mu_probe_parameter(bound, "local_bytes"), 0);
    mu_grid_number(grid, mu_probe_parameter(bound, "workgroup"), 0);
    mu_grid_number(grid, mu_json_count(bound, "compute_units"), 0);
    mu_grid_number(grid, mu_json_count(bound, "bound"), 0);
    if (json_is_true(json_object_get(bound, "open"))) mu_grid_mark(grid, " or more");
}

static void key_columns(struct mu_grid *grid)
{
    mu_grid_column(grid, "chip", "chip", MU_COLUMN_LEFT);
    mu_grid_column(grid, "microbenchmark", "kernel", MU_COLUMN_LEFT);
    mu_grid_column(grid, "local_bytes", "local bytes", 0);
    mu_grid_column(grid, "workgroup", "workgroup", 0);
    mu_grid_column(grid, "compute_units", "CUs", 0);
    mu_grid_column(grid, "bound", "bound", 0);
}

/* Adds a row for people: each roll call has a column with "mean (deviation)" of the teams that it found. */
static void wide_row(struct mu_grid *grid, const char *chip, const json_t *others, const json_t *bound)
{
    if (mu_probe_find(others, "recall", mu_rollcalls[0].name, bound) == NULL) return;
    key_cells(grid, chip, bound);
    for (int i = 0; mu_rollcalls[i].name != NULL; i++) {
        double mean, deviation;
        if (mu_probe_mean(mu_probe_find(others, "recall", mu_rollcalls[i].name, bound), "teams", &mean, &deviation))
            mu_grid_text(grid, "%.1f (%.1f)", mean, deviation);
        else
            mu_grid_empty(grid);
    }
}

/* Adds rows for programs: one for each roll call. */
static void plain_rows(struct mu_grid *grid, const char *chip, const json_t *others, const json_t *bound)
{
    for (int i = 0; mu_rollcalls[i].name != NULL; i++) {
        double mean, deviation;
        const json_t *recall = mu_probe_find(others, "recall", mu_rollcalls[i].name, bound);
        if (!mu_probe_mean(recall, "teams", &mean, &deviation)) continue;
        key_cells(grid, chip, bound);
        mu_grid_text(grid, "%s", mu_rollcalls[i].name);
        mu_grid_number(grid, mean, 1);
        mu_grid_number(grid, deviation, 1);
        mu_grid_number(grid, (double)json_array_size(json_object_get(recall, "teams")), 0);
    }
}

static void size_row(struct mu_grid *grid, const char *chip, const json_t *chip_measurements)
{
    uint32_t bounds[MU_PROFILE_SIZES] = {0};
    bool any = false;
    size_t i;
    json_t *measurement;
    json_array_foreach ((json_t *)chip_measurements, i, measurement) {
        const int size = mu_profile_size_index(mu_probe_parameter(measurement, "workgroup"));
        if (!mu_probe_is(measurement, "bound") || mu_probe_parameter(measurement, "local_bytes") > 1 || size < 0)
            continue;
        bounds[size] = mu_json_count(measurement, "bound");
        any = true;
    }
    if (!any) return;
    mu_grid_row(grid);
    mu_grid_text(grid, "%s", chip);
    for (int size = 0; size < MU_PROFILE_SIZES; size++)
        bounds[size] != 0 ? mu_grid_number(grid, bounds[size], 0) : mu_grid_empty(grid);
}

/* Adds a grid of the simple kernel's bounds by workgroup size. It is for people only, since the table for programs has
 * these bounds in its rows. */
static int add_sizes(const struct mu_table_request *request, struct mu_grids *grids)
{
    struct mu_grid *grid = mu_grids_add(grids, "bounds", "Occupancy bounds of the simple kernel, by workgroup size");
    json_t *chips = NULL, *chip_measurements;
    const char *chip;
    mu_grid_column(grid, "chip", "chip", MU_COLUMN_LEFT);
    for (int size = 0; size < MU_PROFILE_SIZES; size++) {
        char name[16];
        snprintf(name, sizeof name, "%u", 1u << size);
        mu_grid_column(grid, name, name, 0);
    }
    if (mu_probe_results_load(request, &chips, grids->err) == MU_OK)
        json_object_foreach (chips, chip, chip_measurements) size_row(grid, chip, chip_measurements);
    json_decref(chips);
    return grids->err->status;
}

static int fill(const struct mu_table_request *request, struct mu_grids *grids)
{
    struct mu_grid *grid =
        mu_grids_add(grids, "occupancy", "Occupancy bounds, and the mean (deviation) of the teams found");
    key_columns(grid);
    if (request->plain_rows) {
        mu_grid_column(grid, "rollcall", "roll call", MU_COLUMN_LEFT);
        mu_grid_column(grid, "mean", "mean", 0);
        mu_grid_column(grid, "deviation", "deviation", 0);
        mu_grid_column(grid, "runs", "runs", 0);
        return mu_probe_fill(request, grids, grid, "bound", plain_rows);
    }
    for (int i = 0; mu_rollcalls[i].name != NULL; i++)
        mu_grid_column(grid, mu_rollcalls[i].name, mu_rollcalls[i].name, 0);
    mu_grid_note(grid, "Kernels: 1 or all local memory (L), 1 or the most work-items (W).");
    if (mu_probe_fill(request, grids, grid, "bound", wide_row) != MU_OK) return grids->err->status;
    return add_sizes(request, grids);
}

const struct mu_table mu_table_occupancy = {"occupancy", "occupancy bounds, and the teams that roll calls find", fill};
