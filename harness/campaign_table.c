/* The end of a campaign: its runs as a table. */
#include "harness/campaign.h"

#include "analysis/show.h"
#include "base/memory.h"

#include <string.h>

/* The samples of a test's processes in one record; a failed run stands for its test as it is. */
static void merge(json_t *into, const json_t *record)
{
    const char *outcome = json_string_value(json_object_get(record, "outcome"));
    json_array_extend(json_object_get(into, "samples_ns"), json_object_get(record, "samples_ns"));
    if (outcome != NULL && strcmp(outcome, "ok") != 0) json_object_set_new(into, "outcome", json_string(outcome));
}

/* One record for each test: the first run's, with the samples of all. */
static json_t *merge_test(const struct mu_campaign *campaign, uint32_t comparison, uint32_t slot, struct mu_error *err)
{
    json_t *merged = NULL;
    for (uint32_t repeat = 0; repeat < campaign->options->repeats && err->status == MU_OK; repeat++) {
        const struct mu_step step = {.comparison = comparison, .slot = slot, .repeat = repeat};
        char *key = mu_campaign_key(campaign, &step, err);
        const json_t *record = key != NULL ? mu_store_find(&campaign->runs, key) : NULL;
        mu_free(key);
        if (record != NULL && merged != NULL)
            merge(merged, record);
        else if (record != NULL)
            merged = json_deep_copy(record);
    }
    return merged;
}

int mu_campaign_table(const struct mu_campaign *campaign, FILE *to, struct mu_error *err)
{
    json_t *records = json_array();
    for (uint32_t comparison = 0; comparison < campaign->comparison_count; comparison++)
        for (uint32_t slot = 0; slot < campaign->slot_count && err->status == MU_OK; slot++) {
            json_t *merged = merge_test(campaign, comparison, slot, err);
            if (merged != NULL) json_array_append_new(records, merged);
        }
    if (err->status == MU_OK && json_array_size(records) != 0) mu_show_table(records, to);
    json_decref(records);
    return err->status;
}
