#include "harness/commands/study.h"

#include "analysis/tables/tables.h"
#include "harness/device/device_list.h"
#include "records/results.h"

#include <limits.h>
#include <stdlib.h>

static void print_table(const char *name, const char *path, const struct mu_output *output, struct mu_error *err)
{
    struct mu_grids grids = {.err = err};
    const struct mu_table_request request = {.root = mu_results_root(),
                                             .sets = &path,
                                             .set_count = 1,
                                             .plain_rows = mu_grid_is_for_programs(output->format)};
    const struct mu_table *table = mu_table_find(name, err);
    if (table != NULL && table->fill(&request, &grids) == MU_OK) mu_output_print(output, &grids);
    mu_grids_release(&grids);
}

void mu_study_bench(const struct mu_campaign_arguments *arguments, const struct mu_output *output, bool dry_run,
                    struct mu_error *err)
{
    char path[PATH_MAX] = "";
    const struct mu_persistent_options options = {.suite = arguments->study,
                                                  .restart = arguments->campaign.restart,
                                                  .dry_run = dry_run,
                                                  .kernel_dir = arguments->campaign.base.kernel_dir};
    struct mu_device_list *list = calloc(1, sizeof *list);
    const struct mu_device_info *info = NULL;
    if (list == NULL)
        mu_fail(err, MU_NO_MEMORY, "out of memory");
    else if (mu_device_list(list, err) == MU_OK)
        info = mu_device_find(list, arguments->device, err);
    if (info != NULL) {
        struct mu_error outcome = {0};
        mu_persistent_run(info, &options, path, sizeof path, &outcome);
        if (!dry_run && (outcome.status == MU_OK || path[0] != '\0'))
            print_table(options.suite->table, path, output, err);
        if (outcome.status != MU_OK) mu_fail(err, outcome.status, "%s", outcome.message);
    }
    free(list);
}
