/* The end of a campaign: its runs as a table. */
#ifndef MU_HARNESS_COMMANDS_CAMPAIGN_TABLE_H
#define MU_HARNESS_COMMANDS_CAMPAIGN_TABLE_H

#include "harness/campaign/campaign.h"

#include <stdio.h>

/* Prints what the store of the campaign's runs holds: ratios where variants are compared, else times. MU_INPUT,
 * MU_NO_MEMORY. */
int mu_campaign_table(const struct mu_campaign *campaign, FILE *to, struct mu_error *err);

#endif
