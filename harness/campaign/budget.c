/* What a budget leaves out of a campaign, for people. */
#include "harness/campaign/campaign.h"

#include "base/units.h"

/* Returns true for one step of each comparison of the campaign's part: the first process of its first configuration. */
static bool stands_for_comparison(const struct mu_campaign *campaign, const struct mu_step *step)
{
    return step->work == &mu_campaign_run_work && step->repeat == 0 && mu_step_configuration(campaign, step) == 0;
}

static uint32_t room_of(const struct mu_campaign *campaign, const struct mu_step *step)
{
    return campaign->engine.tests[step->test].room;
}

uint32_t mu_campaign_left(const struct mu_campaign *campaign)
{
    const struct mu_engine *engine = &campaign->engine;
    uint32_t left = 0;
    for (const struct mu_step *step = engine->steps; step < engine->steps + engine->step_count; step++)
        left += stands_for_comparison(campaign, step) && room_of(campaign, step) == 0;
    return left;
}

enum { NAMED = 8 }; /* comparisons that are named, at most */

static void list_left(const struct mu_campaign *campaign, FILE *to)
{
    const struct mu_engine *engine = &campaign->engine;
    const char *separator = ": ";
    uint32_t named = 0, left = 0;
    for (const struct mu_step *step = engine->steps; step < engine->steps + engine->step_count; step++) {
        if (!stands_for_comparison(campaign, step) || room_of(campaign, step) != 0) continue;
        left++;
        if (named == NAMED) continue;
        named++;
        const struct mu_comparison *comparison = mu_step_comparison(campaign, step);
        fprintf(to, "%s%s/%s %s%s", separator, comparison->asked.app->suite, comparison->asked.app->name,
                comparison->input, comparison->point);
        separator = ", ";
    }
    if (left > named) fprintf(to, " and %u more", left - named);
}

/* Returns what the same command would do. Where nothing fitted, and nothing is in the stores, it would do no more. */
static const char *next(const struct mu_campaign *campaign, uint32_t left, uint32_t fewer)
{
    if (left == 0 && fewer == 0) return "all fits";
    const size_t tries = campaign->options->tuned ? mu_store_count(&campaign->tries) : 0;
    if (left == campaign->own_comparisons && mu_store_count(&campaign->runs) + tries == 0)
        return "nothing fits: a longer --budget is needed";
    return "the same command goes on from there";
}

void mu_campaign_tell_left(const struct mu_campaign *campaign, FILE *to)
{
    const struct mu_engine *engine = &campaign->engine;
    const uint32_t left = mu_campaign_left(campaign), wanted = engine->enough.least;
    uint32_t fewer = 0, least = wanted;
    char budget[24];
    if (engine->budget.seconds <= 0) return;
    for (const struct mu_step *step = engine->steps; step < engine->steps + engine->step_count; step++) {
        const uint32_t room = room_of(campaign, step);
        if (!stands_for_comparison(campaign, step) || room == 0 || room >= wanted) continue;
        fewer++;
        if (room < least) least = room;
    }
    mu_progress_duration(engine->budget.seconds, budget, sizeof budget);
    fprintf(to, "budget of %s: %u of %u comparison%s left out", budget, left, campaign->own_comparisons,
            campaign->own_comparisons == 1 ? " is" : "s are");
    list_left(campaign, to);
    if (fewer != 0)
        fprintf(to, "; %u ha%s at least %u of %u process%s", fewer, fewer == 1 ? "s" : "ve", least, wanted,
                wanted == 1 ? "" : "es");
    fprintf(to, "; %s\n", next(campaign, left, fewer));
}
