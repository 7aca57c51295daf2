/* muster bench */
#include "analysis/show.h"
#include "harness/child.h"
#include "harness/command.h"
#include "harness/device_list.h"
#include "harness/selftest.h"
#include "harness/test.h"
#include "variants/opencl.h"

#include <argp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum option_key { KEY_DEVICE = 256, KEY_SUITE, KEY_SAMPLES, KEY_DEADLINE, KEY_OUTPUT };

/* The suites: which inputs the apps run on. */
static const struct {
    const char *name, *purpose;
    const char *inputs[8];
} suites[] = {
    {"smoke", "a minute on two cores", {"road:100", "grid2d:128x128", "rmat:13", NULL}},
    {"large", "inputs for a GPU", {"road:1000", "grid2d:1000x1000", "rmat:20", "uniform:20", NULL}},
};

enum { SUITES = sizeof suites / sizeof suites[0] };

static const struct argp_option options[] = {
    {"device", KEY_DEVICE, "DEVICE", 0, "Index, or part of the name, see muster devices (default: 0)", 0},
    {"suite", KEY_SUITE, "NAME", 0, "smoke (a minute on two cores) or large (inputs for a GPU) (default: smoke)", 0},
    {"samples", KEY_SAMPLES, "N", 0, "Timed executions of each test (default: 10)", 0},
    {"deadline", KEY_DEADLINE, "SECONDS", 0, "Time after which a test is killed (default: 120)", 0},
    {"output", KEY_OUTPUT, "FILE", 0, "Append every record to FILE, one line of JSON each (default: none)", 0},
    {0},
};

struct campaign {
    struct mu_test base;
    const char *device, *output;
    size_t suite;
    struct mu_error err;
    const struct mu_device_info *info;
    json_t *records;
    FILE *file;
    uint64_t start_ns;
    uint32_t done, planned, failed;
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct campaign *campaign = state->input;
    uint64_t number = 0;
    switch (key) {
    case KEY_DEVICE:
        campaign->device = text;
        return 0;
    case KEY_SUITE:
        for (campaign->suite = 0; campaign->suite < SUITES; campaign->suite++)
            if (strcmp(suites[campaign->suite].name, text) == 0) return 0;
        mu_fail(&campaign->err, MU_USAGE, "--suite=%s: no such choice; there are: smoke, large", text);
        return 0;
    case KEY_SAMPLES:
        if (mu_parse_number("samples", text, 1, 1000000, &number, &campaign->err) == MU_OK)
            campaign->base.samples = (uint32_t)number;
        return 0;
    case KEY_DEADLINE:
        mu_parse_seconds("deadline", text, &campaign->base.deadline_s, &campaign->err);
        return 0;
    case KEY_OUTPUT:
        campaign->output = text;
        return 0;
    case ARGP_KEY_ARG:
        argp_usage(state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* "[3/18]  0:12, 1:02 to go  lonestar/bfs road:150 portable: ok" */
static void show_progress(const struct campaign *campaign, const struct mu_test *test, const char *outcome)
{
    const uint64_t elapsed = (mu_now_ns() - campaign->start_ns) / 1000000000;
    const uint64_t left = campaign->done != 0 ? elapsed * (campaign->planned - campaign->done) / campaign->done : 0;
    const bool terminal = isatty(STDERR_FILENO);
    if (outcome == NULL && !terminal) return;
    fprintf(stderr, "%s[%u/%u] %llu:%02llu", terminal ? "\r\033[K" : "", campaign->done + (outcome == NULL),
            campaign->planned, (unsigned long long)elapsed / 60, (unsigned long long)elapsed % 60);
    if (campaign->done != 0)
        fprintf(stderr, ", about %llu:%02llu to go", (unsigned long long)left / 60, (unsigned long long)left % 60);
    fprintf(stderr, "  %s/%s %s %s%s%s", test->app->suite, test->app->name, test->input,
            mu_variants[test->variant].name, outcome != NULL ? ": " : " …", outcome != NULL ? outcome : "");
    if (outcome != NULL && (!terminal || strcmp(outcome, "ok") != 0)) fputc('\n', stderr);
    fflush(stderr);
}

/* Appends the record to the file and flushes it to the disk before the next test. */
static int store(struct campaign *campaign, const json_t *record)
{
    if (campaign->file == NULL) return MU_OK;
    if (json_dumpf(record, campaign->file, JSON_COMPACT) != 0 || fputc('\n', campaign->file) == EOF ||
        fflush(campaign->file) != 0 || fsync(fileno(campaign->file)) != 0)
        return mu_fail(&campaign->err, MU_IO, "%s: cannot append a record", campaign->output);
    return MU_OK;
}

/* After a hang or a crash: a device that fails its self-test now ends the campaign. */
static int check_health(struct campaign *campaign, const struct mu_error *failure)
{
    struct mu_selftest selftest;
    if (failure->status != MU_DEADLINE && failure->status != MU_CRASH && failure->status != MU_DEVICE) return MU_OK;
    if (mu_selftest_get(campaign->info, false, &selftest, &campaign->err) != MU_OK) return campaign->err.status;
    if (selftest.trust != MU_REFUSED) return MU_OK;
    return mu_fail(&campaign->err, MU_DEVICE, "device '%s' no longer works after a test that ended by %s: %s",
                   campaign->info->name, mu_status_text(failure->status), selftest.reason);
}

static int run_one(struct campaign *campaign, const struct mu_test *test)
{
    struct mu_error failure = {0};
    json_t *record = NULL;
    show_progress(campaign, test, NULL);
    mu_test_run(test, campaign->info, &record, &failure);
    if (failure.status == MU_INTERRUPTED) {
        json_decref(record);
        return mu_fail(&campaign->err, MU_INTERRUPTED, "interrupted: %u of %u tests done", campaign->done,
                       campaign->planned);
    }
    campaign->done++;
    campaign->failed += failure.status != MU_OK;
    show_progress(campaign, test, mu_status_outcome(failure.status));
    if (failure.status != MU_OK) fprintf(stderr, "    %s\n", failure.message);
    json_array_append_new(campaign->records, record);
    if (store(campaign, record) != MU_OK) return campaign->err.status;
    return check_health(campaign, &failure);
}

static int run_suite(struct campaign *campaign)
{
    const char *const *inputs = suites[campaign->suite].inputs;
    campaign->start_ns = mu_now_ns();
    for (const struct mu_app *const *app = mu_apps; *app != NULL; app++)
        for (size_t i = 0; inputs[i] != NULL; i++) campaign->planned += 3;
    for (const struct mu_app *const *app = mu_apps; *app != NULL; app++)
        for (size_t i = 0; inputs[i] != NULL; i++)
            for (int variant = MU_MULTI_KERNEL; variant <= MU_SPECIALISED; variant++) {
                struct mu_test test = campaign->base;
                test.app = *app;
                test.input = inputs[i];
                test.variant = (enum mu_variant)variant;
                if (run_one(campaign, &test) != MU_OK) return campaign->err.status;
            }
    if (isatty(STDERR_FILENO)) fputs("\r\033[K", stderr);
    return MU_OK;
}

static void run_campaign(struct campaign *campaign)
{
    printf("suite %s on %s (%s), %u samples a test; every result is checked\n\n", suites[campaign->suite].name,
           campaign->info->chip, campaign->info->name, campaign->base.samples);
    fflush(stdout);
    run_suite(campaign);
    if (json_array_size(campaign->records) == 0) return;
    mu_show_table(campaign->records, stdout);
    printf("%u of %u tests ended well; median times, ± half the 95 %% interval\n", campaign->done - campaign->failed,
           campaign->planned);
}

/* The status of the worst outcome: a wrong result before all others. */
static void judge(struct campaign *campaign)
{
    size_t i;
    json_t *record;
    int worst = MU_OK;
    json_array_foreach (campaign->records, i, record) {
        const int status = mu_outcome_status(json_string_value(json_object_get(record, "outcome")));
        if (worst == MU_OK || status == MU_WRONG) worst = status;
    }
    if (worst != MU_OK)
        mu_fail(&campaign->err, worst, "%u of %u tests did not end well", campaign->failed, campaign->done);
}

int mu_cmd_bench(int argc, char **argv)
{
    static const struct argp argp = {options,
                                     parse,
                                     NULL,
                                     "Runs every app on the inputs of a suite in all three variants on one device, "
                                     "each test in a process of its own, "
                                     "and ends in a table of median times, speedups (multi-kernel / portable) and "
                                     "slowdowns (portable / specialised).",
                                     NULL,
                                     NULL,
                                     NULL};
    struct campaign campaign = {0};
    struct mu_device_list *list = calloc(1, sizeof *list);
    mu_test_defaults(&campaign.base);
    argp_parse(&argp, argc, argv, 0, NULL, &campaign);
    campaign.records = json_array();
    if (list == NULL) mu_fail(&campaign.err, MU_NO_MEMORY, "out of memory");
    if (campaign.err.status == MU_OK && mu_device_list(list, &campaign.err) == MU_OK)
        campaign.info = mu_device_find(list, campaign.device, &campaign.err);
    if (campaign.err.status == MU_OK && campaign.output != NULL &&
        (campaign.file = fopen(campaign.output, "a")) == NULL)
        mu_fail(&campaign.err, MU_IO, "%s: cannot open for appending", campaign.output);
    if (campaign.err.status == MU_OK) run_campaign(&campaign);
    if (campaign.file != NULL && fclose(campaign.file) != 0)
        mu_fail(&campaign.err, MU_IO, "%s: cannot append a record", campaign.output);
    judge(&campaign);
    if (fflush(stdout) != 0) mu_fail(&campaign.err, MU_IO, "standard output: cannot write");
    json_decref(campaign.records);
    free(list);
    return mu_report(&campaign.err);
}
