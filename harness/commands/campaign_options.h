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
    struct argp argp; /* a child for a command's argp; its input is this struct. Takes the APP arguments too. */
    struct argp_child children[2];
    struct mu_campaign_options campaign;
    const struct mu_survey_suite *study; /* in place of the campaign's suite; NULL: none */
    const char *device;                  /* the last one that is named */
    uint32_t units;                      /* that it has; 0: those that it tells */
    bool several;        /* a --device names several; the campaign on each has the same words, and its device behind */
    struct mu_error err; /* what was wrong with the command line */
};

void mu_campaign_arguments_default(struct mu_campaign_arguments *arguments);

/* Finds the device, fills in *info, and makes the plan, which refers to it. */
int mu_campaign_prepare(struct mu_campaign_arguments *arguments, struct mu_device_info *info,
                        struct mu_campaign *campaign, struct mu_error *err);

#endif
