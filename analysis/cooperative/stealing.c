/* muster table stealing: the work-stealing apps of the cooperative-kernels study, with and without offers to leave, and
 * beside loads. */
#include "analysis/cooperative/stealing.h"

#include "analysis/cooperative/load.h"
#include "analysis/tables/common.h"
#include "analysis/tables/probe_results.h"

#include <inttypes.h>
#include <stdio.h>

/* ---- Alone ---- */

static void add_test_row(struct mu_grid *grid, const char *chip, const struct mu_stealing_test *test)
{
    struct mu_ratio slowdown;
    const bool known = mu_processes_ratio(&test->cooperative, &test->original, &slowdown);
    const uint64_t counts[] = {test->right, test->left, test->came, test->least};
    mu_grid_row(grid);
    mu_grid_text(grid, "%s", chip);
    mu_grid_text(grid, "%s", test->app);
    mu_grid_number(grid, (double)test->size, 0);
    mu_grid_number(grid, (double)test->team, 0);
    mu_grid_number(grid, (double)test->cooperative.count, 0);
    mu_processes_cell(grid, &test->original);
    mu_processes_cell(grid, &test->cooperative);
    mu_processes_ratio_cell(grid, known ? &slowdown : NULL);
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        if (test->seeds == 0)
            mu_grid_empty(grid);
        else
            mu_grid_number(grid, (double)counts[i], 0);
}

static void add_columns(struct mu_grid *grid)
{
    mu_grid_column(grid, "chip", "chip", MU_COLUMN_LEFT);
    mu_grid_column(grid, "app", "app", MU_COLUMN_LEFT);
    mu_grid_column(grid, "size", "size", 0);
    mu_grid_column(grid, "groups", "groups", 0);
    mu_grid_column(grid, "processes", "processes", 0);
    mu_grid_column(grid, "original_ns", "original", MU_COLUMN_INTERVAL);
    mu_grid_column(grid, "cooperative_ns", "cooperative", MU_COLUMN_INTERVAL);
    mu_grid_column(grid, "slowdown", "slowdown", MU_COLUMN_INTERVAL);
    mu_grid_column(grid, "right", "right", 0);
    mu_grid_column(grid, "left", "left", 0);
    mu_grid_column(grid, "came", "came", 0);
    mu_grid_column(grid, "least_team", "least", 0);
    mu_grid_note(grid, MU_NOT_CONFIDENT_NOTE);
    mu_grid_note(grid,
                 "size: points of the octree, turns that are looked ahead. slowdown: cooperative / original, where no "
                 "workgroup is wanted elsewhere.");
    mu_grid_note(grid, "right: runs under random schedules of the team's size, all of whose results were right; left, "
                       "came, least: workgroups that left and came in them, and the smallest team.");
}

static int add_tests(struct mu_grid *grid, const char *chip, const json_t *measurements, struct mu_error *err)
{
    struct mu_stealing_tests tests = {0};
    if (mu_stealing_tests_make(measurements, &tests, err) == MU_OK)
        for (size_t i = 0; i < tests.count; i++) add_test_row(grid, chip, &tests.tests[i]);
    mu_stealing_tests_release(&tests);
    return err->status;
}

/* ---- Beside a load ---- */

/* Returns the load of a measurement: "none" of the kernel without one; NULL where it has no part in the table. */
static const char *load_of(const json_t *measurement)
{
    const json_t *parameters = json_object_get(measurement, "parameters");
    const char *load = mu_json_text_or(parameters, "load", NULL);
    if (load == NULL || !mu_json_is(measurement, "outcome", "ok")) return NULL;
    if (mu_json_is(measurement, "implementation", "idle")) return "idle";
    return mu_json_is(measurement, "implementation", "load") ? load : "none";
}

/* Returns what tells tests apart, and builds: the caller releases it. */
static json_t *test_key(const char *chip, const json_t *measurement, const struct row *row)
{
    struct mu_json key = mu_json_array();
    mu_json_append_text(&key, chip);
    mu_json_append_text(&key, row->text[APP]);
    mu_json_append_text(&key, row->text[INPUT]);
    mu_json_append_number(&key, mu_json_number(json_object_get(measurement, "parameters"), "team"));
    mu_json_append_text(&key, mu_json_text(measurement, "commit"));
    return mu_json_take(&key, "a test's key", NULL);
}

static int add_load(struct rows *rows, const char *chip, const json_t *measurement, const char *load,
                    struct mu_error *err)
{
    const json_t *task = json_object_get(measurement, "load_task");
    const json_t *const numbers[SERIES] = {[RUN] = json_object_get(measurement, "ns"),
                                           [GATHER] = json_object_get(measurement, "load_gather_ns"),
                                           [TASK] = json_object_get(measurement, "load_task_ns"),
                                           [PERIOD] = json_object_get(measurement, "load_period_ns")};
    char size[24], groups[24];
    uint64_t points = 0;
    const char *app = mu_stealing_app(json_object_get(measurement, "parameters"), &points);
    struct row row = {.team = (double)mu_json_number(measurement, "groups"),
                      .groups = (double)mu_json_number(task, "groups"),
                      .wanted_ns = (double)mu_json_number(task, "period_ns"),
                      .alone_ns = (double)mu_json_number(task, "alone_ns")};
    snprintf(size, sizeof size, "%" PRIu64, points);
    snprintf(groups, sizeof groups, "%" PRIu64, mu_json_number(task, "groups"));
    const char *const texts[TEXTS] = {[CHIP] = chip,
                                      [APP] = app,
                                      [INPUT] = size,
                                      [LOAD] = load,
                                      [ASKED] = mu_json_text_or(measurement, "load_groups", groups),
                                      [RESIZING] = ""};
    for (size_t i = 0; i < TEXTS && err->status == MU_OK; i++) row.text[i] = mu_words_keep(&rows->words, texts[i], err);
    if (err->status != MU_OK) return err->status;
    mu_json_place(&rows->plans, test_key(chip, measurement, &row), &row.plan);
    row.kernel = row.plan;
    return mu_load_rows_add(rows, &row, measurement, numbers, err);
}

static int add_loads(struct rows *rows, const char *chip, const json_t *measurements, struct mu_error *err)
{
    size_t i;
    json_t *measurement;
    json_array_foreach ((json_t *)measurements, i, measurement) {
        const char *load = load_of(measurement);
        if (load != NULL && err->status == MU_OK) add_load(rows, chip, measurement, load, err);
    }
    return err->status;
}

static int fill(const struct mu_table_request *request, struct mu_grids *grids)
{
    const char *chip;
    json_t *chips = NULL, *measurements;
    struct mu_error *err = grids->err;
    struct rows loads = mu_load_rows(false);
    struct mu_grid *grid = mu_grids_add(grids, "stealing", "Work-stealing apps that offer their workgroups");
    add_columns(grid);
    if (mu_survey_results_load(request, MU_STEALING_FILE, &chips, err) == MU_OK) {
        json_object_foreach (chips, chip, measurements)
            if (add_tests(grid, chip, measurements, err) == MU_OK) add_loads(&loads, chip, measurements, err);
        if (json_object_size(chips) == 0) mu_grid_note(grid, "No measurements: see muster bench --suite=stealing.");
    }
    if (err->status == MU_OK && mu_load_rows_time(&loads, err) == MU_OK && mu_load_add_grid(&loads, grids) == MU_OK)
        mu_load_add_means(&loads, grids);
    mu_load_rows_release(&loads);
    json_decref(chips);
    return err->status;
}

const struct mu_table mu_table_stealing = {"stealing", "work-stealing apps, with and without offers to leave", fill};
