/* Tables and reports at the end of a campaign, for people and for programs. */
#ifndef MU_HARNESS_COMMANDS_CAMPAIGN_TABLE_H
#define MU_HARNESS_COMMANDS_CAMPAIGN_TABLE_H

#include "harness/campaign/campaign.h"
#include "harness/commands/output.h"

/* The records that are shown: those of a campaign, in one file, or in several for several devices. */
struct mu_campaign_records {
    const struct mu_campaign *campaign;
    const char *const *paths; /* paths of existing files */
    size_t count;             /* 0: nothing is printed */
};

/* Prints a table: ratios where variants are compared, else times. Fails with MU_INPUT or MU_NO_MEMORY. */
int mu_campaign_table(const struct mu_campaign_records *records, const struct mu_output *output, struct mu_error *err);

/* Prints how reliable the results are. If samples have warnings, prints how many, and the command that shows them. */
int mu_campaign_advise(const struct mu_campaign_records *records, FILE *to, struct mu_error *err);

/* Prints one line for each chip, instead of a table. */
int mu_campaign_headline(const struct mu_campaign_records *records, struct mu_error *err);

/* Writes a JUnit report of the tests to a file. Fails with MU_INPUT, MU_NO_MEMORY or MU_IO. */
int mu_campaign_report(const struct mu_campaign_records *records, const char *path, struct mu_error *err);

#endif
