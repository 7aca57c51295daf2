/* muster results */
#include "records/results.h"
#include "base/grid.h"
#include "base/json.h"
#include "base/memory.h"
#include "harness/commands/arguments.h"
#include "harness/commands/command.h"
#include "harness/commands/output.h"
#include "harness/commands/results_csv.h"
#include "records/schema.h"
#include "records/sets.h"

#include <argp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum option_key { KEY_FORMAT = 256, KEY_FILTERS };

/* Records are kept where a member is what the option says. */
static const struct {
    const char *option, *member, *purpose;
} filters[] = {
    {"app", "app", "Only this app: suite/app, or app (default: all)"},
    {"input", "input", "Only this input (default: all)"},
    {"variant", "variant", "Only this variant (default: all)"},
    {"outcome", "outcome", "Only this outcome: ok, wrong, deadlock, … (default: all)"},
    {"chip", "chip", "Only this chip (default: all)"},
    {"kind", "kind", "Only runs (run), tries of a tuning (tune) or a campaign's runs (measure) (default: all)"},
    {"label", "label", "Only this label (default: all)"},
};

enum { FILTERS = sizeof filters / sizeof filters[0] };

enum format { FORMAT_TEXT, FORMAT_CSV, FORMAT_JSON, FORMATS };
static const char *const format_names[FORMATS] = {"text", "csv", "json"};

struct arguments {
    enum format format;
    struct mu_output output;
    const char *wanted[FILTERS]; /* NULL: all */
    const char **sets;
    size_t set_count;
    struct mu_error err;
};

static int parse_format(const char *text, struct arguments *arguments)
{
    for (int i = 0; i < FORMATS; i++) {
        if (strcmp(format_names[i], text) != 0) continue;
        arguments->format = (enum format)i;
        return MU_OK;
    }
    return mu_fail(&arguments->err, MU_USAGE, "--format=%s: no such choice; there are: text, csv, json", text);
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    if (key >= KEY_FILTERS && key < KEY_FILTERS + FILTERS) {
        arguments->wanted[key - KEY_FILTERS] = text;
        return 0;
    }
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->output;
        return 0;
    case KEY_FORMAT:
        parse_format(text, arguments);
        return 0;
    case ARGP_KEY_ARG:
        arguments->sets[arguments->set_count++] = text;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* ---- Filters ---- */

static const char *member_of(const json_t *record, const char *member)
{
    return strcmp(member, "kind") == 0 ? mu_record_kind(record) : mu_json_text(record, member);
}

/* "mis" is "pannotia/mis" too. */
static bool matches(const char *member, const char *value, const char *wanted)
{
    const char *slash = strchr(value, '/');
    if (strcmp(value, wanted) == 0) return true;
    return strcmp(member, "app") == 0 && slash != NULL && strcmp(slash + 1, wanted) == 0;
}

static bool is_wanted(const struct arguments *arguments, const json_t *record)
{
    for (size_t i = 0; i < FILTERS; i++)
        if (arguments->wanted[i] != NULL &&
            !matches(filters[i].member, member_of(record, filters[i].member), arguments->wanted[i]))
            return false;
    return true;
}

static json_t *choose(const struct arguments *arguments, const json_t *records, struct mu_error *err)
{
    size_t i;
    json_t *record;
    struct mu_json chosen = mu_json_array();
    json_array_foreach ((json_t *)records, i, record)
        if (is_wanted(arguments, record)) mu_json_append(&chosen, json_incref(record));
    return mu_json_take(&chosen, "records", err);
}

/* ---- Text: a row for each test, configuration and outcome ---- */

struct group {
    const json_t *first;
    size_t runs, samples;
};

/* The first ones are columns. */
static const char *const group_members[] = {
    "chip", "kind", "set", "label", "app", "input", "variant", "outcome", "configuration_hash", "kernel_hash"};
static const char *const group_numbers[] = {"workgroup", "team_limit"};

/* What distinguishes a group, as text; mu_free it. NULL with MU_NO_MEMORY. */
static char *group_text(const json_t *record, struct mu_error *err)
{
    char numbers[80] = "";
    for (size_t i = 0; i < sizeof group_numbers / sizeof group_numbers[0]; i++) {
        const json_t *number = json_object_get(record, group_numbers[i]);
        const size_t used = strlen(numbers);
        snprintf(numbers + used, sizeof numbers - used, number != NULL ? "\n%.17g" : "\n-", json_number_value(number));
    }
    char *text = mu_strdup(numbers, err);
    for (size_t i = 0; i < sizeof group_members / sizeof group_members[0] && text != NULL; i++) {
        char *longer = mu_format(err, "%s\n%s", member_of(record, group_members[i]), text);
        mu_free(text);
        text = longer;
    }
    return text;
}

/* Groups into `groups`, which has room for all records, in the order of their first ones; how many. */
static size_t make_groups(const json_t *records, struct group *groups, struct mu_error *err)
{
    size_t i, count = 0;
    json_t *record;
    struct mu_json places = mu_json_object(); /* one more than the place in `groups`, by text */
    json_array_foreach ((json_t *)records, i, record) {
        char *text = places.lost ? NULL : group_text(record, err);
        if (text == NULL) break;
        size_t place = (size_t)mu_json_number(places.value, text);
        if (place == 0) {
            groups[count++] = (struct group){.first = record};
            place = count;
            mu_json_set_number(&places, text, place);
        }
        mu_free(text);
        groups[place - 1].runs++;
        groups[place - 1].samples += json_array_size(json_object_get(record, "samples_ns"));
    }
    if (places.lost) mu_fail(err, MU_NO_MEMORY, "out of memory for %zu records", json_array_size(records));
    mu_json_release(&places);
    return count;
}

static void add_columns(struct mu_grid *grid)
{
    static const char *const left[] = {"chip", "kind", "set", "label", "app", "input", "variant"};
    static const char *const right[] = {"workgroup", "team", "runs", "samples"};
    for (size_t i = 0; i < sizeof left / sizeof left[0]; i++)
        mu_grid_column(grid, left[i], left[i], MU_COLUMN_LEFT | (i >= 1 && i <= 3 ? MU_COLUMN_MINOR : 0u));
    for (size_t i = 0; i < sizeof right / sizeof right[0]; i++)
        mu_grid_column(grid, right[i], right[i], i < 2 ? MU_COLUMN_MINOR : 0u);
    mu_grid_column(grid, "outcome", "outcome", MU_COLUMN_LEFT);
}

static void add_row(struct mu_grid *grid, const struct group *group)
{
    const json_t *team = json_object_get(group->first, "team_limit");
    mu_grid_row(grid);
    for (size_t i = 0; i < 7; i++) mu_grid_text(grid, "%s", member_of(group->first, group_members[i]));
    mu_grid_number(grid, mu_json_real(group->first, "workgroup"), 0);
    if (team != NULL)
        mu_grid_number(grid, json_number_value(team), 0);
    else
        mu_grid_empty(grid);
    mu_grid_number(grid, (double)group->runs, 0);
    mu_grid_number(grid, (double)group->samples, 0);
    mu_grid_text(grid, "%s", mu_json_text(group->first, "outcome"));
    if (strcmp(mu_json_text(group->first, "outcome"), "ok") != 0) mu_grid_tone(grid, MU_TONE_BAD);
}

/* "57 records: ok 56, wrong 1" */
static void note_outcomes(const json_t *records, struct mu_grid *grid)
{
    size_t i;
    const char *outcome;
    json_t *record, *count;
    struct mu_json counts = mu_json_object();
    char text[512] = "";
    json_array_foreach ((json_t *)records, i, record) {
        outcome = mu_json_text(record, "outcome");
        mu_json_set_number(&counts, outcome, mu_json_number(counts.value, outcome) + 1);
    }
    json_object_foreach (counts.value, outcome, count) {
        const size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s%s %lld", used != 0 ? ", " : ": ", outcome,
                 (long long)json_integer_value(count));
    }
    mu_grid_note(grid, "%zu records%s", json_array_size(records), text);
    mu_json_release(&counts);
}

static void print_text(const json_t *records, const struct mu_output *output, struct mu_error *err)
{
    struct mu_grids grids = {.err = err};
    struct group *groups = calloc(json_array_size(records) + 1, sizeof *groups);
    if (groups == NULL) {
        mu_fail(err, MU_NO_MEMORY, "out of memory for %zu records", json_array_size(records));
        return;
    }
    struct mu_grid *grid = mu_grids_add(&grids, "results", "Runs");
    add_columns(grid);
    const size_t count = make_groups(records, groups, err);
    for (size_t i = 0; i < count; i++) add_row(grid, &groups[i]);
    note_outcomes(records, grid);
    mu_output_print(output, &grids);
    mu_grids_release(&grids);
    free(groups);
}

static void print_json(const json_t *records)
{
    size_t i;
    json_t *record;
    json_array_foreach (records, i, record) {
        json_object_del(record, MU_RECORD_FILE);
        if (json_dumpf(record, stdout, JSON_COMPACT) == 0) putchar('\n');
    }
}

/* ---- The command ---- */

static void show(const struct arguments *arguments, struct mu_error *err)
{
    json_t *records = json_array(), *chosen = NULL;
    if (records == NULL) mu_fail(err, MU_NO_MEMORY, "out of memory for records");
    if (err->status == MU_OK && mu_records_load_all(mu_results_reading_root(stderr), arguments->sets,
                                                    arguments->set_count, records, stderr, err) == MU_OK) {
        chosen = choose(arguments, records, err);
        if (arguments->format == FORMAT_TEXT && chosen != NULL) print_text(chosen, &arguments->output, err);
        if (arguments->format == FORMAT_CSV) mu_results_print_csv(chosen, err);
        if (arguments->format == FORMAT_JSON) print_json(chosen);
    }
    json_decref(chosen);
    json_decref(records);
}

int mu_cmd_results(int argc, char **argv)
{
    struct argp_option options[FILTERS + 2] = {
        {"format", KEY_FORMAT, "FORMAT", 0,
         "text: a line for each test; csv: a line for each sample; json: the records, one a line (default: text)", 0}};
    for (int i = 0; i < FILTERS; i++)
        options[i + 1] = (struct argp_option){filters[i].option, KEY_FILTERS + i, "VALUE", 0, filters[i].purpose, 0};
    static const struct argp_child children[] = {{&mu_output_argp, 0, NULL, 0}, {0}};
    const struct argp argp = {options,
                              parse,
                              "[SET...]",
                              "Lists, filters and exports the runs of result sets: files of records, folders of such "
                              "files, or chips under the folder of results (MUSTER_RESULTS, else results). Without a "
                              "SET, all chips.",
                              children,
                              NULL,
                              NULL};
    struct arguments arguments = {.sets = calloc((size_t)argc + 1, sizeof *arguments.sets)};
    if (arguments.sets == NULL)
        mu_fail(&arguments.err, MU_NO_MEMORY, "out of memory");
    else
        mu_arguments_parse(&argp, argc, argv, &arguments, &arguments.err);
    mu_pass_error(&arguments.output.err, &arguments.err);
    if (arguments.output.format == MU_GRID_JSON) arguments.format = FORMAT_JSON;
    if (arguments.err.status == MU_OK) show(&arguments, &arguments.err);
    mu_finish_output(&arguments.err);
    free(arguments.sets);
    return mu_report(&arguments.err);
}
