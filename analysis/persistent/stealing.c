/* muster table stealing: the work-stealing apps of the cooperative-kernels study, with and without offers to leave. */
#include "analysis/persistent/points.h"

#include "analysis/tables/probe_results.h"

#define STEALING_FILE "stealing.jsonl"

static const char *const ways[] = {"original", "cooperative"};

/* The measurement of a point's random schedules; NULL where there is none. */
static const json_t *stressed(const json_t *measurements, const json_t *point)
{
    size_t i;
    json_t *measurement;
    json_array_foreach ((json_t *)measurements, i, measurement)
        if (mu_json_is(measurement, "way", "stress") && mu_json_is(measurement, "outcome", "ok") &&
            json_equal(json_object_get(measurement, "parameters"), point))
            return measurement;
    return NULL;
}

static int add_row(void *context, const json_t *measurements, const json_t *point, struct mu_error *err)
{
    static const char *const counts[] = {"right", "left", "came", "least_team"};
    const struct mu_pt_filling *filling = context;
    struct mu_grid *grid = filling->grid;
    struct mu_pt_time times[2];
    const bool is_octree = mu_json_is(point, "experiment", "octree");
    const json_t *stress = stressed(measurements, point);
    if (mu_pt_times_of(measurements, point, ways, 2, times, err) != MU_OK) return err->status;
    mu_grid_row(grid);
    mu_grid_text(grid, "%s", filling->chip);
    mu_grid_text(grid, "%s", is_octree ? "octree" : "game");
    mu_grid_number(grid, (double)mu_json_number(point, is_octree ? "points" : "depth"), 0);
    mu_grid_number(grid, (double)mu_json_number(point, "team"), 0);
    mu_pt_time_cell(grid, &times[0], 1);
    mu_pt_time_cell(grid, &times[1], 1);
    mu_pt_speedup_cell(grid, &times[0], &times[1]);
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        if (stress == NULL)
            mu_grid_empty(grid);
        else
            mu_grid_number(grid, (double)mu_json_number(stress, counts[i]), 0);
    return MU_OK;
}

static void add_columns(struct mu_grid *grid)
{
    mu_grid_column(grid, "chip", "chip", MU_COLUMN_LEFT);
    mu_grid_column(grid, "app", "app", MU_COLUMN_LEFT);
    mu_grid_column(grid, "size", "size", 0);
    mu_grid_column(grid, "groups", "groups", 0);
    mu_grid_column(grid, "original_ns", "original", MU_COLUMN_INTERVAL);
    mu_grid_column(grid, "cooperative_ns", "cooperative", MU_COLUMN_INTERVAL);
    mu_grid_column(grid, "slowdown", "slowdown", MU_COLUMN_INTERVAL);
    mu_grid_column(grid, "right", "right", 0);
    mu_grid_column(grid, "left", "left", 0);
    mu_grid_column(grid, "came", "came", 0);
    mu_grid_column(grid, "least_team", "least", 0);
    mu_grid_note(grid,
                 "size: points of the octree, turns that are looked ahead. slowdown: cooperative / original, where "
                 "nobody is wanted elsewhere.");
    mu_grid_note(grid, "right: runs under random schedules of the team's size, all of whose results were right; left, "
                       "came, least: workgroups that left and came in them, and the smallest team.");
}

static int fill(const struct mu_table_request *request, struct mu_grids *grids)
{
    static const char *const apps[] = {"octree", "game"};
    const char *chip;
    json_t *chips = NULL, *measurements;
    struct mu_error *err = grids->err;
    struct mu_grid *grid = mu_grids_add(grids, "stealing", "Work-stealing apps that offer their workgroups");
    struct mu_pt_filling filling = {.grid = grid};
    add_columns(grid);
    if (mu_survey_results_load(request, STEALING_FILE, &chips, err) == MU_OK) {
        json_object_foreach (chips, chip, measurements) {
            filling.chip = chip;
            for (size_t i = 0; i < sizeof apps / sizeof apps[0]; i++)
                mu_pt_each_point(measurements, apps[i], add_row, &filling, err);
        }
        if (json_object_size(chips) == 0) mu_grid_note(grid, "No measurements: see muster bench --suite=stealing.");
    }
    json_decref(chips);
    return err->status;
}

const struct mu_table mu_table_stealing = {"stealing", "work-stealing apps, with and without offers to leave", fill};
