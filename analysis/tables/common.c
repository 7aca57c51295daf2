#include "analysis/tables/common.h"

#include <string.h>

/* Removes the records of other chips. */
static void choose_chip(json_t *records, const char *chip)
{
    for (size_t i = json_array_size(records); i > 0; i--)
        if (strcmp(mu_json_text(json_array_get(records, i - 1), "chip"), chip) != 0) json_array_remove(records, i - 1);
}

int mu_table_load(const struct mu_table_request *request, unsigned kinds, struct mu_table_data *data,
                  struct mu_error *err)
{
    return mu_table_load_with(request, kinds, NULL, data, err);
}

int mu_table_load_with(const struct mu_table_request *request, unsigned kinds, json_t *sessions,
                       struct mu_table_data *data, struct mu_error *err)
{
    *data = (struct mu_table_data){.records = json_array()};
    if (data->records == NULL) return mu_fail(err, MU_NO_MEMORY, "out of memory");
    if (mu_records_load_all(request->root, request->sets, request->set_count, data->records, stderr, err) == MU_OK) {
        if (request->chip != NULL) choose_chip(data->records, request->chip);
        if (sessions != NULL)
            mu_study_make_with(data->records, kinds, sessions, &data->study, err);
        else
            mu_study_make(data->records, kinds, &data->study, err);
    }
    if (err->status != MU_OK) mu_table_release(data);
    return err->status;
}

void mu_table_release(struct mu_table_data *data)
{
    mu_study_release(&data->study);
    json_decref(data->records);
    data->records = NULL;
}

void mu_table_test_columns(struct mu_grid *grid)
{
    mu_grid_column(grid, "chip", "chip", MU_COLUMN_LEFT);
    mu_grid_column(grid, "app", "app", MU_COLUMN_LEFT);
    mu_grid_column(grid, "input", "input", MU_COLUMN_LEFT);
}

void mu_table_test_cells(struct mu_grid *grid, const struct mu_measurement *measurement)
{
    mu_grid_text(grid, "%s", measurement->chip);
    mu_grid_text(grid, "%s", measurement->app);
    mu_grid_text(grid, "%s", measurement->shown);
}

void mu_table_key_columns(struct mu_grid *grid)
{
    mu_grid_column(grid, "chip", "chip", MU_COLUMN_LEFT);
    mu_grid_column(grid, "set", "set", MU_COLUMN_LEFT);
    mu_grid_column(grid, "app", "app", MU_COLUMN_LEFT);
    mu_grid_column(grid, "input", "input", MU_COLUMN_LEFT);
}

void mu_table_set_cell(struct mu_grid *grid, const struct mu_measurement *measurement)
{
    if (measurement->set[0] != '\0')
        mu_grid_text(grid, "%s", measurement->set);
    else
        mu_grid_empty(grid);
}

void mu_table_key_cells(struct mu_grid *grid, const struct mu_measurement *measurement)
{
    mu_grid_text(grid, "%s", measurement->chip);
    mu_table_set_cell(grid, measurement);
    mu_grid_text(grid, "%s", measurement->app);
    mu_grid_text(grid, "%s", measurement->shown);
}

void mu_table_scope_note(struct mu_grid *grid, const size_t scopes[3])
{
    if (scopes[MU_WITHIN_SESSION] > 0)
        mu_grid_note(grid, "Intervals%s are within one session: what differs between machines and days is not in them.",
                     scopes[MU_OVER_SESSIONS] > 0 ? " of tests with one session" : "");
    if (scopes[MU_APART_IN_SESSION] > 0)
        mu_grid_note(grid, "%zu ratios are of different sessions: what differs between those is in the ratio.",
                     scopes[MU_APART_IN_SESSION]);
}

void mu_table_count_cell(struct mu_grid *grid, size_t count)
{
    if (count != 0)
        mu_grid_number(grid, (double)count, 0);
    else
        mu_grid_empty(grid);
}

bool mu_table_counts(const struct mu_measurement *measurement)
{
    return measurement != NULL && measurement->has_level && measurement->failed == 0;
}

void mu_table_show_outcome(const struct mu_measurement *measurement, char *text, size_t bytes)
{
    if (measurement == NULL)
        snprintf(text, bytes, "missing");
    else if (measurement->failed > 0 && measurement->process_count > 0)
        snprintf(text, bytes, "%s in %zu of %zu", measurement->outcome, measurement->failed, measurement->record_count);
    else
        snprintf(text, bytes, "%s", measurement->outcome);
}

/* Gives the cell its interval: the exact one of the median where there is one process, else that of the measurement's
 * level. */
static void add_interval(struct mu_grid *grid, const struct mu_measurement *measurement)
{
    struct mu_summary summary;
    struct mu_ratio level;
    mu_ratio_of_one(&measurement->level, &level);
    if (measurement->process_count > 1) {
        if (level.has_interval) mu_grid_interval(grid, level.low, level.high);
        return;
    }
    if (mu_summarise(measurement->processes[0].values, measurement->processes[0].count, &summary, NULL) == MU_OK &&
        summary.has_interval)
        mu_grid_interval(grid, summary.low, summary.high);
}

void mu_table_time_cell(struct mu_grid *grid, const struct mu_measurement *measurement, bool plain)
{
    char outcome[128];
    if (measurement != NULL && mu_table_counts(measurement)) {
        mu_grid_time(grid, exp(measurement->level.log_value));
        add_interval(grid, measurement);
        return;
    }
    mu_table_show_outcome(measurement, outcome, sizeof outcome);
    if (plain)
        mu_grid_empty(grid);
    else
        mu_grid_text(grid, "%s", outcome);
}
