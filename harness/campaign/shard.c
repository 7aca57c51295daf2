#include "harness/campaign/shard.h"

#include "base/files/stream.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/sink.h"
#include "base/units.h"
#include "harness/campaign/campaign.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SHARDS_MAX = 100000 };

int mu_shard_parse(const char *text, struct mu_shard *shard, struct mu_error *err)
{
    char number[16];
    uint64_t part = 0, count = 0;
    const char *slash = strchr(text, '/');
    const size_t length = slash != NULL ? (size_t)(slash - text) : 0;
    if (length == 0 || length >= sizeof number)
        return mu_fail(err, MU_USAGE, "--shard=%s: not a part and a number of parts, such as 3/8", text);
    memcpy(number, text, length);
    number[length] = '\0';
    if (!mu_number_whole(slash + 1, 1, SHARDS_MAX, &count) || !mu_number_whole(number, 1, count, &part))
        return mu_fail(err, MU_USAGE, "--shard=%s: not a part and a number of parts of at most %d, such as 3/8", text,
                       SHARDS_MAX);
    shard->number = (uint32_t)part;
    shard->count = (uint32_t)count;
    return MU_OK;
}

/* ---- Costs ---- */

/* Returns the cost of a comparison by the file. One that the file lacks costs the mean of the others. */
static double cost_of(const json_t *costs, const char *comparison)
{
    const char *name;
    json_t *known;
    double sum = 0;
    const json_t *own = json_object_get(costs, comparison);
    if (own != NULL) return json_number_value(own);
    if (json_object_size(costs) == 0) return 1;
    json_object_foreach ((json_t *)costs, name, known) sum += json_number_value(known);
    return sum / (double)json_object_size(costs);
}

/* Reads a file of costs; without a path, returns an empty object. NULL after a failure. */
static json_t *read_costs(const char *path, struct mu_error *err)
{
    json_error_t error;
    const char *name;
    json_t *known;
    if (path == NULL) return json_object();
    struct mu_source source = {0};
    if (mu_source_read(path, &source, err) != MU_OK) return NULL;
    json_t *costs = json_loadb((const char *)source.bytes, source.size, JSON_REJECT_DUPLICATES, &error);
    mu_source_release(&source);
    if (costs == NULL)
        mu_fail(err, MU_INPUT, "%s:%d: not the costs of comparisons: %s", path, error.line, error.text);
    else if (!json_is_object(costs))
        mu_fail(err, MU_INPUT, "%s: not an object of comparisons and seconds", path);
    json_object_foreach (costs, name, known)
        if (!json_is_number(known) || !isfinite(json_number_value(known)) || json_number_value(known) < 0)
            mu_fail(err, MU_INPUT, "%s: the cost of %s is no number of seconds", path, name);
    if (err->status == MU_OK) return costs;
    json_decref(costs);
    return NULL;
}

/* Returns the index of a step's comparison. */
static size_t place_of(const struct mu_campaign *campaign, const struct mu_step *step)
{
    return (size_t)(mu_step_comparison(campaign, step) - campaign->comparisons);
}

/* Returns an object {comparison: seconds}; NULL with MU_NO_MEMORY. */
static json_t *expect_comparisons(const struct mu_campaign *campaign, struct mu_error *err)
{
    const struct mu_engine *engine = &campaign->engine;
    struct mu_json costs = mu_json_object();
    double *seconds = mu_calloc(campaign->comparison_count, sizeof *seconds, "the costs of comparisons", err);
    for (uint32_t i = 0; i < engine->step_count && seconds != NULL; i++)
        seconds[place_of(campaign, &engine->steps[i])] += mu_engine_expect(engine, &engine->steps[i]);
    for (uint32_t i = 0; i < campaign->comparison_count && seconds != NULL; i++)
        mu_json_set_real(&costs, campaign->comparisons[i].text, seconds[i]);
    mu_free(seconds);
    return mu_json_take(&costs, "the costs of comparisons", err);
}

int mu_shard_write_costs(const struct mu_campaign *campaign, const char *path, struct mu_error *err)
{
    struct mu_sink *sink = NULL;
    json_t *costs = expect_comparisons(campaign, err);
    char *text = costs != NULL ? json_dumps(costs, JSON_INDENT(1) | JSON_REAL_PRECISION(6)) : NULL;
    if (text == NULL) mu_fail(err, MU_NO_MEMORY, "out of memory for the costs of comparisons");
    if (err->status == MU_OK && mu_sink_open(path, &sink, err) == MU_OK) {
        mu_sink_text(sink, text);
        mu_sink_text(sink, "\n");
    }
    mu_sink_close(sink, err->status, err);
    free(text);
    json_decref(costs);
    return err->status;
}

/* ---- Dealing ---- */

struct priced {
    double cost;
    uint32_t comparison;
};

/* Orders the dearest first, and equal ones as in the plan. */
static int compare_prices(const void *first, const void *second)
{
    const struct priced *a = first, *b = second;
    const int order = (a->cost < b->cost) - (a->cost > b->cost);
    return order != 0 ? order : (a->comparison > b->comparison) - (a->comparison < b->comparison);
}

/* Returns a price in whole microseconds: sums of whole numbers do not depend on their order, so that ties stay ties. */
static double price(double seconds)
{
    return floor(seconds * 1e6 + 0.5);
}

static void deal(const struct priced *priced, uint32_t comparisons, uint32_t count, uint32_t *parts, double *load)
{
    memset(load, 0, count * sizeof *load);
    for (uint32_t i = 0; i < comparisons; i++) {
        /* The first ones go to empty parts, even if they cost nothing. */
        uint32_t least = i < count ? i : 0;
        for (uint32_t part = 0; i >= count && part < count; part++)
            if (load[part] < load[least]) least = part;
        load[least] += priced[i].cost;
        parts[priced[i].comparison] = least + 1;
    }
    for (uint32_t part = 0; part < count; part++) load[part] *= 1e-6;
}

int mu_shard_deal(const struct mu_campaign *campaign, const struct mu_shard *shard, uint32_t *parts, double *load,
                  struct mu_error *err)
{
    const uint32_t comparisons = campaign->comparison_count;
    if (shard->count > comparisons)
        return mu_fail(err, MU_USAGE, "%u parts: the campaign has only %u comparison%s, and none is divided",
                       shard->count, comparisons, mu_plural(comparisons));
    json_t *costs = read_costs(shard->costs, err);
    struct priced *priced = mu_calloc(comparisons, sizeof *priced, "the parts of a campaign", err);
    double *sums = load != NULL ? load : mu_calloc(shard->count, sizeof *sums, "the parts of a campaign", err);
    if (costs != NULL && priced != NULL && sums != NULL) {
        for (uint32_t i = 0; i < comparisons; i++)
            priced[i] = (struct priced){price(cost_of(costs, campaign->comparisons[i].text)), i};
        qsort(priced, comparisons, sizeof *priced, compare_prices);
        deal(priced, comparisons, shard->count, parts, sums);
    } else {
        mu_fail(err, MU_NO_MEMORY, "out of memory for the parts of a campaign");
    }
    if (sums != load) mu_free(sums);
    mu_free(priced);
    json_decref(costs);
    return err->status;
}

int mu_shard_cut(struct mu_campaign *campaign, struct mu_error *err)
{
    struct mu_engine *engine = &campaign->engine;
    const struct mu_shard *shard = &campaign->options->shard;
    uint32_t kept = 0;
    uint32_t *parts = mu_calloc(campaign->comparison_count, sizeof *parts, "the parts of a campaign", err);
    if (parts == NULL || mu_shard_deal(campaign, shard, parts, NULL, err) != MU_OK) {
        mu_free(parts);
        return err->status;
    }
    campaign->run_count = 0;
    for (uint32_t i = 0; i < engine->step_count; i++) {
        const struct mu_step step = engine->steps[i];
        if (parts[place_of(campaign, &step)] != shard->number) continue;
        engine->steps[kept++] = step;
        campaign->run_count += step.work->is_test;
    }
    engine->step_count = kept;
    campaign->own_comparisons = 0;
    for (uint32_t i = 0; i < campaign->comparison_count; i++) campaign->own_comparisons += parts[i] == shard->number;
    mu_free(parts);
    return MU_OK;
}
