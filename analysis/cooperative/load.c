/* muster table load: what a load beside a cooperative plan gets, and what that costs the plan (thesis, figures 5.6
 * and 5.7, tables 5.5 and 5.6). */
#include "analysis/cooperative/load.h"
#include "analysis/tables/common.h"
#include "analysis/tables/reading.h"
#include "base/memory.h"
#include "records/implementations.h"
#include "records/optimisations/configurations.h"

#include <stdlib.h>
#include <string.h>

static const char *const members[SERIES] = {
    [RUN] = "samples_ns", [GATHER] = "load_gather_ns", [TASK] = "load_task_ns", [PERIOD] = "load_period_ns"};

static const char *const read_members[] = {"team",           "barriers",    "variant",        "outcome",
                                           "chip",           "driver",      "label",          "app",
                                           "input",          "input_hash",  "comparison",     "workgroup",
                                           "program_hash",   "kernel_hash", "configuration",  "configuration_from",
                                           "load_task",      "samples_ns",  "load_gather_ns", "load_task_ns",
                                           "load_period_ns", "clock",       "session",        NULL};

/* Options that say which load there is, … */
static const char *const of_load[] = {"load", "load_groups", "resizing", NULL};

/* … and those that change no time: how much is measured, how long a wait may take, how a roll call, which precedes the
 * clock, ends, and where memory lies, in which processes differ. All other options tell plans apart, whatever they are
 * named. */
static const char *const of_measuring[] = {
    "samples",    "warmup", "min_samples", "target_width", "max_time_s", "deadline",       "check",  "cache",
    "spin_limit", "groups", "expected",    "patience",     "stress",     "rollcall_delay", "layout", NULL};

static double number_of(const json_t *object, const char *name)
{
    const json_t *value = json_object_get(object, name);
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

static bool is_one_of(const char *const *names, const char *name)
{
    while (*names != NULL && strcmp(*names, name) != 0) names++;
    return *names != NULL;
}

static bool is_not_of_plan(const char *name)
{
    return is_one_of(of_load, name) || is_one_of(of_measuring, name);
}

static bool is_of_plan(const char *name)
{
    return !is_not_of_plan(name);
}

/* Returns the record's label without the loads that a campaign compared, since columns show these. The caller frees it;
 * NULL with MU_NO_MEMORY. */
static char *label_of_plan(const json_t *record, struct mu_error *err)
{
    char *label = mu_format(err, "%s", mu_json_text(record, "label"));
    if (label != NULL) mu_label_without(label, is_not_of_plan);
    return label;
}

/* Appends " name=value" for each option that the user chose, but for the variant, which is cooperative, and the team,
 * which has a column. Frees the text; NULL with MU_NO_MEMORY. */
static char *append_chosen(char *text, const json_t *record, struct mu_error *err)
{
    const json_t *configuration = json_object_get(record, "configuration");
    const char *name;
    json_t *origin;
    json_object_foreach (json_object_get(record, "configuration_from"), name, origin) {
        const json_t *value = json_object_get(configuration, name);
        const bool is_chosen = json_is_string(origin) && strcmp(json_string_value(origin), "option") == 0;
        char number[32];
        if (text == NULL) return NULL;
        if (!is_chosen || !is_of_plan(name) || strcmp(name, "variant") == 0 || strcmp(name, "team_limit") == 0)
            continue;
        snprintf(number, sizeof number, "%.10g", json_number_value(value));
        char *longer =
            mu_format(err, "%s %s=%s", text, name, json_is_string(value) ? json_string_value(value) : number);
        mu_free(text);
        text = longer;
    }
    return text;
}

/* Fills in how people tell the row's input and chip apart. */
static int add_texts(struct rows *rows, const json_t *record, struct row *row, struct mu_error *err)
{
    const json_t *configuration = json_object_get(record, "configuration");
    const char *asked = mu_json_text(configuration, "load_groups");
    char number[32], *label = label_of_plan(record, err);
    const char *mark = label != NULL && label[0] != '\0' ? "@" : "";
    char *chip = mu_format(err, "%s%s%s", mu_json_text(record, "chip"), mark, label != NULL ? label : "");
    char *input = append_chosen(mu_format(err, "%s", mu_json_text(record, "input")), record, err);
    snprintf(number, sizeof number, "%.10g", json_number_value(json_object_get(configuration, "load_groups")));
    const char *const texts[TEXTS] = {[CHIP] = chip,
                                      [APP] = mu_json_text(record, "app"),
                                      [INPUT] = input,
                                      [LOAD] = mu_json_text(configuration, "load"),
                                      [ASKED] = asked[0] != '\0' ? asked : number,
                                      [RESIZING] = mu_json_text(configuration, "resizing")};
    for (size_t i = 0; i < TEXTS && err->status == MU_OK; i++)
        row->text[i] = mu_words_keep(&rows->words, texts[i], err);
    mu_free(label);
    mu_free(chip);
    mu_free(input);
    return err->status;
}

/* Returns what tells plans apart: all options but those of the load and of the measuring, the input's content, device,
 * driver and program, and the clock. The caller releases it. */
static json_t *plan_key(const json_t *record, struct mu_error *err)
{
    static const char *const texts[] = {"chip",       "driver",    "app",          "input", "input_hash",
                                        "comparison", "workgroup", "program_hash", "clock"};
    struct mu_json key = mu_json_array(), options = mu_json_object();
    char *label = label_of_plan(record, err);
    const char *name;
    json_t *value;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        json_t *member = json_object_get(record, texts[i]);
        mu_json_append(&key, member != NULL ? json_incref(member) : json_null());
    }
    json_object_foreach (json_object_get(record, "configuration"), name, value)
        if (is_of_plan(name)) mu_json_set(&options, name, json_incref(value));
    mu_json_append_part(&key, &options);
    mu_json_append_text(&key, label != NULL ? label : "");
    mu_free(label);
    return mu_json_take(&key, "a plan's key", NULL);
}

/* Returns what tells kernels apart: the plan, and the kernels and team that came of it and of whether there is a load.
 * The caller releases it. */
static json_t *kernel_key(const json_t *record, const struct row *row)
{
    struct mu_json key = mu_json_array();
    mu_json_append_number(&key, row->plan);
    mu_json_append_text(&key, mu_json_text(record, "kernel_hash"));
    mu_json_append_number(&key, mu_json_number(record, "team"));
    return mu_json_take(&key, "a kernel's key", NULL);
}

/* Returns what tells rows apart: the kernel, and the load. The caller releases it. */
static json_t *row_key(const struct row *row)
{
    struct mu_json key = mu_json_array();
    mu_json_append_number(&key, row->kernel);
    for (size_t i = LOAD; i < TEXTS; i++) mu_json_append_text(&key, row->text[i]);
    return mu_json_take(&key, "a row's key", NULL);
}

static int describe(struct rows *rows, const json_t *record, struct row *row, struct mu_error *err)
{
    const json_t *task = json_object_get(record, "load_task");
    *row = (struct row){.team = number_of(record, "team"),
                        .groups = number_of(task, "groups"),
                        .barriers = number_of(record, "barriers"),
                        .wanted_ns = number_of(task, "period_ns"),
                        .alone_ns = number_of(task, "alone_ns")};
    mu_json_place(&rows->plans, plan_key(record, err), &row->plan);
    mu_json_place(&rows->kernels, kernel_key(record, row), &row->kernel);
    return add_texts(rows, record, row, err);
}

/* Returns true if the record is a measure of time: those under random schedules are none. */
static bool is_wanted(const json_t *record)
{
    const json_t *stress = json_object_get(json_object_get(record, "configuration"), "stress");
    return mu_json_is(record, "variant", "cooperative") && mu_json_is(record, "outcome", "ok") &&
           !json_is_number(stress);
}

static int add_record(struct rows *rows, const json_t *record, struct mu_error *err)
{
    struct row row;
    size_t at;
    const size_t session = mu_processes_session(&rows->sessions, record);
    if (describe(rows, record, &row, err) != MU_OK) return err->status;
    if (mu_json_place(&rows->keys, row_key(&row), &at)) {
        at = rows->count;
        void *grown = rows->rows;
        if (mu_resize(&grown, rows->count + 1, sizeof row, "rows", err) != MU_OK) return err->status;
        rows->rows = grown;
        rows->rows[rows->count++] = row;
    }
    for (size_t i = 0; i < SERIES; i++)
        if (mu_processes_add(&rows->rows[at].series[i], json_object_get(record, members[i]), session, err) != MU_OK)
            break;
    return err->status;
}

static bool is_load(const struct row *row, const char *load)
{
    return strcmp(row->text[LOAD], load) == 0;
}

bool mu_load_is(const struct row *row)
{
    return row->text[LOAD][0] != '\0' && !is_load(row, "none") && !is_load(row, "idle");
}

/* Returns the place of a name in a list of choices; behind the last one for none of them. */
static int place_of(const struct mu_choice *choices, const char *name)
{
    int place = 0;
    while (choices[place].name != NULL && strcmp(choices[place].name, name) != 0) place++;
    return place;
}

/* For qsort: by chip, app, input, load, workgroups, barrier, and the team. */
static int compare_rows(const void *left, const void *right)
{
    const struct row *a = left, *b = right;
    int order = 0;
    for (size_t i = CHIP; i <= INPUT && order == 0; i++) order = strcmp(a->text[i], b->text[i]);
    if (order == 0) order = place_of(mu_loads, a->text[LOAD]) - place_of(mu_loads, b->text[LOAD]);
    if (order == 0) order = (a->groups > b->groups) - (a->groups < b->groups);
    if (order == 0) order = place_of(mu_resizings, a->text[RESIZING]) - place_of(mu_resizings, b->text[RESIZING]);
    if (order == 0) order = (a->team > b->team) - (a->team < b->team);
    return order != 0 ? order : (a->kernel > b->kernel) - (a->kernel < b->kernel);
}

/* Sorts the rows, and finds their times and what those with a load are compared with. */
static int time_rows(struct rows *rows, struct mu_error *err)
{
    if (rows->plans.lost || rows->keys.lost || rows->kernels.lost || rows->sessions.lost)
        return mu_fail(err, MU_NO_MEMORY, "out of memory: rows");
    rows->idle = mu_calloc(rows->count + 1, sizeof *rows->idle, "times", err);
    if (rows->idle == NULL) return err->status;
    rows->alone = mu_calloc(rows->count + 1, sizeof *rows->alone, "times", err);
    if (rows->alone == NULL) return err->status;
    if (rows->count != 0) qsort(rows->rows, rows->count, sizeof *rows->rows, compare_rows);
    for (size_t i = 0; i < rows->count; i++) {
        struct row *row = &rows->rows[i];
        for (size_t k = 0; k < SERIES; k++)
            if (mu_processes_level(&row->series[k], err) != MU_OK) return err->status;
        const struct row **base = is_load(row, "idle") ? &rows->idle[row->kernel] : &rows->alone[row->plan];
        if (!mu_load_is(row) && *base == NULL) *base = row;
    }
    return MU_OK;
}

bool mu_load_slowdown(const struct rows *rows, const struct row *row, struct mu_ratio *slowdown, bool *is_idle)
{
    const struct row *base = rows->idle[row->kernel];
    *is_idle = base != NULL;
    if (base == NULL) base = rows->alone[row->plan];
    return base != NULL && mu_processes_ratio(&row->series[RUN], &base->series[RUN], slowdown);
}

static void slowdown_cell(struct mu_grid *grid, const struct rows *rows, const struct row *row)
{
    struct mu_ratio slowdown;
    bool is_idle;
    const bool known = mu_load_slowdown(rows, row, &slowdown, &is_idle);
    mu_processes_ratio_cell(grid, known ? &slowdown : NULL);
    if (known && !is_idle) mu_grid_mark(grid, " (none)");
}

static void add_row(struct mu_grid *grid, const struct rows *rows, const struct row *row)
{
    mu_grid_row(grid);
    for (size_t i = 0; i < TEXTS; i++)
        if (i != ASKED) mu_grid_text(grid, "%s", row->text[i]);
    mu_grid_number(grid, row->team, 0);
    mu_grid_number(grid, row->groups, 0);
    mu_grid_number(grid, (double)row->series[RUN].count, 0);
    mu_grid_number(grid, (double)row->series[TASK].values, 0);
    mu_processes_cell(grid, &row->series[GATHER]);
    mu_grid_time(grid, row->series[GATHER].count != 0 ? row->series[GATHER].most : (double)NAN);
    mu_processes_cell(grid, &row->series[TASK]);
    mu_processes_cell(grid, &row->series[PERIOD]);
    mu_grid_time(grid, row->wanted_ns);
    mu_processes_cell(grid, &row->series[RUN]);
    slowdown_cell(grid, rows, row);
    mu_grid_number(grid, row->wanted_ns / (row->wanted_ns - row->alone_ns), 3);
    mu_grid_number(grid, row->barriers / (mu_processes_ns(&row->series[RUN]) * 1e-9), 0);
}

static void add_columns(struct mu_grid *grid)
{
    static const char *const lefts[] = {"chip", "app", "input", "load", "resizing"};
    static const struct {
        const char *name, *title;
        unsigned is;
    } rights[] = {{"team", "team", 0},
                  {"groups", "groups", 0},
                  {"processes", "processes", 0},
                  {"tasks", "tasks", 0},
                  {"gather_ns", "gather", MU_COLUMN_INTERVAL},
                  {"gather_most_ns", "gather, most", 0},
                  {"task_ns", "task", MU_COLUMN_INTERVAL},
                  {"period_ns", "period", MU_COLUMN_INTERVAL},
                  {"period_asked_ns", "asked", 0},
                  {"run_ns", "plan", MU_COLUMN_INTERVAL},
                  {"slowdown", "slowdown", MU_COLUMN_INTERVAL},
                  {"preempted", "preempted", 0},
                  {"barriers_per_s", "barriers/s", 0}};
    for (size_t i = 0; i < sizeof lefts / sizeof lefts[0]; i++)
        mu_grid_column(grid, lefts[i], lefts[i], MU_COLUMN_LEFT);
    for (size_t i = 0; i < sizeof rights / sizeof rights[0]; i++)
        mu_grid_column(grid, rights[i].name, rights[i].title, rights[i].is);
}

static void add_notes(struct mu_grid *grid)
{
    mu_grid_note(grid,
                 "gather: from a request until its workgroups are parked; task: from there until it is done; period: "
                 "from one request to the next. Means over the processes of the medians of each.");
    mu_grid_note(grid, "light, medium, heavy: the thesis's (table 5.3), tasks of 3, 3 and 10 ms on all workgroups "
                       "every 70, 40 and 40 ms; brief is not.");
    mu_grid_note(grid,
                 "slowdown: of the plan, over the same kernel and team with load idle, in which nothing asks; (none): "
                 "over the kernel that has no load, whose team may be larger.");
    mu_grid_note(grid, "preempted: what preemption of the whole kernel would cost, P / (P - D), with the period that "
                       "is asked for and the task's time on all workgroups.");
    mu_grid_note(grid, "Plans differ in any option but those of the load; rows that look alike are of different "
                       "kernels, drivers or inputs. " MU_NOT_CONFIDENT_NOTE);
}

static void release(struct rows *rows)
{
    for (size_t i = 0; i < rows->count; i++)
        for (size_t k = 0; k < SERIES; k++) mu_processes_release(&rows->rows[i].series[k]);
    mu_free(rows->rows);
    mu_free(rows->idle);
    mu_free(rows->alone);
    mu_json_release(&rows->keys);
    mu_json_release(&rows->plans);
    mu_json_release(&rows->kernels);
    mu_json_release(&rows->sessions);
    mu_words_release(&rows->words);
}

/* Takes in one record (struct mu_gather). */
static int take(void *state, json_t *record, size_t place, const struct mu_line *line, struct mu_error *err)
{
    (void)line;
    return mu_kept_take(state, record != NULL && is_wanted(record) ? record : NULL, place, err);
}

const struct mu_gather mu_load_gather = {read_members, sizeof(struct mu_kept_records), take, mu_kept_release};

static int fill(const struct mu_table_request *request, struct mu_grids *grids)
{
    struct rows rows = {
        .keys = mu_json_object(), .plans = mu_json_object(), .kernels = mu_json_object(), .sessions = mu_json_object()};
    struct mu_grid *grid = mu_grids_add(grids, "load", "A load beside cooperative plans");
    add_columns(grid);
    const struct mu_kept_records *kept = mu_gather(request, &mu_load_gather, grids->err);
    for (size_t i = 0; kept != NULL && i < kept->places && grids->err->status == MU_OK; i++)
        if (kept->records[i] != NULL) add_record(&rows, kept->records[i], grids->err);
    if (grids->err->status == MU_OK) time_rows(&rows, grids->err);
    for (size_t i = 0; i < rows.count && grids->err->status == MU_OK; i++)
        if (mu_load_is(&rows.rows[i])) add_row(grid, &rows, &rows.rows[i]);
    add_notes(grid);
    if (grids->err->status == MU_OK) mu_load_add_means(&rows, grids);
    release(&rows);
    mu_gathered_release(request, &mu_load_gather, (void *)kept);
    return grids->err->status;
}

const struct mu_table mu_table_beside = {"load", "what a load beside cooperative plans gets, and costs", fill};
