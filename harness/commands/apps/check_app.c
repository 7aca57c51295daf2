/* muster check-app */
#include "base/memory.h"
#include "harness/commands/apps/check.h"
#include "harness/commands/arguments.h"
#include "harness/commands/command.h"
#include "inputs/generators/generators.h"
#include "inputs/input.h"
#include "variants/launch/opencl.h"

#include <argp.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum option_key {
    KEY_INPUT = 256,
    KEY_INPUT_FORMAT,
    KEY_DEVICE,
    KEY_KERNEL_DIR,
    KEY_BUDGET,
    KEY_DEADLINE,
    KEY_FIRST,
    KEY_OPTION
};

#define USUAL_BUDGET_S   180
#define USUAL_DEADLINE_S 60

static const struct argp_option options[] = {
    {"input", KEY_INPUT, "INPUT", 0,
     "A file or a generator, see muster list; may be given several times (default: some small ones)", 0},
    {"input-format", KEY_INPUT_FORMAT, "NAME", 0,
     "The format of the inputs' files, see muster list formats (default: by content)", 0},
    {"device", KEY_DEVICE, "DEVICE", 0, "Index, part of the name, or uuid, see muster devices (default: 0)", 0},
    {"kernel-dir", KEY_KERNEL_DIR, "FOLDER", 0,
     "Kernel sources in place of those inside the program; an app of your own may lie in FOLDER as in that of "
     "--with-apps",
     0},
    {"budget", KEY_BUDGET, "SECONDS", 0, "Begin no run after this time (default: 180)", 0},
    {"deadline", KEY_DEADLINE, "SECONDS", 0, "Time after which a run is killed (default: 60)", 0},
    {"first", KEY_FIRST, 0, 0, "End at the first run that differs (default: go on)", 0},
    {"option", KEY_OPTION, "SETTING", 0,
     "NAME=VALUE: an option of muster run for every run; may be given several times (default: none)", 0},
    {0},
};

enum { MOST_INPUTS = 32 };

struct arguments {
    struct mu_check check;
    const char *app, *input[MOST_INPUTS + 1];
    char format_option[32]; /* "input-format=NAME" */
    size_t input_count;
    struct mu_error err;
};

static void add_input(struct arguments *arguments, const char *text, const struct argp_state *state)
{
    if (arguments->input_count == MOST_INPUTS) argp_error(state, "--input=%s: more than %d inputs", text, MOST_INPUTS);
    mu_arguments_input(text, false, &arguments->err);
    arguments->input[arguments->input_count++] = text;
}

/* Adds an option to every run, and to the text of commands that repeat one. */
static void add_option(struct arguments *arguments, char *text)
{
    struct mu_check *check = &arguments->check;
    struct mu_error *err = &arguments->err;
    char *shown = mu_format(err, "%s --%s", check->own_text != NULL ? check->own_text : "", text);
    if (err->status == MU_OK) mu_option_line_give(&check->line, "option", text, err);
    mu_free(check->own_text);
    check->own_text = shown;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    struct mu_check *check = &arguments->check;
    const struct mu_argument_place places[] = {{KEY_DEVICE, &check->device, NULL},
                                               {KEY_KERNEL_DIR, &check->kernel_dir, NULL},
                                               {KEY_FIRST, NULL, &check->first},
                                               {0}};
    switch (key) {
    case KEY_INPUT:
        add_input(arguments, text, state);
        return 0;
    case KEY_INPUT_FORMAT:
        snprintf(arguments->format_option, sizeof arguments->format_option, "input-format=%s", text);
        add_option(arguments, arguments->format_option);
        return 0;
    case KEY_BUDGET:
        mu_parse_seconds("budget", text, &check->budget_s, &arguments->err);
        return 0;
    case KEY_DEADLINE:
        mu_parse_seconds("deadline", text, &check->deadline_s, &arguments->err);
        return 0;
    case KEY_OPTION:
        add_option(arguments, text);
        return 0;
    default:
        if (mu_arguments_store(places, key, text) == 0) return 0;
        return mu_arguments_app(&arguments->app, key, text, state);
    }
}

/* Prints a line for a configuration: what it was, and how it went. */
static void tell_row(const struct mu_check *check, const struct mu_check_row *row, uint32_t runs, size_t findings)
{
    char name[MU_CHECK_OPTIONS + 64];
    const uint32_t done = check->runs - runs;
    if (done == 0) return;
    snprintf(name, sizeof name, "%s %s", mu_variants[row->variant].name, row->options);
    printf("%-64s %3u units %3u run%s%s\n", name, check->units, done, done != 1 ? "s" : "",
           check->finding_count + check->more_findings != findings ? ", differs" : "");
    fflush(stdout);
}

/* Runs all configurations. The first multi-kernel runs are repeated under Oclgrind, which names the line of a
 * mistake. */
static void run_all(struct mu_check *check, struct mu_error *err)
{
    for (size_t i = 0; i < mu_check_row_count && err->status == MU_OK; i++) {
        const struct mu_check_row *row = &mu_check_rows[i];
        const uint32_t runs = check->runs;
        const size_t findings = check->finding_count + check->more_findings;
        bool found = true;
        check->corrupts = runs == 0;
        if (mu_check_run_row(check, row, err) == MU_OK) tell_row(check, row, runs, findings);
        if (check->corrupts && err->status == MU_OK) mu_check_judge_checker(check, err);
        if (i != 0 || err->status != MU_OK || !mu_check_wants(check, row->variant)) continue;
        const uint32_t before = check->runs;
        mu_check_oclgrind(check, &found, err);
        if (found)
            printf("%-64s %9s %3u runs\n", "multi-kernel under Oclgrind", "", check->runs - before);
        else
            puts("no run under Oclgrind, which finds races: it is not installed (Debian package oclgrind)");
    }
}

static int conclude(const struct mu_check *check, struct mu_error *err)
{
    uint32_t right = 0;
    for (int i = 0; i < MU_CHECK_VARIANTS; i++) right += check->right[i];
    if (check->finding_count != 0)
        return mu_fail(err, MU_WRONG, "%s/%s: %zu thing%s differed", check->app->suite, check->app->name,
                       check->finding_count + check->more_findings,
                       check->finding_count + check->more_findings != 1 ? "s" : "");
    if (right != 0) return MU_OK;
    return mu_fail(err, check->unsupported != 0 ? MU_UNSUPPORTED : MU_DEADLINE, "%s/%s: nothing was run%s%s",
                   check->app->suite, check->app->name, check->unsupported != 0 ? ": " : " within --budget",
                   check->unsupported_reason);
}

static int check_inputs(const struct mu_check *check, struct mu_error *err)
{
    const unsigned kind = check->app->kind == MU_KIND_MESH ? MU_OF_MESHES : MU_OF_GRAPHS;
    for (const char *const *input = check->inputs; *input != NULL && err->status == MU_OK; input++)
        mu_input_check(*input, kind, err);
    return err->status;
}

int mu_cmd_check_app(int argc, char **argv)
{
    static const struct argp argp = {
        .options = options,
        .parser = parse,
        .args_doc = "APP",
        .doc = "Runs APP as the project's tests run its own apps: on small inputs, in all variants, with teams of "
               "several sizes, workgroups, layouts of buffers and seeds, under random waits, and its steps under "
               "Oclgrind where that is installed. Each run is a process of its own, with a deadline. Ends with a list "
               "of what differed, the command that reproduces it, and, if known, the place in the source."};
    static struct arguments arguments;
    struct mu_check *check = &arguments.check;
    struct mu_error *err = &arguments.err;
    check->budget_s = USUAL_BUDGET_S;
    check->deadline_s = USUAL_DEADLINE_S;
    mu_option_line_make(&check->line, false);
    mu_arguments_parse(&argp, argc, argv, &arguments, err);
    if (err->status == MU_OK) check->app = mu_app_find(arguments.app, err);
    if (check->app != NULL && check->own_text == NULL) check->own_text = mu_strdup("", err);
    if (err->status == MU_OK && check->app != NULL) {
        check->inputs = arguments.input_count != 0 ? arguments.input : mu_check_inputs(check->app->kind);
        check->start_ns = mu_now_ns();
        if (check_inputs(check, err) == MU_OK) run_all(check, err);
        if (check->runs != 0) mu_check_tell(check);
        if (err->status == MU_OK) conclude(check, err);
    }
    mu_check_free(check);
    mu_finish_output(err);
    return mu_report(err);
}
