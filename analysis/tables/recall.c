/* muster table recall, app-recall, patience and delay: which share of the occupancy bound roll calls find (OOPSLA 2016,
 * figure 7 and table 5). */
#include "analysis/tables/probe_results.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

static void add_columns(struct mu_grid *grid, const char *name, const char *title)
{
    mu_grid_column(grid, "chip", "chip", MU_COLUMN_LEFT);
    mu_grid_column(grid, "microbenchmark", "kernel", MU_COLUMN_LEFT);
    mu_grid_column(grid, "rollcall", "roll call", MU_COLUMN_LEFT);
    if (name != NULL) mu_grid_column(grid, name, title, 0);
    mu_grid_column(grid, "runs", "runs", 0);
    mu_grid_column(grid, "recall_percent", "recall %", MU_COLUMN_INTERVAL);
    mu_grid_column(grid, "deviation_percent", "deviation %", 0);
    mu_grid_column(grid, "full_runs", "full runs", 0);
    mu_grid_column(grid, "units_percent", "CUs %", 0);
}

/* Adds the mean of teams over the bound with its interval by Student's distribution, cut off at the bound, and their
 * deviation. */
static void recall_cells(struct mu_grid *grid, const json_t *measurement, uint32_t bound, double mean, double deviation)
{
    const double runs = (double)json_array_size(json_object_get(measurement, "teams"));
    mu_grid_number(grid, 100 * mean / bound, 1);
    if (runs > 1) {
        const double half = gsl_cdf_tdist_Pinv(0.975, runs - 1) * deviation / sqrt(runs);
        mu_grid_interval(grid, 100 * fmax(mean - half, 0) / bound, 100 * fmin(mean + half, bound) / bound);
        mu_grid_sessions(grid, 1);
    }
    mu_grid_number(grid, 100 * deviation / bound, 1);
}

/* Returns how many runs found the whole bound. */
static double count_full(const json_t *measurement, uint32_t bound)
{
    size_t i;
    json_t *team;
    double full = 0;
    json_array_foreach (json_object_get(measurement, "teams"), i, team)
        full += json_integer_value(team) >= (json_int_t)bound;
    return full;
}

/* Adds the row of a measurement. `name` is the member that varies between rows (patience or delay); NULL for none. */
static void add_row(struct mu_grid *grid, const char *chip, const json_t *others, const json_t *measurement,
                    const char *name)
{
    double mean, deviation;
    const uint32_t bound = mu_probe_bound_of(others, measurement);
    if (bound == 0 || !mu_probe_mean(measurement, "teams", &mean, &deviation)) return;
    mu_grid_row(grid);
    mu_grid_text(grid, "%s", chip);
    mu_grid_text(grid, "%s", mu_probe_microbenchmark(measurement));
    mu_grid_text(grid, "%s", mu_json_text(measurement, "rollcall"));
    if (name != NULL) mu_grid_number(grid, mu_json_count(measurement, name), 0);
    mu_grid_number(grid, (double)json_array_size(json_object_get(measurement, "teams")), 0);
    recall_cells(grid, measurement, bound, mean, deviation);
    mu_grid_number(grid, count_full(measurement, bound), 0);
    mu_grid_number(grid, 100.0 * mu_json_count(measurement, "compute_units") / bound, 1);
}

static void recall_row(struct mu_grid *grid, const char *chip, const json_t *others, const json_t *measurement)
{
    add_row(grid, chip, others, measurement, NULL);
}

static void patience_row(struct mu_grid *grid, const char *chip, const json_t *others, const json_t *measurement)
{
    add_row(grid, chip, others, measurement, "patience");
}

static void delay_row(struct mu_grid *grid, const char *chip, const json_t *others, const json_t *measurement)
{
    add_row(grid, chip, others, measurement, "delay");
}

static int fill_recall(const struct mu_table_request *request, struct mu_grids *grids)
{
    struct mu_grid *grid = mu_grids_add(
        grids, "recall", "Recall: team found over occupancy bound; beside it the compute units over the bound");
    add_columns(grid, NULL, NULL);
    return mu_probe_fill(request, grids, grid, "recall", recall_row);
}

/* Adds the kernel of an app, whose measurement has its own bound. */
static void app_row(struct mu_grid *grid, const char *chip, const json_t *others, const json_t *measurement)
{
    double mean, deviation;
    const uint32_t bound = mu_json_count(measurement, "bound");
    (void)others;
    if (bound == 0 || !mu_probe_mean(measurement, "teams", &mean, &deviation)) return;
    mu_grid_row(grid);
    mu_grid_text(grid, "%s", chip);
    mu_grid_text(grid, "%s", mu_json_text(json_object_get(measurement, "parameters"), "app"));
    mu_grid_number(grid, mu_probe_parameter(measurement, "workgroup"), 0);
    mu_grid_number(grid, bound, 0);
    mu_grid_number(grid, (double)json_array_size(json_object_get(measurement, "teams")), 0);
    recall_cells(grid, measurement, bound, mean, deviation);
    mu_grid_number(grid, count_full(measurement, bound), 0);
}

static int fill_apps(const struct mu_table_request *request, struct mu_grids *grids)
{
    struct mu_grid *grid = mu_grids_add(grids, "app-recall",
                                        "Recall for the kernels of apps, by workgroup size: team over occupancy bound");
    mu_grid_column(grid, "chip", "chip", MU_COLUMN_LEFT);
    mu_grid_column(grid, "app", "app", MU_COLUMN_LEFT);
    mu_grid_column(grid, "workgroup", "workgroup", 0);
    mu_grid_column(grid, "bound", "bound", 0);
    mu_grid_column(grid, "runs", "runs", 0);
    mu_grid_column(grid, "recall_percent", "recall %", MU_COLUMN_INTERVAL);
    mu_grid_column(grid, "deviation_percent", "deviation %", 0);
    mu_grid_column(grid, "full_runs", "full runs", 0);
    mu_grid_note(grid, "bound: of the kernel without a roll call, proven by a deadlock. Roll calls are atomic, of more "
                       "workgroups than fit, and close by patience.");
    mu_grid_note(grid, "muster probe --app=APP measures it.");
    return mu_probe_fill(request, grids, grid, "app", app_row);
}

static int fill_patience(const struct mu_table_request *request, struct mu_grids *grids)
{
    struct mu_grid *grid = mu_grids_add(grids, "patience", "Recall of roll call atomic against patience");
    add_columns(grid, "patience", "patience");
    return mu_probe_fill(request, grids, grid, "patience", patience_row);
}

static int fill_delay(const struct mu_table_request *request, struct mu_grids *grids)
{
    struct mu_grid *grid =
        mu_grids_add(grids, "delay", "Recall against the delay between the polling and the closing phase, on CPUs");
    add_columns(grid, "delay", "delay");
    return mu_probe_fill(request, grids, grid, "delay", delay_row);
}

const struct mu_table mu_table_recall = {"recall", "how much of the occupancy bound each roll call finds", fill_recall};
const struct mu_table mu_table_app_recall = {"app-recall",
                                             "how much of the bound roll calls find in the kernels of apps", fill_apps};
const struct mu_table mu_table_patience = {"patience", "how much of the bound roll call atomic finds, by its patience",
                                           fill_patience};
const struct mu_table mu_table_delay = {"delay", "how much of the bound the other roll calls find, by delay",
                                        fill_delay};
