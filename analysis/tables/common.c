#include "analysis/tables/common.h"

#include "analysis/tables/reading.h"
#include "base/memory.h"
#include "records/schema.h"

#include <string.h>

/* Returns true if the app has this name, with or without its suite. */
static bool is_called(const char *app, const char *wanted)
{
    const char *slash = strchr(app, '/');
    return strcmp(app, wanted) == 0 || (slash != NULL && strcmp(slash + 1, wanted) == 0);
}

/* Returns true if the input has this name; a file also without its folder, as tables show it. */
static bool is_input(const char *input, const char *wanted)
{
    const char *slash = strrchr(input, '/');
    return strcmp(input, wanted) == 0 || (slash != NULL && strcmp(slash + 1, wanted) == 0);
}

/* What requests look at. */
struct test {
    const char *chip, *app, *input, *variant;
};

static bool is_wanted(const struct mu_table_request *request, const struct test *test)
{
    return (request->chip == NULL || strcmp(test->chip, request->chip) == 0) &&
           (request->variant == NULL || strcmp(test->variant, request->variant) == 0) &&
           (request->input == NULL || is_input(test->input, request->input)) &&
           (request->app == NULL || is_called(test->app, request->app));
}

bool mu_table_wants(const struct mu_table_request *request, const struct mu_measurement *measurement)
{
    const struct test test = {measurement->plain_chip, measurement->app, measurement->input,
                              measurement->plain_variant};
    return is_wanted(request, &test);
}

/* Returns true if an app is one that a few hundred configurations were measured of, in which all else would drown. */
static bool is_studied(const char *app)
{
    static const char suite[] = "irgl/";
    return strncmp(app, suite, sizeof suite - 1) == 0;
}

/* Returns true if a request asks for such records, be it by naming their program or their file. */
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

/* Hands one record on (mu_record_sink). */
static int hand_on(void *context, json_t *record, size_t place, const struct mu_line *line, struct mu_error *err)
{
    const struct filter *filter = context;
    const struct test test = {mu_json_text(record, "chip"), mu_json_text(record, "app"), mu_json_text(record, "input"),
                              mu_json_text(record, "variant")};
    const bool wanted = is_wanted(filter->request, &test) && (filter->studied || !is_studied(test.app));
    return filter->to->take(filter->to->context, wanted ? record : NULL, place, line, err);
}

static int read_records(const struct mu_table_request *request, bool studied, const struct mu_record_sink *sink,
                        struct mu_error *err)
{
    struct filter filter = {request, sink, studied};
    const struct mu_record_sink all = {sink->members, hand_on, &filter, request->chips};
    return mu_records_read(request->root, request->sets, request->set_count, &all, request->told ? NULL : stderr, err);
}

int mu_table_read(const struct mu_table_request *request, const struct mu_record_sink *sink, struct mu_error *err)
{
    return read_records(request, true, sink, err);
}

/* Takes in one record (mu_record_sink). */
static int put(void *context, json_t *record, size_t place, const struct mu_line *line, struct mu_error *err)
{
    (void)line;
    return mu_study_draft_put(context, record, place, err);
}

/* Which records of a reading a table asks for. */
struct choice {
    const struct mu_table_request *request;
    unsigned kinds;
    bool studied;
};

/* Returns true if a record is wanted (mu_study_draft_copy). */
static bool is_chosen(const struct mu_measurement *record, const void *context)
{
    const struct choice *choice = context;
    const unsigned kind = strcmp(record->kind, "tune") == 0 ? MU_STUDY_TUNED : MU_STUDY_MEASURED;
    return (choice->kinds & kind) != 0 && (choice->studied || !is_studied(record->app)) &&
           mu_table_wants(choice->request, record);
}

static int copy_draft(const struct mu_table_request *request, unsigned kinds, struct mu_study_draft *draft,
                      struct mu_error *err)
{
    const struct choice choice = {request, kinds, asks_for_studied(request)};
    if (mu_shared_records_fill(request, err) != MU_OK) return err->status;
    return mu_study_draft_copy(&request->reading->draft, is_chosen, &choice, draft, err);
}

int mu_table_draft(const struct mu_table_request *request, unsigned kinds, struct mu_study_draft *draft,
                   struct mu_error *err)
{
    const struct mu_record_sink sink = {.members = mu_study_members, .take = put, .context = draft};
    *draft = (struct mu_study_draft){.kinds = kinds};
    if (mu_shared_records_has(request)) return copy_draft(request, kinds, draft, err);
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

int mu_kept_take(struct mu_kept_records *kept, json_t *record, size_t place, struct mu_error *err)
{
    if (place >= kept->places) {
        const size_t places = place < 8 ? 16 : 2 * place;
        void *records = kept->records;
        if (mu_resize(&records, places, sizeof *kept->records, "records", err) != MU_OK) return err->status;
        kept->records = records;
        while (kept->places < places) kept->records[kept->places++] = NULL;
    }
    json_decref(kept->records[place]);
    kept->records[place] = json_incref(record);
    return MU_OK;
}

void mu_kept_release(void *state)
{
    struct mu_kept_records *kept = state;
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

bool mu_table_is_confident(const struct mu_ratio *ratio)
{
    return ratio->confident && !ratio->single;
}

void mu_table_ratio_cell(struct mu_grid *grid, const struct mu_ratio *ratio, int decimals)
{
    mu_grid_number(grid, ratio->value, decimals);
    if (!ratio->has_interval) return;
    mu_grid_interval(grid, ratio->low, ratio->high);
    mu_grid_sessions(grid, ratio->spans);
    if (!mu_table_is_confident(ratio)) mu_grid_mark(grid, " ~");
}

void mu_table_scope_note(struct mu_grid *grid, const size_t scopes[3])
{
    if (scopes[MU_APART_IN_SESSION] > 0)
        mu_grid_note(grid, "%zu ratios are of different sessions: what differs between those is in the ratio.",
                     scopes[MU_APART_IN_SESSION]);
}

/* Returns how many measurements are of the present clock. */
static size_t count_of_clock(const struct mu_study *study)
{
    size_t count = 0;
    for (size_t i = 0; i < study->count; i++) count += strcmp(study->measurements[i].clock, MU_CLOCK) == 0;
    return count;
}

const char *mu_table_clock_name(const char *clock)
{
    return strcmp(clock, MU_CLOCK) == 0 ? "with set-up" : "without set-up";
}

bool mu_table_has_clocks(const struct mu_study *study)
{
    const size_t count = count_of_clock(study);
    return count != 0 && count != study->count;
}

/* Notes what a name with a number behind it is. */
static void note_equal_names(struct mu_grid *grid, const struct mu_study *study)
{
    bool some = false;
    for (size_t i = 0; i < study->count; i++) some = some || strchr(study->measurements[i].chip, '~') != NULL;
    if (some) mu_grid_note(grid, "NAME~2: another device than NAME, whose records have the same name.");
}

void mu_table_study_notes(struct mu_grid *grid, const struct mu_study *study)
{
    note_equal_names(grid, study);
    if (count_of_clock(study) == study->count) return;
    mu_grid_note(
        grid,
        "without set-up (clock " MU_CLOCK_BEFORE "): timed from the first launch until the device has finished, "
        "without what the host does for a run before and behind that.%s",
        mu_table_has_clocks(study) ? " with set-up (clock " MU_CLOCK "): with that. The two are not compared." : "");
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
    else if (measurement->failed > 0 && measurement->record_count > measurement->failed)
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
        mu_grid_sessions(grid, level.spans);
        return;
    }
    if (mu_summarise(measurement->processes[0].values, measurement->processes[0].count, &summary, NULL) == MU_OK &&
        summary.has_interval)
        mu_grid_interval(grid, summary.low, summary.high);
    mu_grid_sessions(grid, 1);
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
