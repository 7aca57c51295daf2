/* muster table load: what a load beside a cooperative plan gets, and what that costs the plan (thesis, figures 5.6
 * and 5.7, tables 5.5 and 5.6). */
#include "analysis/cooperative/load.h"
#include "analysis/tables/common.h"
#include "analysis/tables/reading.h"
#include "base/memory.h"
#include "records/optimisations/configurations.h"

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
    const json_t *numbers[SERIES];
    for (size_t i = 0; i < SERIES; i++) numbers[i] = json_object_get(record, members[i]);
    return describe(rows, record, &row, err) == MU_OK ? mu_load_rows_add(rows, &row, record, numbers, err)
                                                      : err->status;
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
    struct rows rows = mu_load_rows(true);
    const struct mu_kept_records *kept = mu_gather(request, &mu_load_gather, grids->err);
    for (size_t i = 0; kept != NULL && i < kept->places && grids->err->status == MU_OK; i++)
        if (kept->records[i] != NULL) add_record(&rows, kept->records[i], grids->err);
    if (grids->err->status == MU_OK && mu_load_rows_time(&rows, grids->err) == MU_OK &&
        mu_load_add_grid(&rows, grids) == MU_OK)
        mu_load_add_means(&rows, grids);
    mu_load_rows_release(&rows);
    mu_gathered_release(request, &mu_load_gather, (void *)kept);
    return grids->err->status;
}

const struct mu_table mu_table_beside = {"load", "what a load beside cooperative plans gets, and costs", fill};
