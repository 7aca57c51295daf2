/* Shards: a campaign in parts, each of which is run on its own, by another process, device or machine.
 *
 * A part has whole comparisons, so that variants that are compared are measured on one device in turn, with the tuning
 * that they share. Each comparison is in one part. The same plan, number of parts and costs give the same parts
 * everywhere, whatever chip they run on and whatever was measured meanwhile. So parts need not know of each other, and
 * one that was stopped continues where it was. */
#ifndef MU_HARNESS_CAMPAIGN_SHARD_H
#define MU_HARNESS_CAMPAIGN_SHARD_H

#include "base/error.h"

#include <stdint.h>

struct mu_campaign;

struct mu_shard {
    uint32_t number, count; /* number from 1; count 0: the whole campaign */
    const char *costs;      /* a file of mu_shard_write_costs; NULL: all comparisons cost the same */
};

/* Reads "3/8". MU_USAGE. */
int mu_shard_parse(const char *text, struct mu_shard *shard, struct mu_error *err);

/* Writes the part of each comparison, from 1, into parts[comparison_count]. The dearest comparisons are dealt first,
 * each to the part with the least cost. So no part has more than the mean cost and one comparison. `load`, unless NULL,
 * gets the cost of each part. MU_USAGE for more parts than comparisons; MU_IO, MU_INPUT for the file of costs;
 * MU_NO_MEMORY. */
int mu_shard_deal(const struct mu_campaign *campaign, const struct mu_shard *shard, uint32_t *parts, double *load,
                  struct mu_error *err);

/* Reduces the campaign's plan to the steps of its own part. Errors as above. */
int mu_shard_cut(struct mu_campaign *campaign, struct mu_error *err);

/* Writes the expected duration of each comparison in seconds, as the campaign's progress knows it: {comparison:
 * seconds}. The parts of a campaign must all be cut by one such file. MU_IO, MU_NO_MEMORY. */
int mu_shard_write_costs(const struct mu_campaign *campaign, const char *path, struct mu_error *err);

#endif
