/* muster table */
#include "analysis/pages/all.h"
#include "analysis/tables/tables.h"
#include "base/plain.h"
#include "harness/commands/arguments.h"
#include "harness/commands/command.h"
#include "harness/commands/output.h"
#include "harness/engine/progress.h"
#include "records/results.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum option_key { KEY_PAPER = 256, KEY_ALL, KEY_CHIP, KEY_APP, KEY_INPUT, KEY_VARIANT };

static const struct argp_option options[] = {
    {"paper", KEY_PAPER, NULL, 0, "Put the figures published in 2016 for eight chips beside ours", 0},
    {"all", KEY_ALL, "FOLDER", 0,
     "Write every table in every format into the folder, and print none (default: print the table NAME)", 0},
    {"chip", KEY_CHIP, "CHIP", 0, "Only the results of this chip (default: all)", 0},
    {"app", KEY_APP, "APP", 0, "Only those of this app: suite/app, or app (default: all)", 0},
    {"input", KEY_INPUT, "INPUT", 0, "Only those on this input (default: all)", 0},
    {"variant", KEY_VARIANT, "VARIANT", 0, "Only those of this variant (default: all)", 0},
    {0},
};

struct arguments {
    struct mu_table_request request;
    struct mu_output output;
    const struct mu_table *table;
    const char *all;
    const char **sets;
    struct mu_error err;
};

static void list_tables(FILE *to)
{
    fputs("Tables:\n", to);
    for (const struct mu_table *const *table = mu_tables; *table != NULL; table++) {
        const char *question = mu_table_question(*table);
        if (question != NULL) fprintf(to, " %s\n", question);
        fprintf(to, "  %-14s %s\n", (*table)->name, (*table)->purpose);
    }
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    struct mu_table_request *request = &arguments->request;
    const struct mu_argument_place places[] = {{KEY_PAPER, NULL, &request->paper},
                                               {KEY_ALL, &arguments->all, NULL},
                                               {KEY_CHIP, &request->chip, NULL},
                                               {KEY_APP, &request->app, NULL},
                                               {KEY_INPUT, &request->input, NULL},
                                               {KEY_VARIANT, &request->variant, NULL},
                                               {0}};
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->output;
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num == 0)
            arguments->table = mu_table_find(text, &arguments->err);
        else
            arguments->sets[request->set_count++] = text;
        return 0;
    case ARGP_KEY_END:
        if (arguments->all != NULL && arguments->table != NULL)
            mu_fail(&arguments->err, MU_USAGE, "--all=%s is of all tables, and '%s' is one", arguments->all,
                    arguments->table->name);
        return 0;
    case ARGP_KEY_NO_ARGS:
        if (arguments->all != NULL) return 0;
        list_tables(stderr);
        mu_fail(&arguments->err, MU_USAGE, "which of these tables?");
        return 0;
    default:
        return mu_arguments_store(places, key, text);
    }
}

/* Returns the end of the text of --help: the list of tables. argp frees it. */
static char *filter_help(int key, const char *text, void *input)
{
    (void)input;
    if (key != ARGP_KEY_HELP_POST_DOC) return (char *)text;
    char *help = NULL;
    size_t bytes = 0;
    FILE *to = open_memstream(&help, &bytes);
    if (to == NULL) return NULL;
    list_tables(to);
    fputs(
        "\nA SET is a file of records, a folder of such files, or a chip under the folder of results (MUSTER_RESULTS, "
        "else results); SET@LABEL takes the records of one label. Without a SET, all chips are shown.",
        to);
    return fclose(to) == 0 ? help : NULL;
}

/* Writes the filters that were given, such as " --app=mis --chip=none". Returns false if there are none. */
static bool list_filters(const struct mu_table_request *request, char *text, size_t bytes)
{
    const char *const filters[][2] = {
        {"chip", request->chip}, {"app", request->app}, {"input", request->input}, {"variant", request->variant}};
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < sizeof filters / sizeof filters[0] && used < bytes; i++)
        if (filters[i][1] != NULL)
            used += (size_t)snprintf(text + used, bytes - used, " --%s=%s", filters[i][0], filters[i][1]);
    return used != 0;
}

/* Warns if the filters together exclude everything, since one may be misspelled. */
static void tell_empty(const struct mu_table_request *request, const struct mu_grids *grids)
{
    char filters[512];
    size_t rows = 0;
    for (size_t i = 0; i < grids->count; i++) rows += mu_grid_rows(grids->grid[i]);
    if (rows == 0 && list_filters(request, filters, sizeof filters))
        mu_note(stderr, "with%s there is nothing to show; muster results lists what there is", filters);
}

/* For struct mu_all_tables. */
static int tell_table(void *progress, const char *name, size_t done, size_t count, struct mu_error *err)
{
    mu_progress_show_part(progress, name, done, count);
    return err->status;
}

static int write_all(const struct arguments *arguments, struct mu_error *err)
{
    char filters[512];
    struct mu_progress progress;
    if (arguments->all[0] == '\0') return mu_fail(err, MU_USAGE, "--all= names no folder");
    if (list_filters(&arguments->request, filters, sizeof filters) || arguments->request.paper)
        return mu_fail(err, MU_USAGE, "--all=%s is of all results, and takes no%s%s", arguments->all, filters,
                       arguments->request.paper ? " --paper" : "");
    const struct mu_all_tables all = {
        .root = arguments->request.root, .folder = arguments->all, .tell = tell_table, .context = &progress};
    mu_progress_start(&progress, NULL, 0);
    mu_all_tables_write(&all, err);
    mu_progress_end(&progress);
    return err->status;
}

static int print_table(const struct arguments *arguments, struct mu_grids *grids, struct mu_error *err)
{
    if (arguments->table->fill(&arguments->request, grids) == MU_OK) mu_output_print(&arguments->output, grids);
    if (err->status == MU_OK) tell_empty(&arguments->request, grids);
    return err->status;
}

int mu_cmd_table(int argc, char **argv)
{
    static const struct argp_child children[] = {{&mu_output_format_argp, 0, NULL, 0}, {0}};
    static const struct argp argp = {options,     parse, "NAME [SET...]", "Prints a table of results.\v ", children,
                                     filter_help, NULL};
    struct arguments arguments = {0};
    struct mu_error *err = &arguments.err;
    struct mu_grids grids = {.err = err};
    arguments.sets = calloc((size_t)argc, sizeof *arguments.sets);
    if (arguments.sets == NULL) mu_fail(err, MU_NO_MEMORY, "out of memory");
    if (err->status == MU_OK) mu_arguments_parse(&argp, argc, argv, &arguments, err);
    mu_pass_error(&arguments.output.err, err);
    if (err->status == MU_OK) arguments.request.root = mu_results_reading_root();
    arguments.request.sets = arguments.sets;
    arguments.request.width = mu_output_width(&arguments.output);
    arguments.request.plain_rows = mu_grid_is_for_programs(arguments.output.format);
    if (err->status == MU_OK) arguments.all != NULL ? write_all(&arguments, err) : print_table(&arguments, &grids, err);
    mu_finish_output(err);
    mu_grids_release(&grids);
    free(arguments.sets);
    return mu_report(err);
}
