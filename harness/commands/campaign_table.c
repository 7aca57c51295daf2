#include "harness/commands/campaign_table.h"

#include "analysis/tables/tables.h"
#include "records/results.h"

/* The three variants side by side, where they are compared with each other. */
static bool has_ratios(const struct mu_campaign *campaign)
{
    unsigned seen = 0;
    for (uint32_t i = 0; i < campaign->slot_count; i++) {
        const unsigned bit = 1u << campaign->slots[i].variant;
        if (seen & bit) return false;
        seen |= bit;
    }
    return (seen & 1u << MU_PORTABLE) != 0 && seen != 1u << MU_PORTABLE;
}

int mu_campaign_table(const struct mu_campaign *campaign, FILE *to, struct mu_error *err)
{
    const char *const sets[] = {campaign->runs.path};
    const struct mu_table_request request = {.root = mu_results_root(), .sets = sets, .set_count = 1};
    struct mu_grids grids = {.err = err};
    const struct mu_table *table = mu_table_find(has_ratios(campaign) ? "summary" : "times", err);
    if (table != NULL && json_object_size(campaign->runs.by_key) != 0 && table->fill(&request, &grids) == MU_OK)
        mu_grids_print(&grids, MU_GRID_TEXT, to);
    mu_grids_release(&grids);
    return err->status;
}
