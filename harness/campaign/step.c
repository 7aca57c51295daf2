/* A step of a campaign's plan: the test that it is of, what it asks for, and the key of its record. */
#include "harness/campaign/campaign.h"

#include "base/memory.h"
#include "harness/run/identity.h"
#include "inputs/rng.h"

#include <inttypes.h>

/* A purpose of random numbers (inputs/rng.h) that no generator uses. */
#define LAYOUT UINT64_C(0x6c61796f7574)

struct mu_comparison *mu_step_comparison(const struct mu_campaign *campaign, const struct mu_step *step)
{
    return &campaign->comparisons[mu_json_count(json_array_get(campaign->points, step->test), "comparison")];
}

uint32_t mu_step_configuration(const struct mu_campaign *campaign, const struct mu_step *step)
{
    return mu_json_count(json_array_get(campaign->points, step->test), "configuration");
}

struct mu_asked mu_campaign_asked(const struct mu_campaign *campaign, const struct mu_step *step)
{
    const struct mu_comparison *comparison = mu_step_comparison(campaign, step);
    const struct mu_configuration *configuration = &campaign->configurations[mu_step_configuration(campaign, step)];
    struct mu_asked asked = comparison->asked;
    for (int i = 0; i < MU_TEST_OPTION_COUNT; i++)
        if (configuration->options[i].from != MU_FROM_NOBODY) asked.options[i] = configuration->options[i];
    mu_form_ask(configuration->form, &asked);
    /* Each process has a layout of its own, which the configurations of one repeat share. */
    if (asked.options[MU_TEST_layout].from == MU_FROM_NOBODY)
        mu_ask(&asked, MU_TEST_layout, mu_random_stream(campaign->options->order_seed, LAYOUT + step->repeat) >> 1 | 1,
               MU_FROM_DEFAULT);
    const struct mu_tuned *tuned = &comparison->tuned[configuration->tuned_as];
    if (!tuned->found) return asked;
    mu_ask(&asked, MU_TEST_workgroup, tuned->workgroup, MU_FROM_TUNING);
    /* The first launch of a process must not be the one that finds its team: another process has found it. */
    const bool first = configuration->form->variant == MU_SPECIALISED && configuration->form->condition == MU_FIRST;
    if (!configuration->form->whole)
        mu_ask(&asked, MU_TEST_team_limit, first && tuned->team == 0 ? tuned->found_team : tuned->team, MU_FROM_TUNING);
    return asked;
}

int mu_campaign_key(const struct mu_campaign *campaign, const struct mu_step *step, const struct mu_test *test,
                    char key[MU_KEY_BYTES], struct mu_error *err)
{
    char *text = mu_test_text(test, campaign->info, err);
    if (text == NULL) return err->status;
    char *whole = mu_format(err, "measure set=%s label=%s %s repeat=%" PRIu32, campaign->set,
                            campaign->configurations[mu_step_configuration(campaign, step)].label, text, step->repeat);
    if (whole != NULL) mu_key_of(whole, key);
    mu_free(whole);
    mu_free(text);
    return err->status;
}
