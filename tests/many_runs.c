/* For the shell tests: runs of apps on PoCL, all in this process.
 *
 *     many_runs DEADLINE <LINES
 *
 * Each line is what stands behind `muster run`: APP OPTION..., in words without spaces or quotes. A line with
 * --unoptimised, too, has its kernels compiled without optimising, in half the time. For each line a record is printed
 * in one line, as `muster run --json` prints it; what went wrong is told on standard error, too. All runs share one
 * context of one device, so that PoCL reads its library of functions for kernels once; of a program that is compiled in
 * a process of its own that is half of the time. A run that crashes, or that takes longer than DEADLINE seconds, ends
 * this process: the lines from that one on have no record. */
#include "harness/commands/arguments.h"
#include "harness/commands/command.h"
#include "harness/device/child.h"
#include "harness/device/device_list.h"
#include "harness/run/option_line.h"
#include "harness/run/process.h"
#include "harness/run/resolve.h"

#include <argp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_WORDS 64

/* What PoCL adds to the options of each program that it builds: it asks for this variable anew each time. */
#define BUILD_FLAGS "POCL_EXTRA_BUILD_FLAGS"

/* The device that all runs are on, opened by the first, and the caller's flags for PoCL's compiler, NULL for none. */
struct bench {
    const struct mu_device_info *info;
    struct mu_target target;
    char *flags;
};

struct line {
    struct mu_option_line options;
    struct mu_asked asked;
    const char *app;
    bool unoptimised;
};

enum option_key { KEY_INPUT = 256, KEY_KERNEL_DIR, KEY_UNOPTIMISED };

static const struct argp_option options[] = {{.name = "input", .key = KEY_INPUT, .arg = "INPUT"},
                                             {.name = "kernel-dir", .key = KEY_KERNEL_DIR, .arg = "FOLDER"},
                                             {.name = "unoptimised", .key = KEY_UNOPTIMISED},
                                             {0}};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct line *line = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &line->options;
        return 0;
    case KEY_INPUT:
        line->asked.input = text;
        return 0;
    case KEY_KERNEL_DIR:
        line->asked.kernel_dir = text;
        return 0;
    case KEY_UNOPTIMISED:
        line->unoptimised = true;
        return 0;
    case ARGP_KEY_ARG:
        line->app = text;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* What a line asks for, which borrows its text. */
static int read_line(char *text, struct line *line, struct mu_error *err)
{
    static char program[] = "many_runs";
    const struct argp_child children[] = {{&line->options.argp, 0, NULL, 0}, {0}};
    const struct argp argp = {.options = options, .parser = parse, .children = children};
    char *words[MOST_WORDS + 1] = {program};
    int count = 1;
    for (char *word = strtok(text, " \n"); word != NULL && count < MOST_WORDS; word = strtok(NULL, " \n"))
        words[count++] = word;
    *line = (struct line){.app = NULL};
    mu_option_line_make(&line->options, false);
    if (mu_arguments_parse(&argp, count, words, line, err) != MU_OK) return err->status;
    line->asked.app = mu_app_find(line->app != NULL ? line->app : "", err);
    return err->status == MU_OK ? mu_option_line_ask(&line->options, &line->asked, err) : err->status;
}

/* Has PoCL compile the next programs as a line asks for. */
static int compile_for(const struct bench *bench, const struct line *line, struct mu_error *err)
{
    const char *flags = line->unoptimised ? "-cl-opt-disable" : bench->flags;
    if ((flags != NULL ? setenv(BUILD_FLAGS, flags, 1) : unsetenv(BUILD_FLAGS)) == 0) return MU_OK;
    return mu_fail(err, MU_NO_MEMORY, "no memory to set " BUILD_FLAGS);
}

/* Opens the device for the first run. The driver's settings are those of that one. */
static int open_for(struct bench *bench, const struct mu_test *test, struct mu_error *err)
{
    if (bench->target.context != NULL) return MU_OK;
    mu_settings_apply(&test->driver);
    return mu_device_open(bench->info, false, &bench->target, err);
}

/* The child's parts of a test, in this process. */
static void serve(struct bench *bench, const struct mu_test *test, struct mu_json *response, struct mu_error *err)
{
    struct mu_process process = {0};
    json_t *request = json_pack("{s:o, s:o}", "test", mu_test_request(test), "device", mu_device_to_json(bench->info));
    if (mu_process_load(request, &process, response, err) == MU_OK && open_for(bench, test, err) == MU_OK) {
        process.target = bench->target;
        mu_process_measure(&process, response, err);
        process.target = (struct mu_target){0};
    }
    mu_process_close(&process);
    json_decref(request);
}

/* Runs a line and prints its record. False where nothing can run any more. */
static bool run(struct bench *bench, char *text, unsigned deadline_s)
{
    static struct line line;
    struct mu_test test;
    struct mu_error err = {0};
    if (read_line(text, &line, &err) != MU_OK || compile_for(bench, &line, &err) != MU_OK) {
        mu_report(&err);
        return false;
    }
    struct mu_json response = mu_json_object();
    const uint64_t start = mu_now_ns();
    alarm(deadline_s);
    if (mu_resolve(&line.asked, bench->info, &test, &err) == MU_OK) serve(bench, &test, &response, &err);
    alarm(0);
    struct mu_json built = mu_test_record(&test, bench->info, response.value, &err);
    mu_json_set_number(&built, "wall_ns", mu_now_ns() - start);
    mu_json_release(&response);
    json_t *record = mu_json_take(&built, "the record of a run", &err);
    const bool printed =
        record != NULL && json_dumpf(record, stdout, JSON_COMPACT) == 0 && puts("") >= 0 && fflush(stdout) == 0;
    json_decref(record);
    mu_report(&err);
    /* A deadlock that is told has ended on its device, a plan that broke a rule, too, and what is too large for an app
     * has been computed. */
    return printed && (mu_status_harmless(err.status) || err.status == MU_DEADLOCK || err.status == MU_USAGE ||
                       err.status == MU_LIMIT);
}

int main(int argc, char **argv)
{
    struct mu_error err = {0};
    struct bench bench = {0};
    struct mu_device_info info;
    char text[4096];
    bool goes_on = true;
    if (argc == 2 && strcmp(argv[1], MU_CHILD_ARGUMENT) == 0) return mu_child_main(mu_child_kinds);
    if (argc != 2) {
        fprintf(stderr, "usage: many_runs DEADLINE <LINES\n");
        return 2;
    }
    const unsigned deadline_s = (unsigned)strtoul(argv[1], NULL, 10);
    const char *flags = getenv(BUILD_FLAGS);
    if (flags != NULL && (bench.flags = strdup(flags)) == NULL) return 99;
    if (mu_device_choose("pocl", &info, NULL, &err) == MU_OK) bench.info = &info;
    while (bench.info != NULL && goes_on && fgets(text, sizeof text, stdin) != NULL)
        goes_on = run(&bench, text, deadline_s);
    mu_device_close(&bench.target);
    free(bench.flags);
    mu_report(&err);
    return goes_on ? mu_status_exit_code(err.status) : 1;
}
