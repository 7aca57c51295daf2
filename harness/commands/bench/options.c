#include "harness/commands/bench/options.h"

#include "base/sink.h"
#include "harness/commands/arguments.h"
#include "harness/commands/command.h"

#include <string.h>

enum option_key {
    KEY_TUNE = MU_CAMPAIGN_OWN_KEYS,
    KEY_NO_TUNE,
    KEY_QUICK_TUNE,
    KEY_RETUNE,
    KEY_REPEATS,
    KEY_TOGETHER,
    KEY_MOST_REPEATS,
    KEY_TEST_WIDTH,
    KEY_MIN_SAMPLES,
    KEY_MAX_SAMPLES,
    KEY_WIDTH,
    KEY_TIME,
    KEY_BUDGET,
    KEY_ORDER_SEED,
    KEY_SET,
    KEY_LABEL,
    KEY_RESTART,
    KEY_DRY_RUN,
    KEY_BRIEF,
    KEY_JUNIT,
    KEY_SHARD,
    KEY_COSTS,
    KEY_STAMP,
    KEY_SPLIT
};

static const struct argp_option options[] = {
    {"tune", KEY_TUNE, 0, 0, "Tune, or use the tuning of an earlier campaign (default: all suites but smoke)",
     MU_GROUP_WHERE},
    {"no-tune", KEY_NO_TUNE, 0, 0,
     "Do not tune: muster run's workgroup and team, or those that --workgroup and --team name (default: only smoke)",
     MU_GROUP_WHERE},
    {"quick-tune", KEY_QUICK_TUNE, 0, 0,
     "As --tune, but by the tries of muster tune --quick alone (default: by all tries)", MU_GROUP_WHERE},
    {"retune", KEY_RETUNE, 0, 0, "Tune anew (default: use the tuning of an earlier campaign)", MU_GROUP_WHERE},
    {"split", KEY_SPLIT, 0, 0,
     "With --device=all or 0,1,3: devices of one chip divide one campaign, comparison by comparison (default: each "
     "runs all of it)",
     MU_GROUP_WHERE},
    {"shard", KEY_SHARD, "PART", 0,
     "Run one part of the campaign, such as 3/8, the third of eight: its records go to NAME.3-of-8.jsonl. Each "
     "comparison is always in the same part (default: all of it)",
     MU_GROUP_WHERE},
    {"costs", KEY_COSTS, "FILE", 0,
     "With --shard: file with the duration of each comparison in seconds, so that parts take equally long (default: "
     "all the same)",
     MU_GROUP_WHERE},
    {0, 0, 0, 0, "How it is measured (defaults: the suite's, see muster list):", MU_GROUP_MEASURE},
    {"repeats", KEY_REPEATS, "N", 0, "Processes for each test", MU_GROUP_MEASURE},
    {"together", KEY_TOGETHER, "N", 0,
     "Largest number of tests of an app on an input that share a process. It reads the input once, builds their "
     "kernels on all cores, and measures them in random order. Tests of condition first are alone (default: the "
     "suite's)",
     MU_GROUP_MEASURE},
    {"most-repeats", KEY_MOST_REPEATS, "N", 0,
     "Add processes to a test, up to N, until half its interval at 95 % is narrow (--test-width), then as many again. "
     "A process takes 20 samples, or as many as fit into 0.5 s; the interval counts from 8 processes on, or --repeats "
     "(default: no more than --repeats)",
     MU_GROUP_MEASURE},
    {"test-width", KEY_TEST_WIDTH, "PERCENT", 0,
     "With --most-repeats: largest half of the interval, in percent of the time (default: 1)", MU_GROUP_MEASURE},
    {"min-samples", KEY_MIN_SAMPLES, "N", 0, "Least samples of a test, in all its processes together",
     MU_GROUP_MEASURE},
    {"max-samples", KEY_MAX_SAMPLES, "N", 0, "Most samples of a process", MU_GROUP_MEASURE},
    {"target-width", KEY_WIDTH, "PERCENT", 0,
     "A process ends when half the interval at 95 % of its median is at most this percentage of the median",
     MU_GROUP_MEASURE},
    {"max-time", KEY_TIME, "SECONDS", 0,
     "A process ends after this time, or after ten times that if it has too few samples by then", MU_GROUP_MEASURE},
    {"budget", KEY_BUDGET, "TIME", 0,
     "Measure for at most about this long, such as 90s, 10m or 2h: whole comparisons, in the suite's order, then "
     "further processes, as far as they fit; the output says what is left out (default: no limit)",
     MU_GROUP_MEASURE},
    {"order-seed", KEY_ORDER_SEED, "NUMBER", 0, "Seed of the random order of variants (default: 1)", MU_GROUP_MEASURE},
    {0, 0, 0, 0, "Where it is kept, and what is printed:", MU_GROUP_OUTPUT},
    {"set", KEY_SET, "NAME", 0,
     "The records go to mine/<chip>/NAME.jsonl (default: the suite's name; custom with --input)", MU_GROUP_OUTPUT},
    {"label", KEY_LABEL, "TEXT", 0, "Recorded with every run, to tell campaigns of a set apart (default: none)",
     MU_GROUP_OUTPUT},
    {"restart", KEY_RESTART, 0, 0,
     "Rename the set's records and begin anew (default: continue; recorded runs are not repeated)", MU_GROUP_OUTPUT},
    {"dry-run", KEY_DRY_RUN, 0, 0, "List what would run, and about how long it takes", MU_GROUP_OUTPUT},
    {"brief", KEY_BRIEF, 0, 0,
     "Print one line instead of the table: mean speedup, mean slowdown, how many tests ended well", MU_GROUP_OUTPUT},
    {"stamp", KEY_STAMP, "FILE", 0,
     "Write this file once everything planned has run, whatever the outcomes (default: none)", MU_GROUP_OUTPUT},
    {"junit", KEY_JUNIT, "FILE", 0, "Also write a JUnit report: each test with its outcome (default: none)",
     MU_GROUP_OUTPUT},
    {0},
};

/* Parses the options whose value is a number: a table gives their ranges and places. */
static error_t parse_number(int key, const char *text, struct mu_bench_arguments *arguments)
{
    struct mu_campaign_options *campaign = &arguments->common.campaign;
    const struct {
        int key;
        const char *name;
        uint64_t min, max;
        uint32_t *place;
        uint64_t *wide;
    } numbers[] = {
        {KEY_ORDER_SEED, "order-seed", 0, UINT64_MAX >> 1, NULL, &campaign->order_seed},
        {KEY_REPEATS, "repeats", 1, 1000, &campaign->repeats, NULL},
        {KEY_TOGETHER, "together", 1, 4096, &campaign->together, NULL},
        {KEY_MOST_REPEATS, "most-repeats", 2, 1000, &campaign->most_repeats, NULL},
        {KEY_MIN_SAMPLES, "min-samples", 1, 1000000, &arguments->min_samples, NULL},
        {KEY_MAX_SAMPLES, "max-samples", 1, 1000000, &arguments->max_samples, NULL},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        uint64_t value = 0;
        if (numbers[i].key != key) continue;
        if (mu_parse_number(numbers[i].name, text, numbers[i].min, numbers[i].max, &value, &arguments->common.err) !=
            MU_OK)
            return 0;
        if (numbers[i].wide != NULL) *numbers[i].wide = value;
        if (numbers[i].place != NULL) *numbers[i].place = (uint32_t)value;
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

/* Checks the name of a set: it becomes a file's name, and must not be one that has another meaning in a chip's
 * folder. */
static int check_set(const char *name, struct mu_error *err)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
    if (name[0] == '\0' || name[0] == '.' || name[strspn(name, letters)] != '\0' || strlen(name) > 60)
        return mu_fail(err, MU_USAGE, "--set=%.80s: not a name of at most 60 letters, digits, '_', '-' and '.'", name);
    if (strcmp(name, "tune") == 0 || strcmp(name, "probe") == 0)
        return mu_fail(err, MU_USAGE, "--set=%s: that file holds something else", name);
    return MU_OK;
}

static int parse_label(const char *text, struct mu_bench_arguments *arguments)
{
    json_t *encoded = json_string(text);
    if (encoded == NULL || text[0] == '\0' || strlen(text) > 60 || strchr(text, '\n') != NULL)
        mu_fail(&arguments->common.err, MU_USAGE, "--label: not a text of at most 60 bytes of UTF-8");
    json_decref(encoded);
    arguments->common.campaign.label = text;
    return arguments->common.err.status;
}

static error_t parse_value(int key, char *text, struct mu_bench_arguments *arguments)
{
    double percent = 0;
    switch (key) {
    case KEY_TIME:
        mu_parse_seconds("max-time", text, &arguments->max_time_s, &arguments->common.err);
        return 0;
    case KEY_BUDGET:
        mu_parse_duration("budget", text, &arguments->common.campaign.budget_s, &arguments->common.err);
        return 0;
    case KEY_WIDTH:
        if (mu_parse_percent("target-width", text, &percent, &arguments->common.err) == MU_OK)
            arguments->target_width = percent / 100;
        return 0;
    case KEY_TEST_WIDTH:
        if (mu_parse_percent("test-width", text, &percent, &arguments->common.err) == MU_OK)
            arguments->common.campaign.test_width = percent / 100;
        return 0;
    case KEY_SET:
        arguments->common.campaign.set = text;
        check_set(text, &arguments->common.err);
        return 0;
    case KEY_JUNIT:
        arguments->junit = text;
        mu_sink_check(text, &arguments->common.err);
        return 0;
    case KEY_STAMP:
        arguments->stamp = text;
        mu_sink_check(text, &arguments->common.err);
        return 0;
    case KEY_SHARD:
        mu_shard_parse(text, &arguments->common.campaign.shard, &arguments->common.err);
        return 0;
    case KEY_COSTS:
        arguments->common.campaign.shard.costs = text;
        return 0;
    case KEY_LABEL:
        parse_label(text, arguments);
        return 0;
    default:
        return parse_number(key, text, arguments);
    }
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct mu_bench_arguments *arguments = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->common;
        state->child_inputs[1] = &arguments->output;
        return 0;
    case KEY_TUNE:
        arguments->tune = true;
        return 0;
    case KEY_QUICK_TUNE:
        arguments->tune = arguments->common.campaign.tune.quick = true;
        return 0;
    case KEY_NO_TUNE:
        arguments->no_tune = true;
        return 0;
    case KEY_RETUNE:
        arguments->common.campaign.tune.again = true;
        return 0;
    case KEY_RESTART:
        arguments->common.campaign.restart = true;
        return 0;
    case KEY_BRIEF:
        arguments->brief = true;
        return 0;
    case KEY_DRY_RUN:
        arguments->dry_run = true;
        return 0;
    case KEY_SPLIT:
        arguments->split = true;
        return 0;
    default:
        return key >= MU_CAMPAIGN_OWN_KEYS && text != NULL ? parse_value(key, text, arguments) : ARGP_ERR_UNKNOWN;
    }
}

/* Returns true if the command line names the setting. */
static bool names(const struct mu_option_line *line, enum mu_test_option setting)
{
    for (size_t i = 0; i < line->given_count; i++)
        if (line->given[i].setting == (int)setting) return true;
    return false;
}

/* Limits of a process when a test gets as many processes as it needs: this many samples, or this long. */
#define SHORT_SAMPLES 20
#define SHORT_TIME_S  0.5
#define TEST_WIDTH    0.01

/* Completes the rules that say when a process has enough samples and a test enough processes. */
static int complete_rules(struct mu_bench_arguments *arguments)
{
    struct mu_campaign_options *campaign = &arguments->common.campaign;
    const struct mu_suite *suite = campaign->suite;
    struct mu_asked *base = &campaign->base;
    const bool grows = campaign->most_repeats != 0;
    if (!grows && campaign->test_width > 0)
        return mu_fail(&arguments->common.err, MU_USAGE, "--test-width goes with --most-repeats");
    if (campaign->repeats == 0) campaign->repeats = grows ? MU_ENOUGH_LEAST : suite->experiment.processes;
    if (grows && campaign->most_repeats <= campaign->repeats)
        return mu_fail(&arguments->common.err, MU_USAGE, "--most-repeats=%u is not more than the %u of --repeats",
                       campaign->most_repeats, campaign->repeats);
    if (campaign->test_width <= 0) campaign->test_width = TEST_WIDTH;
    const uint32_t least = (arguments->min_samples + campaign->repeats - 1) / campaign->repeats;
    uint32_t most = grows ? SHORT_SAMPLES : suite->max_samples;
    double time_s = grows ? SHORT_TIME_S : suite->max_time_s;
    if (arguments->max_samples != 0) most = arguments->max_samples;
    if (arguments->max_time_s > 0) time_s = arguments->max_time_s;
    mu_ask(base, MU_TEST_min_samples, grows ? 0 : least, MU_FROM_OPTION);
    mu_ask(base, MU_TEST_samples, most < least ? least : most, MU_FROM_OPTION);
    mu_ask_real(base, MU_TEST_target_width, arguments->target_width > 0 ? arguments->target_width : suite->target_width,
                MU_FROM_OPTION);
    mu_ask_real(base, MU_TEST_max_time_s, time_s, MU_FROM_OPTION);
    return MU_OK;
}

/* Adds the suite's sweeps of options that the command line does not name. */
static int add_sweeps(const struct mu_suite *suite, struct mu_option_line *line, struct mu_error *err)
{
    for (size_t i = 0; i < MU_SUITE_SWEEPS && suite->sweeps[i] != NULL && err->status == MU_OK; i++)
        mu_option_line_default(line, suite->sweeps[i], err);
    return err->status;
}

/* Fills in from the suite what no option has set. */
static int complete(struct mu_bench_arguments *arguments)
{
    struct mu_campaign_options *campaign = &arguments->common.campaign;
    const struct mu_suite *suite = campaign->suite;
    const bool fixed =
        arguments->no_tune || names(&campaign->line, MU_TEST_workgroup) || names(&campaign->line, MU_TEST_team_limit);
    const bool asked = arguments->tune || campaign->tune.again;
    if (fixed && asked)
        return mu_fail(&arguments->common.err, MU_USAGE,
                       "--tune, --retune: with --no-tune, --workgroup or --team nothing is tuned");
    campaign->tuned = asked || (suite->tuned && !fixed);
    campaign->tune.least = MU_TUNE_LEAST;
    campaign->tune.max_time_s = suite->tune_time_s;
    if (campaign->together == 0) campaign->together = suite->experiment.together;
    if (arguments->min_samples == 0) arguments->min_samples = suite->min_samples;
    if (campaign->shard.costs != NULL && campaign->shard.count == 0)
        return mu_fail(&arguments->common.err, MU_USAGE, "--costs goes with --shard");
    if (add_sweeps(suite, &campaign->line, &arguments->common.err) != MU_OK) return arguments->common.err.status;
    return complete_rules(arguments);
}

/* Returns true if the command line says anything about apps, inputs, tests, how they are measured, or where their
 * records go. */
static bool names_tests(const struct mu_bench_arguments *arguments)
{
    const struct mu_campaign_options *campaign = &arguments->common.campaign;
    const bool what = campaign->app_count != 0 || campaign->input_count != 0 || campaign->originals != NULL ||
                      campaign->forms.count != 0 || campaign->line.given_count != 0 || campaign->shard.count != 0 ||
                      campaign->shard.costs != NULL || arguments->split;
    const bool how = arguments->tune || arguments->no_tune || campaign->tune.again || campaign->repeats != 0 ||
                     campaign->together != 0 || campaign->most_repeats != 0 || campaign->test_width > 0 ||
                     arguments->min_samples != 0 || arguments->max_samples != 0 || arguments->target_width > 0 ||
                     arguments->max_time_s > 0 || campaign->budget_s > 0 || campaign->order_seed != 1;
    return what || how || campaign->label != NULL || campaign->set != NULL || arguments->brief ||
           arguments->junit != NULL || arguments->stamp != NULL;
}

/* Fails with MU_USAGE if options select tests in a study, whose points depend only on the device. */
static int check_study(struct mu_bench_arguments *arguments)
{
    if (!names_tests(arguments)) return MU_OK;
    return mu_fail(&arguments->common.err, MU_USAGE,
                   "--suite=%s is a study: of the options only --device, --restart, --dry-run, --kernel-dir, --json, "
                   "--wide and --color go with it",
                   arguments->common.study->name);
}

int mu_bench_parse(int argc, char **argv, struct mu_bench_arguments *arguments)
{
    struct mu_campaign_arguments *common = &arguments->common;
    const struct argp_child children[] = {{&common->argp, 0, NULL, 0}, {&mu_output_argp, 0, NULL, 0}, {0}};
    const struct argp argp = {
        options,
        parse,
        NULL,
        "Runs the apps of a suite, or the APPs among them, on the suite's inputs in all variants on one device: tunes "
        "workgroup and team, then measures each test in several processes, the variants in random order. Ends with a "
        "table of median times, speedups (multi-kernel / portable) and slowdowns (portable / specialised). Every run "
        "is recorded: after an interruption, the same command continues where the campaign stopped.",
        children,
        NULL,
        NULL};
    arguments->argc = argc;
    arguments->argv = argv;
    mu_campaign_arguments_default(common);
    mu_arguments_parse(&argp, argc, argv, arguments, &common->err);
    mu_pass_error(&arguments->output.err, &common->err);
    if (common->err.status != MU_OK) return common->err.status;
    if (common->study != NULL) return check_study(arguments);
    if (arguments->split && !common->several)
        return mu_fail(&common->err, MU_USAGE, "--split goes with --device=all or a list such as 0,1,3");
    return complete(arguments);
}
