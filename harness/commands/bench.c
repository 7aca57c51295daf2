/* muster bench */
#include "base/memory.h"
#include "base/sink.h"
#include "base/units.h"
#include "harness/commands/bench/options.h"
#include "harness/commands/bench/side_by_side.h"
#include "harness/commands/campaign_table.h"
#include "harness/commands/command.h"
#include "harness/commands/study.h"
#include "harness/device/host/busy_programs.h"
#include "harness/device/host/watch.h"

#include <stdlib.h>
#include <unistd.h>

/* Prints what precedes the table. It goes to standard error if a program reads standard output. */
static void print_head(const struct mu_campaign *campaign, FILE *to)
{
    const struct mu_campaign_options *campaign_options = campaign->options;
    const struct mu_shard *shard = &campaign_options->shard;
    char part[64] = "";
    if (shard->count != 0) snprintf(part, sizeof part, ", part %u of %u", shard->number, shard->count);
    fprintf(to, "suite %s%s on %s (%s): %s%u run%s in %u comparison%s; every result is checked\nrecords: %s\n\n",
            campaign_options->input_count != 0 ? "custom" : campaign_options->suite->experiment.name, part,
            campaign->info->chip, campaign->info->name, campaign_options->most_repeats != 0 ? "at most " : "",
            campaign->run_count, mu_plural(campaign->run_count), campaign->own_comparisons,
            mu_plural(campaign->own_comparisons), campaign->runs.path);
    fflush(to);
}

/* Warns if other programs leave the device too few cores. */
static void tell_busy(const struct mu_device_info *info, FILE *to)
{
    struct mu_processor_use use;
    char names[80], most[96] = "";
    double load = 0;
    if (!mu_processors_look("", &use) || !mu_processors_are_busy(&use, info->cpu ? info->compute_units : 1)) return;
    mu_busy_programs("", names, sizeof names);
    if (names[0] != '\0') snprintf(most, sizeof most, ", most of all %s", names);
    getloadavg(&load, 1);
    fprintf(to, "busy: other programs use %.1f of %u cores now (load %.1f)%s; times will vary until they have ended\n",
            use.used, use.cores, load, most);
}

/* Writes the file by which a caller sees that everything was run. */
static int write_stamp(const struct mu_campaign *campaign, const char *path, uint32_t tests, struct mu_error *err)
{
    struct mu_sink *sink = NULL;
    char *text = mu_format(err, "{\"tests\":%u,\"failed\":%u}\n", tests, campaign->engine.failed);
    if (text != NULL && mu_sink_open(path, &sink, err) == MU_OK) mu_sink_text(sink, text);
    mu_free(text);
    return mu_sink_close(sink, err->status, err);
}

/* Fails with the status of the worst outcome of all tests and tries. */
static void judge(const struct mu_campaign *campaign, uint32_t tests, struct mu_error *err)
{
    const struct mu_engine *engine = &campaign->engine;
    if (engine->failed != 0)
        mu_fail(err, engine->worst, "%u of %u tests did not end well", engine->failed, tests);
    else if (engine->worst != MU_OK)
        mu_fail(err, engine->worst, "tries of a tuning did not end well: muster results --kind=tune");
}

/* Returns the stream for everything but the table. */
static FILE *aside_of(const struct mu_bench_arguments *arguments)
{
    return arguments->brief || arguments->output.format != MU_GRID_TEXT ? stderr : stdout;
}

static int show(const struct mu_campaign_records *records, const struct mu_bench_arguments *arguments,
                struct mu_error *err)
{
    if (arguments->brief)
        mu_campaign_headline(records, err);
    else
        mu_campaign_table(records, &arguments->output, err);
    if (arguments->junit != NULL && err->status == MU_OK) mu_campaign_report(records, arguments->junit, err);
    return err->status;
}

static void run(struct mu_campaign *campaign, const struct mu_bench_arguments *arguments, struct mu_error *err)
{
    FILE *aside = aside_of(arguments);
    uint32_t tests = campaign->own_comparisons * campaign->configuration_count;
    if (mu_campaign_open(campaign, err) != MU_OK) return;
    tell_busy(campaign->info, aside);
    if (campaign->options->verbosity >= MU_USUAL) print_head(campaign, aside);
    if (mu_campaign_run(campaign, err) != MU_OK) return;
    tests -= mu_campaign_left(campaign) * campaign->configuration_count;
    if (arguments->stamp != NULL && write_stamp(campaign, arguments->stamp, tests, err) != MU_OK) return;
    const char *const path = campaign->runs.path;
    const struct mu_campaign_records records = {campaign, &path, mu_store_count(&campaign->runs) != 0};
    if (show(&records, arguments, err) != MU_OK) return;
    if (!arguments->brief) fprintf(aside, "\n%u of %u tests ended well\n", tests - campaign->engine.failed, tests);
    mu_campaign_tell_left(campaign, aside);
    if (mu_campaign_advise(&records, aside, err) != MU_OK) return;
    judge(campaign, tests, err);
}

static void bench_one(struct mu_bench_arguments *arguments, struct mu_error *err)
{
    struct mu_campaign campaign = {0};
    struct mu_device_info info;
    if (mu_campaign_prepare(&arguments->common, &info, &campaign, err) == MU_OK) {
        if (arguments->dry_run)
            mu_campaign_list(&campaign, stdout, err);
        else
            run(&campaign, arguments, err);
    }
    mu_campaign_free(&campaign);
}

/* Prints the table of all devices' records. */
static void show_sides(const struct mu_sides *sides, const struct mu_campaign *campaign,
                       const struct mu_bench_arguments *arguments, struct mu_error *err)
{
    const char *paths[MU_SIDES];
    struct mu_campaign_records records = {campaign, paths, 0};
    for (size_t i = 0; i < sides->count; i++)
        if (access(sides->side[i].path, F_OK) == 0) paths[records.count++] = sides->side[i].path;
    if (show(&records, arguments, err) != MU_OK || records.count == 0) return;
    if (!arguments->brief) fputc('\n', aside_of(arguments));
    mu_campaign_advise(&records, aside_of(arguments), err);
}

static void run_sides(struct mu_sides *sides, const struct mu_bench_arguments *arguments, struct mu_error *err)
{
    const struct mu_campaign_options *options = &arguments->common.campaign;
    struct mu_campaign campaign = {0};
    const struct mu_engine_environment environment = mu_engine_environment_of(sides->side[0].info);
    if (mu_campaign_plan(options, sides->side[0].info, &environment, &campaign, err) == MU_OK &&
        (!arguments->split || mu_sides_split(sides, options, campaign.set, err) == MU_OK)) {
        if (arguments->dry_run)
            mu_sides_list(sides, arguments->argc, arguments->argv, err);
        else if (mu_sides_run(sides, &campaign, arguments->argc, arguments->argv, err) == MU_OK)
            show_sides(sides, &campaign, arguments, err);
        if (err->status == MU_OK) mu_sides_judge(sides, err);
    }
    mu_campaign_free(&campaign);
}

static void bench(struct mu_bench_arguments *arguments)
{
    struct mu_error *err = &arguments->common.err;
    struct mu_device_list *list = NULL;
    struct mu_sides *sides = NULL;
    char only[16];
    if (mu_sides_are_named(arguments->common.device)) {
        if (arguments->stamp != NULL || arguments->common.campaign.shard.count != 0)
            mu_fail(err, MU_USAGE, "--shard and --stamp are for one device");
        if (arguments->common.units != 0) mu_fail(err, MU_USAGE, "--units is for one device");
        if (err->status == MU_OK) mu_campaign_try_inputs(&arguments->common.campaign, err);
        list = mu_calloc(1, sizeof *list, "a list of devices", err);
        sides = mu_calloc(1, sizeof *sides, "the campaigns of several devices", err);
        if (err->status == MU_OK && mu_device_list(list, false, err) == MU_OK)
            mu_sides_choose(list, arguments->common.device, sides, err);
        if (err->status == MU_OK && sides->count == 1) {
            snprintf(only, sizeof only, "%u", sides->side[0].info->index);
            arguments->common.device = only;
        } else if (err->status == MU_OK) {
            run_sides(sides, arguments, err);
        }
    }
    if (err->status == MU_OK && (sides == NULL || sides->count == 1)) bench_one(arguments, err);
    mu_free(sides);
    mu_free(list);
}

static void bench_study(const struct mu_bench_arguments *arguments, struct mu_error *err)
{
    const struct mu_campaign_arguments *common = &arguments->common;
    const struct mu_survey_options options = {.suite = common->study,
                                              .restart = common->campaign.restart,
                                              .units = common->units,
                                              .dry_run = arguments->dry_run,
                                              .kernel_dir = common->campaign.base.kernel_dir};
    mu_study_bench(common->device, &options, &arguments->output, err);
}

int mu_cmd_bench(int argc, char **argv)
{
    struct mu_bench_arguments arguments = {0};
    struct mu_campaign_arguments *common = &arguments.common;
    if (mu_bench_parse(argc, argv, &arguments) == MU_OK) {
        if (common->study != NULL)
            bench_study(&arguments, &common->err);
        else
            bench(&arguments);
    }
    mu_finish_output(&common->err);
    return mu_report(&common->err);
}
