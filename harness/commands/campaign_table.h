/* The end of a campaign: what the store of its runs holds, for people and for programs. */
#ifndef MU_HARNESS_COMMANDS_CAMPAIGN_TABLE_H
#define MU_HARNESS_COMMANDS_CAMPAIGN_TABLE_H

#include "harness/campaign/campaign.h"
#include "harness/commands/output.h"

/* What is shown at the end: the records of a campaign, in one file or, of several devices, in several. */
struct mu_campaign_records {
    const struct mu_campaign *campaign;
    const char *const *paths; /* that exist */
    size_t count;             /* 0: nothing is shown */
};

/* Prints a table: ratios where variants are compared, else times. MU_INPUT, MU_NO_MEMORY. */
int mu_campaign_table(const struct mu_campaign_records *records, const struct mu_output *output, struct mu_error *err);

/* Prints how far the results may be relied on; and where samples have warnings, how many, and the command that shows
 * them. */
int mu_campaign_advise(const struct mu_campaign_records *records, FILE *to, struct mu_error *err);

/* Prints one line for each chip instead. */
int mu_campaign_headline(const struct mu_campaign_records *records, struct mu_error *err);

/* Writes a report of its tests for continuous integration into the file. MU_IO too. */
int mu_campaign_report(const struct mu_campaign_records *records, const char *path, struct mu_error *err);

#endif
