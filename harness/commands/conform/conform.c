/* muster conform */
#include "harness/conform/conform.h"
#include "base/date.h"
#include "base/sink.h"
#include "harness/commands/arguments.h"
#include "harness/commands/command.h"
#include "harness/commands/conform/times.h"
#include "harness/device/device_list.h"
#include "harness/run/options.h"
#include "records/results.h"

#include <argp.h>
#include <stdlib.h>

#define DEFAULT_BUDGET_S 600

/* One part of the budget goes to times of apps, unless that is too little to show anything. */
#define PART_OF_TIMES 5
#define LEAST_TIMES_S 60

enum option_key {
    KEY_DEVICE = 256,
    KEY_BUDGET,
    KEY_ROUNDS,
    KEY_ONLY,
    KEY_BASELINE,
    KEY_WAIVERS,
    KEY_RESTART,
    KEY_JUNIT,
    KEY_JSON
};

static const struct argp_option options[] = {
    {"device", KEY_DEVICE, "DEVICE", 0, "Index, part of the name, or uuid, see muster devices (default: 0)", 0},
    {"budget", KEY_BUDGET, "TIME", 0,
     "Try for about this long, such as 90s, 10m or 2h, including an earlier call that was stopped (default: 10m)", 0},
    {"rounds", KEY_ROUNDS, "N", 0, "Largest number of rounds, each of which tries everything (default: as many as fit)",
     0},
    {"only", KEY_ONLY, "PATTERN", 0, "Only tests whose names match, such as 'barrier/c11/*' (default: all)", 0},
    {"baseline", KEY_BASELINE, "FILE", 0,
     "JSON that an earlier conform printed, its measurements, or a folder with one of these: what is refuted there is "
     "not new (default: every refutation is new)",
     0},
    {"waivers", KEY_WAIVERS, "FILE", 0,
     "Known failures, one a line: a test or pattern, optionally a date until which it is accepted (YYYY-MM-DD), and a "
     "reason (default: none)",
     0},
    {"restart", KEY_RESTART, 0, 0,
     "Try everything again; the old file becomes conform.jsonl.old (default: continue with this driver's measurements)",
     0},
    {"junit", KEY_JUNIT, "FILE", 0, "Also write a JUnit report, in which new refutations are failures (default: none)",
     MU_GROUP_OUTPUT},
    {"json", KEY_JSON, 0, 0, "JSON, for programs (default: text)", MU_GROUP_OUTPUT},
    {0},
};

struct arguments {
    struct mu_conform_options conform;
    const char *device, *baseline, *waivers, *junit;
    bool json;
    struct mu_error err;
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    const struct mu_argument_place places[] = {
        {KEY_DEVICE, &arguments->device, NULL},     {KEY_ONLY, &arguments->conform.only, NULL},
        {KEY_BASELINE, &arguments->baseline, NULL}, {KEY_WAIVERS, &arguments->waivers, NULL},
        {KEY_JUNIT, &arguments->junit, NULL},       {KEY_RESTART, NULL, &arguments->conform.restart},
        {KEY_JSON, NULL, &arguments->json},         {0}};
    uint64_t number = 0;
    if (key == KEY_JUNIT) mu_sink_check(text, &arguments->err);
    switch (key) {
    case KEY_BUDGET:
        mu_parse_duration("budget", text, &arguments->conform.budget_s, &arguments->err);
        return 0;
    case KEY_ROUNDS:
        if (mu_parse_number("rounds", text, 1, 1000, &number, &arguments->err) == MU_OK)
            arguments->conform.rounds = (uint32_t)number;
        return 0;
    default:
        return mu_arguments_options(places, key, text, state, &arguments->err);
    }
}

/* Writes the verdicts beside the measurements. */
static int keep(const struct mu_conform *conform, const json_t *verdicts, struct mu_error *err)
{
    char path[PATH_MAX];
    struct mu_sink *sink = NULL;
    char *text = json_dumps(verdicts, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
    if (text == NULL) mu_fail(err, MU_NO_MEMORY, "out of memory: the verdicts of conform");
    if (text != NULL && mu_results_path(conform->info->chip, MU_CONFORM_VERDICTS, path, sizeof path, err) == MU_OK &&
        mu_sink_open(path, &sink, err) == MU_OK)
        mu_sink_text(sink, text);
    free(text);
    return mu_sink_close(sink, err->status, err);
}

static void tell(const struct mu_conform *conform, const struct arguments *arguments, struct mu_error *err)
{
    struct mu_junit junit = {0};
    json_t *verdicts = mu_conform_to_json(conform, err);
    if (verdicts != NULL && keep(conform, verdicts, err) == MU_OK) {
        if (arguments->json)
            mu_print_json(json_incref(verdicts), 9, err);
        else
            mu_conform_print(conform, stdout);
    }
    json_decref(verdicts);
    if (arguments->junit != NULL && err->status == MU_OK) {
        mu_conform_to_junit(conform, &junit);
        mu_junit_write(&junit, "muster conform", arguments->junit, err);
    }
    mu_junit_release(&junit);
}

static int read_known(struct mu_conform *conform, const struct arguments *arguments, struct mu_error *err)
{
    char today[MU_DATE_TEXT];
    mu_date_now(today);
    if (arguments->baseline != NULL) mu_conform_read_baseline(conform, arguments->baseline, err);
    if (arguments->waivers != NULL && err->status == MU_OK)
        mu_conform_read_waivers(conform, arguments->waivers, today, stderr, err);
    return err->status;
}

/* Tries everything, within the budget. */
static int try_all(struct mu_conform *conform, struct mu_error *late, struct mu_error *err)
{
    const double times_s = conform->options.budget_s / PART_OF_TIMES;
    const bool whole = conform->options.only == NULL && conform->options.rounds == 0 && times_s >= LEAST_TIMES_S;
    if (whole) conform->options.budget_s -= times_s;
    if (mu_conform_run(conform, late, err) != MU_OK) return err->status;
    if (whole) conform->options.budget_s += times_s;
    mu_conform_mark(conform);
    if (mu_conform_keep_score(conform, err) != MU_OK) return err->status;
    if (!whole || late->status != MU_OK || conform->selftest.trust != MU_TRUSTED) return MU_OK;
    return mu_conform_measure_times(conform, times_s, err) == MU_OK ? mu_conform_compare_times(conform, err)
                                                                    : err->status;
}

/* Runs the command. *status gets the verdicts' status. */
static void run(const struct arguments *arguments, int *status, struct mu_error *err)
{
    struct mu_device_info info;
    struct mu_conform conform = {.info = &info, .options = arguments->conform};
    struct mu_error late = {0};
    if (mu_device_choose(arguments->device, &info, NULL, err) == MU_OK &&
        read_known(&conform, arguments, err) == MU_OK && try_all(&conform, &late, err) == MU_OK) {
        if (mu_conform_reproduce(&conform, err) == MU_OK) tell(&conform, arguments, err);
        *status = mu_conform_status(&conform);
        if (*status != MU_WRONG) mu_pass_error(&late, err);
    }
    mu_conform_release(&conform);
}

int mu_cmd_conform(int argc, char **argv)
{
    static const struct argp argp = {
        options,
        parse,
        NULL,
        "Finds out whether workgroups of a device may wait for each other: tries what muster's synchronisation relies "
        "on, from single accesses to barriers among as many workgroups as fit, for as long as the budget says, and "
        "prints a line for each statement: refuted, not refuted, or not tried. What is needed to reproduce a "
        "refutation is written to mine/<chip>/conform/. Every test is a process of its own, with a deadline; after an "
        "interruption the same command continues.\vExit codes: 0 nothing new is refuted, 1 something is, 2 usage or "
        "input, 3 a test ended by a crash or an error of the device, 4 by its deadline, 130 interrupted.",
        NULL,
        NULL,
        NULL};
    struct arguments arguments = {.conform.budget_s = DEFAULT_BUDGET_S};
    struct mu_error *err = &arguments.err;
    int status = MU_OK;
    if (mu_arguments_parse(&argp, argc, argv, &arguments, err) == MU_OK && err->status == MU_OK)
        run(&arguments, &status, err);
    mu_finish_output(err);
    return err->status == MU_OK ? mu_status_exit_code(status) : mu_report(err);
}
