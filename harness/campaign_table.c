/* The end of a campaign: its runs as a table. */
#include "harness/campaign.h"

#include "analysis/show.h"
#include "base/memory.h"

/* Appends the records of a test, one for each process that ran. */
static int add_test(const struct mu_campaign *campaign, uint32_t comparison, uint32_t slot, json_t *records,
                    struct mu_error *err)
{
    for (uint32_t repeat = 0; repeat < campaign->options->repeats; repeat++) {
        const struct mu_step step = {.comparison = comparison, .slot = slot, .repeat = repeat};
        char *key = mu_campaign_key(campaign, &step, err);
        if (key == NULL) return err->status;
        json_t *record = mu_store_find(&campaign->runs, key);
        mu_free(key);
        if (record != NULL && json_array_append(records, record) != 0)
            return mu_fail(err, MU_NO_MEMORY, "out of memory");
    }
    return MU_OK;
}

int mu_campaign_table(const struct mu_campaign *campaign, FILE *to, struct mu_error *err)
{
    json_t *records = json_array();
    for (uint32_t comparison = 0; comparison < campaign->comparison_count; comparison++)
        for (uint32_t slot = 0; slot < campaign->slot_count && err->status == MU_OK; slot++)
            add_test(campaign, comparison, slot, records, err);
    if (err->status == MU_OK && json_array_size(records) != 0) mu_show_table(records, to);
    json_decref(records);
    return err->status;
}
