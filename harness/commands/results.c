/* muster results */
#include "records/results.h"
#include "base/grid.h"
#include "base/json.h"
#include "base/memory.h"
#include "harness/commands/arguments.h"
#include "harness/commands/command.h"
#include "harness/commands/output.h"
#include "harness/commands/results/csv.h"
#include "harness/commands/results/list.h"
#include "harness/commands/results/merge.h"
#include "harness/commands/results/spool.h"
#include "harness/device/child.h"
#include "records/schema.h"
#include "records/sets.h"

#include <argp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum option_key { KEY_FORMAT = 256, KEY_OUTPUT, KEY_FILTERS };

/* Filters: a record passes if its member equals the option's value. */
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
    bool merge;         /* the first argument is the word "merge" */
    const char *merged; /* file for merged records; NULL: standard output */
    struct mu_output output;
    const char *wanted[FILTERS]; /* sets to read; NULL: all */
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
    case KEY_OUTPUT:
        arguments->merged = text;
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num == 0 && strcmp(text, "merge") == 0)
            arguments->merge = true;
        else
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

/* Returns true if a member has the wanted value. An app may lack its suite: "mis" equals "pannotia/mis". */
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

/* ---- What is gathered of the records ---- */

struct gathered {
    const struct arguments *arguments;
    struct mu_results_list list; /* for people */
    struct mu_spool spool;       /* for programs */
};

/* Keeps a record for the list or the spool. For mu_record_sink. */
static int gather(void *context, json_t *record, size_t place, const struct mu_line *line, struct mu_error *err)
{
    struct gathered *gathered = context;
    const bool wanted = is_wanted(gathered->arguments, record);
    if (gathered->arguments->format == FORMAT_TEXT)
        return mu_results_list_put(&gathered->list, wanted ? record : NULL, place, err);
    return mu_spool_put(&gathered->spool, wanted ? line : NULL, place, err);
}

static void print_text(struct mu_results_list *list, const struct mu_output *output, struct mu_error *err)
{
    struct mu_grids grids = {.err = err};
    mu_results_list_fill(list, mu_grids_add(&grids, "results", "Runs"), err);
    mu_output_print(output, &grids);
    mu_grids_release(&grids);
}

/* Prints a record as JSON. For mu_spool_each. */
static int print_json(void *context, json_t *record, struct mu_error *err)
{
    (void)context;
    (void)err;
    if (json_dumpf(record, stdout, JSON_COMPACT) == 0) putchar('\n');
    return MU_OK;
}

/* ---- The command ---- */

static void show(const struct arguments *arguments, struct mu_error *err)
{
    struct gathered gathered = {.arguments = arguments};
    const struct mu_record_sink sink = {.members = mu_results_list_members, .take = gather, .context = &gathered};
    const char *root = mu_results_reading_root();
    if (mu_records_read(root, arguments->sets, arguments->set_count, &sink, stderr, err) == MU_OK) {
        if (arguments->format == FORMAT_TEXT) print_text(&gathered.list, &arguments->output, err);
        if (arguments->format == FORMAT_CSV) mu_results_print_csv(&gathered.spool, err);
        if (arguments->format == FORMAT_JSON) mu_spool_each(&gathered.spool, NULL, print_json, NULL, err);
    }
    mu_results_list_release(&gathered.list);
    mu_spool_release(&gathered.spool);
}

/* Returns true if the filters let a record pass. For struct mu_merge_request. */
static bool is_merged(const void *arguments, const json_t *record)
{
    return is_wanted(arguments, record);
}

/* Merges records. From here on signals are only noted, so that no part of a file is left behind. */
static void merge(const struct arguments *arguments, struct mu_error *err)
{
    const struct mu_merge_request request = {.root = mu_results_reading_root(),
                                             .sets = arguments->sets,
                                             .set_count = arguments->set_count,
                                             .output = arguments->merged,
                                             .is_wanted = is_merged,
                                             .context = arguments};
    if (arguments->format == FORMAT_CSV) {
        mu_fail(err, MU_USAGE, "--format=csv: merge writes the records as they are, as JSON Lines");
        return;
    }
    mu_child_catch_signals();
    mu_results_merge(&request, err);
}

int mu_cmd_results(int argc, char **argv)
{
    struct argp_option options[FILTERS + 3] = {
        {"format", KEY_FORMAT, "FORMAT", 0,
         "text: a line for each test; csv: a line for each sample; json: the records, one a line (default: text)", 0},
        {"output", KEY_OUTPUT, "FILE", 0, "With merge: the file for the records (default: standard output)", 0}};
    for (int i = 0; i < FILTERS; i++)
        options[i + 2] = (struct argp_option){filters[i].option, KEY_FILTERS + i, "VALUE", 0, filters[i].purpose, 0};
    static const struct argp_child children[] = {{&mu_output_argp, 0, NULL, 0}, {0}};
    const struct argp argp = {options,
                              parse,
                              "[merge] [SET...]",
                              "Lists, filters and exports the runs of result sets: files of records, folders of such "
                              "files, or chips under the folder of results (MUSTER_RESULTS, else results). Without a "
                              "SET, all chips. With the word merge, combines them into one file that does not depend "
                              "on their order. It holds each run once; damaged lines and conflicts are reported.",
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
    if (arguments.merged != NULL && !arguments.merge) mu_fail(&arguments.err, MU_USAGE, "--output goes with merge");
    if (arguments.err.status == MU_OK && arguments.merge)
        merge(&arguments, &arguments.err);
    else if (arguments.err.status == MU_OK)
        show(&arguments, &arguments.err);
    mu_finish_output(&arguments.err);
    free(arguments.sets);
    return mu_report(&arguments.err);
}
