#include "harness/commands/submit/plan.h"

#include "base/memory.h"
#include "harness/engine/cost.h"
#include "records/results.h"
#include "records/sets.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Seconds that `auto` aims at for each part. */
#define PART_S 3600

/* Learns a cost from a record. For mu_record_sink. */
static int learn(void *context, json_t *record, size_t place, const struct mu_line *line, struct mu_error *err)
{
    struct mu_progress *progress = context;
    (void)place;
    (void)line;
    (void)err;
    mu_cost_learn(progress, record);
    return MU_OK;
}

static int learn_costs(const char *chip, struct mu_progress *progress, struct mu_error *err)
{
    static const char *const members[] = {"comparison", "wall_ns", "build_ns", "build_cached", NULL};
    const struct mu_record_sink sink = {.members = members, .take = learn, .context = progress};
    const size_t count = chip != NULL;
    return mu_records_read(mu_results_reading_root(), &chip, count, &sink, stderr, err);
}

/* Returns the number of parts for `auto`: the expected time of all comparisons, divided by PART_S. */
static uint32_t choose_count(const struct mu_campaign *campaign)
{
    double seconds = 0;
    for (uint32_t i = 0; i < campaign->engine.step_count; i++)
        seconds += mu_engine_expect(&campaign->engine, &campaign->engine.steps[i]);
    const double count = ceil(seconds / PART_S);
    return count < 1 ? 1 : count > campaign->comparison_count ? campaign->comparison_count : (uint32_t)count;
}

static json_t *describe_parts(const struct mu_campaign *campaign, const struct mu_shard *shard, struct mu_error *err)
{
    struct mu_json all = mu_json_array();
    uint32_t *parts = mu_calloc(campaign->comparison_count, sizeof *parts, "the parts of a campaign", err);
    double *load = mu_calloc(shard->count, sizeof *load, "the parts of a campaign", err);
    const uint32_t runs = campaign->configuration_count * campaign->engine.enough.least;
    if (parts != NULL && load != NULL && mu_shard_deal(campaign, shard, parts, load, err) == MU_OK) {
        for (uint32_t part = 1; part <= shard->count; part++) {
            uint32_t comparisons = 0;
            for (uint32_t i = 0; i < campaign->comparison_count; i++) comparisons += parts[i] == part;
            mu_json_append(&all, json_pack("{s:I, s:I, s:f}", "comparisons", (json_int_t)comparisons, "runs",
                                           (json_int_t)comparisons * runs, "seconds", load[part - 1]));
        }
    }
    mu_free(parts);
    mu_free(load);
    return mu_json_take(&all, "the parts of a campaign", err);
}

int mu_submit_plan(const struct mu_bench_arguments *bench, const char *chip, const char *costs, uint32_t count,
                   json_t **parts, char *set, struct mu_error *err)
{
    struct mu_campaign campaign = {0};
    struct mu_progress *progress = &campaign.engine.progress;
    /* A device that is not used: only the number of workgroup sizes in a tuning depends on it. */
    const struct mu_device_info info = {.max_workgroup = 1024, .compute_units = 128};
    const struct mu_engine_environment nowhere = {0};
    *parts = NULL;
    if (mu_campaign_plan(&bench->common.campaign, &info, &nowhere, &campaign, err) == MU_OK) {
        struct mu_shard shard = {.number = 1, .costs = costs};
        mu_progress_start(progress, NULL, 0);
        if (learn_costs(chip, progress, err) == MU_OK && access(costs, F_OK) != 0)
            mu_shard_write_costs(&campaign, costs, err);
        shard.count = count != 0 ? count : choose_count(&campaign);
        if (err->status == MU_OK) *parts = describe_parts(&campaign, &shard, err);
        mu_progress_end(progress);
        snprintf(set, sizeof campaign.set, "%s", campaign.set);
    }
    mu_campaign_free(&campaign);
    return err->status;
}
