#include "harness/commands/study.h"

#include "harness/commands/command.h"
#include "harness/device/device_list.h"

#include <limits.h>

void mu_study_bench(const struct mu_campaign_arguments *arguments, const struct mu_output *output, bool dry_run,
                    struct mu_error *err)
{
    char path[PATH_MAX] = "";
    const struct mu_persistent_options options = {.suite = arguments->study,
                                                  .restart = arguments->campaign.restart,
                                                  .dry_run = dry_run,
                                                  .kernel_dir = arguments->campaign.base.kernel_dir};
    struct mu_error outcome = {0};
    struct mu_device_info info;
    if (mu_device_choose(arguments->device, &info, NULL, err) != MU_OK) return;
    mu_persistent_run(&info, &options, path, sizeof path, &outcome);
    if (!dry_run && (outcome.status == MU_OK || path[0] != '\0'))
        mu_output_table(output, options.suite->table, path, err);
    mu_pass_error(&outcome, err);
}
