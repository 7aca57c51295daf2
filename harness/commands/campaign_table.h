/* The end of a campaign: what the store of its runs holds, for people and for programs. */
#ifndef MU_HARNESS_COMMANDS_CAMPAIGN_TABLE_H
#define MU_HARNESS_COMMANDS_CAMPAIGN_TABLE_H

#include "harness/campaign/campaign.h"
#include "harness/commands/output.h"

/* Prints a table: ratios where variants are compared, else times. MU_INPUT, MU_NO_MEMORY. */
int mu_campaign_table(const struct mu_campaign *campaign, const struct mu_output *output, struct mu_error *err);

/* Prints one line instead. */
int mu_campaign_headline(const struct mu_campaign *campaign, struct mu_error *err);

/* Writes a report of its tests for continuous integration into the file. MU_IO too. */
int mu_campaign_report(const struct mu_campaign *campaign, const char *path, struct mu_error *err);

#endif
