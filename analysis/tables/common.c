#include "analysis/tables/common.h"

#include <string.h>

/* "mis" is "pannotia/mis", too. */
static bool is_called(const char *app, const char *wanted)
{
    const char *slash = strchr(app, '/');
    return strcmp(app, wanted) == 0 || (slash != NULL && strcmp(slash + 1, wanted) == 0);
}

static bool is_wanted(const struct mu_table_request *request, const json_t *record)
{
    const struct {
        const char *wanted, *member;
    } exact[] = {{request->chip, "chip"}, {request->input, "input"}, {request->variant, "variant"}};
    for (size_t i = 0; i < sizeof exact / sizeof exact[0]; i++)
        if (exact[i].wanted != NULL && strcmp(mu_json_text(record, exact[i].member), exact[i].wanted) != 0)
            return false;
    return request->app == NULL || is_called(mu_json_text(record, "app"), request->app);
}

/* Leaves the records that the request wants; in one pass, since taking one out of an array moves those behind it. */
static int choose(json_t **records, const struct mu_table_request *request, struct mu_error *err)
{
    size_t i;
    json_t *record;
    struct mu_json chosen = mu_json_array();
    json_array_foreach (*records, i, record)
        if (is_wanted(request, record)) mu_json_append(&chosen, json_incref(record));
    json_decref(*records);
    *records = mu_json_take(&chosen, "records", err);
    return err->status;
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
        if (choose(&data->records, request, err) != MU_OK)
            mu_fail(err, MU_NO_MEMORY, "out of memory");
        else if (sessions != NULL)
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
        if (measurement->better != NULL && strcmp(measurement->better, measurement->variant) != 0)
            mu_grid_mark(grid, " (fixed grid)");
        return;
    }
    mu_table_show_outcome(measurement, outcome, sizeof outcome);
    if (plain)
        mu_grid_empty(grid);
    else
        mu_grid_text(grid, "%s", outcome);
    mu_grid_tone(grid, MU_TONE_BAD);
}
