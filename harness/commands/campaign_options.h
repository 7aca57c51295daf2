/* The options that `muster bench` and `muster tune` share: what is run, where and how. */
#ifndef MU_HARNESS_COMMANDS_CAMPAIGN_OPTIONS_H
#define MU_HARNESS_COMMANDS_CAMPAIGN_OPTIONS_H

#include "base/error.h"
#include "harness/campaign/campaign.h"
#include "harness/device/device_list.h"
#include "harness/engine/survey_suite.h"

#include <argp.h>
#include <stdbool.h>

/* The keys of the commands' own options begin here. */
#define MU_CAMPAIGN_OWN_KEYS 512

struct mu_campaign_arguments {
    struct argp argp; /* a child for a command's argp, whose input is this struct; takes the APP arguments too */
    struct argp_child children[2];
    struct mu_campaign_options campaign;
    const struct mu_survey_suite *study; /* the suite of a study, instead of the campaign's suite; NULL: none */
    const char *device;                  /* the last device that is named */
    uint32_t units;                      /* compute units that the user gives; 0: those that the device reports */
    bool several; /* a --device names several; then each campaign has the same words, followed by its own device */
    struct mu_error err; /* first error in the command line */
};

/* The suite of a name: of apps, or of a study. */
struct mu_named_suite {
    const struct mu_suite *apps;         /* NULL: none */
    const struct mu_survey_suite *study; /* NULL: none */
};

/* Finds the suite of that name. Fails with MU_USAGE, listing all, if there is none. */
int mu_named_suite_find(const char *name, struct mu_named_suite *suite, struct mu_error *err);

void mu_campaign_arguments_default(struct mu_campaign_arguments *arguments);

/* Finds the device, fills in *info, and makes the plan, which borrows *info. */
int mu_campaign_prepare(struct mu_campaign_arguments *arguments, struct mu_device_info *info,
                        struct mu_campaign *campaign, struct mu_error *err);

#endif
