#include "analysis/tables/common.h"

#include "base/memory.h"

#include <string.h>

/* "mis" is "pannotia/mis", too. */
static bool is_called(const char *app, const char *wanted)
{
    const char *slash = strchr(app, '/');
    return strcmp(app, wanted) == 0 || (slash != NULL && strcmp(slash + 1, wanted) == 0);
}

/* A file is called as tables show it, too: without its folder. */
static bool is_input(const char *input, const char *wanted)
{
    const char *slash = strrchr(input, '/');
    return strcmp(input, wanted) == 0 || (slash != NULL && strcmp(slash + 1, wanted) == 0);
}

static bool is_wanted(const struct mu_table_request *request, const json_t *record)
{
    const struct {
        const char *wanted, *member;
    } exact[] = {{request->chip, "chip"}, {request->variant, "variant"}};
    for (size_t i = 0; i < sizeof exact / sizeof exact[0]; i++)
        if (exact[i].wanted != NULL && strcmp(mu_json_text(record, exact[i].member), exact[i].wanted) != 0)
            return false;
    if (request->input != NULL && !is_input(mu_json_text(record, "input"), request->input)) return false;
    return request->app == NULL || is_called(mu_json_text(record, "app"), request->app);
}

/* Whether a record is of a program that a few hundred configurations were measured of, in which all else would drown.
 */
static bool is_studied(const json_t *record)
{
    static const char suite[] = "irgl/";
    return strncmp(mu_json_text(record, "app"), suite, sizeof suite - 1) == 0;
}

/* Whether a request asks for such records, be it by naming their program or their file. */
static bool asks_for_studied(const struct mu_table_request *request)
{
    bool asks = request->studied || request->app != NULL;
    for (size_t i = 0; i < request->set_count; i++) asks = asks || strstr(request->sets[i], ".jsonl") != NULL;
    return asks;
}

/* What hands on the records that a request wants. */
struct filter {
    const struct mu_table_request *request;
    const struct mu_record_sink *to;
    bool studied;
};

/* For mu_record_sink. */
static int hand_on(void *context, json_t *record, size_t place, const struct mu_line *line, struct mu_error *err)
{
    const struct filter *filter = context;
    const bool wanted = is_wanted(filter->request, record) && (filter->studied || !is_studied(record));
    return filter->to->take(filter->to->context, wanted ? record : NULL, place, line, err);
}

static int read_records(const struct mu_table_request *request, bool studied, const struct mu_record_sink *sink,
                        struct mu_error *err)
{
    struct filter filter = {request, sink, studied};
    const struct mu_record_sink all = {sink->members, hand_on, &filter};
    return mu_records_read(request->root, request->sets, request->set_count, &all, stderr, err);
}

int mu_table_read(const struct mu_table_request *request, const struct mu_record_sink *sink, struct mu_error *err)
{
    return read_records(request, true, sink, err);
}

/* For mu_record_sink. */
static int put(void *context, json_t *record, size_t place, const struct mu_line *line, struct mu_error *err)
{
    (void)line;
    return mu_study_draft_put(context, record, place, err);
}

int mu_table_draft(const struct mu_table_request *request, unsigned kinds, struct mu_study_draft *draft,
                   struct mu_error *err)
{
    const struct mu_record_sink sink = {mu_study_members, put, draft};
    *draft = (struct mu_study_draft){.kinds = kinds};
    return read_records(request, asks_for_studied(request), &sink, err);
}

int mu_table_load(const struct mu_table_request *request, unsigned kinds, struct mu_table_data *data,
                  struct mu_error *err)
{
    return mu_table_load_with(request, kinds, NULL, data, err);
}

int mu_table_load_with(const struct mu_table_request *request, unsigned kinds, json_t *sessions,
                       struct mu_table_data *data, struct mu_error *err)
{
    struct mu_study_draft draft;
    *data = (struct mu_table_data){0};
    if (mu_table_draft(request, kinds, &draft, err) == MU_OK) mu_study_finish(&draft, sessions, &data->study, err);
    mu_study_draft_release(&draft);
    return err->status;
}

void mu_table_release(struct mu_table_data *data)
{
    mu_study_release(&data->study);
}

int mu_kept_take(void *context, json_t *record, size_t place, const struct mu_line *line, struct mu_error *err)
{
    struct mu_kept_records *kept = context;
    (void)line;
    if (place >= kept->places) {
        const size_t places = place < 8 ? 16 : 2 * place;
        void *records = kept->records;
        if (mu_resize(&records, places, sizeof *kept->records, "records", err) != MU_OK) return err->status;
        kept->records = records;
        while (kept->places < places) kept->records[kept->places++] = NULL;
    }
    json_decref(kept->records[place]);
    kept->records[place] = record != NULL && kept->wants(record) ? json_incref(record) : NULL;
    return MU_OK;
}

void mu_kept_release(struct mu_kept_records *kept)
{
    for (size_t i = 0; i < kept->places; i++) json_decref(kept->records[i]);
    mu_free(kept->records);
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
