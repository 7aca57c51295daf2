/* muster table stealing: the work-stealing apps of the cooperative-kernels study, with and without offers to leave. */
#include "analysis/persistent/points.h"

#include "analysis/tables/probe_results.h"

#include <string.h>

#define STEALING_FILE "stealing.jsonl"

static const char *const implementations[] = {"original", "cooperative"};

/* Returns the measurement of a point's random schedules; NULL for none. */
static const json_t *stressed(const json_t *measurements, const json_t *point)
{
    size_t i;
    json_t *measurement;
    json_array_foreach ((json_t *)measurements, i, measurement)
        if (mu_json_is(measurement, "implementation", "stress") && mu_json_is(measurement, "outcome", "ok") &&
            json_equal(json_object_get(measurement, "parameters"), point))
            return measurement;
    return NULL;
}

/* Adds an app's name and size. */
static void add_app(struct mu_grid *grid, const char *chip, const json_t *point)
{
    const char *experiment = mu_json_text(point, "experiment");
    const bool is_octree = strncmp(experiment, "octree", strlen("octree")) == 0;
    mu_grid_text(grid, "%s", chip);
    mu_grid_text(grid, "%s", is_octree ? "octree" : "game");
    mu_grid_number(grid, (double)mu_json_number(point, is_octree ? "points" : "depth"), 0);
}

static int add_row(void *context, const json_t *measurements, const json_t *point, struct mu_error *err)
{
    static const char *const counts[] = {"right", "left", "came", "least_team"};
    const struct mu_pt_filling *filling = context;
    struct mu_grid *grid = filling->grid;
    struct mu_pt_time times[2];
    const json_t *stress = stressed(measurements, point);
    if (mu_pt_times_of(measurements, point, implementations, 2, times, err) != MU_OK) return err->status;
    mu_grid_row(grid);
    add_app(grid, filling->chip, point);
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
    mu_grid_note(grid, MU_NOT_CONFIDENT_NOTE);
    mu_grid_note(grid,
                 "size: points of the octree, turns that are looked ahead. slowdown: cooperative / original, where "
                 "no workgroup is wanted elsewhere.");
    mu_grid_note(grid, "right: runs under random schedules of the team's size, all of whose results were right; left, "
                       "came, least: workgroups that left and came in them, and the smallest team.");
}

/* ---- Beside a load ---- */

static void add_load_row(struct mu_grid *grid, const char *chip, const json_t *measurement)
{
    static const char *const medians[] = {"load_gather_ns", "load_task_ns", "load_period_ns"};
    const json_t *task = json_object_get(measurement, "load_task"), *point = json_object_get(measurement, "parameters");
    mu_grid_row(grid);
    add_app(grid, chip, point);
    mu_grid_text(grid, "%s", mu_json_text(point, "load"));
    mu_grid_number(grid, (double)mu_json_number(measurement, "groups"), 0);
    mu_grid_number(grid, (double)mu_json_number(task, "groups"), 0);
    mu_grid_number(grid, (double)mu_json_number(measurement, "load_tasks"), 0);
    for (size_t i = 0; i < sizeof medians / sizeof medians[0]; i++) mu_probe_time_cell(grid, measurement, medians[i]);
    mu_grid_time(grid, (double)mu_json_number(task, "period_ns"));
    mu_probe_time_cell(grid, measurement, "ns");
}

static struct mu_grid *add_load_grid(struct mu_grids *grids)
{
    struct mu_grid *grid = mu_grids_add(grids, "stealing-load", "A load beside work-stealing apps");
    mu_grid_column(grid, "chip", "chip", MU_COLUMN_LEFT);
    mu_grid_column(grid, "app", "app", MU_COLUMN_LEFT);
    mu_grid_column(grid, "size", "size", 0);
    mu_grid_column(grid, "load", "load", MU_COLUMN_LEFT);
    mu_grid_column(grid, "team", "team", 0);
    mu_grid_column(grid, "groups", "groups", 0);
    mu_grid_column(grid, "tasks", "tasks", 0);
    mu_grid_column(grid, "gather_ns", "gather", MU_COLUMN_INTERVAL);
    mu_grid_column(grid, "task_ns", "task", MU_COLUMN_INTERVAL);
    mu_grid_column(grid, "period_ns", "period", MU_COLUMN_INTERVAL);
    mu_grid_column(grid, "period_asked_ns", "asked", 0);
    mu_grid_column(grid, "run_ns", "run", MU_COLUMN_INTERVAL);
    mu_grid_note(grid, "gather: from a request until its workgroups have left the team; task: from there until it is "
                       "done; period: from one request to the next. Medians over all requests of all runs.");
    return grid;
}

static void add_load_rows(struct mu_grid *grid, const char *chip, const json_t *measurements)
{
    size_t i;
    json_t *measurement;
    json_array_foreach ((json_t *)measurements, i, measurement)
        if (mu_json_is(measurement, "implementation", "load") && mu_json_is(measurement, "outcome", "ok"))
            add_load_row(grid, chip, measurement);
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
    struct mu_grid *load = add_load_grid(grids);
    if (mu_survey_results_load(request, STEALING_FILE, &chips, err) == MU_OK) {
        json_object_foreach (chips, chip, measurements) {
            filling.chip = chip;
            for (size_t i = 0; i < sizeof apps / sizeof apps[0]; i++)
                mu_pt_each_point(measurements, apps[i], add_row, &filling, err);
            add_load_rows(load, chip, measurements);
        }
        if (json_object_size(chips) == 0) mu_grid_note(grid, "No measurements: see muster bench --suite=stealing.");
    }
    json_decref(chips);
    return err->status;
}

const struct mu_table mu_table_stealing = {"stealing", "work-stealing apps, with and without offers to leave", fill};
