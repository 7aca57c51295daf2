#include "harness/engine/survey_suite.h"

#include "base/plain.h"
#include "harness/device/host/profile_use.h"
#include "harness/device/launch_defaults.h"
#include "harness/engine/workbench.h"
#include "records/results.h"

#include <stdio.h>

const struct mu_survey_options *mu_survey_options_of(const struct mu_circumstances *of)
{
    return of->options;
}

bool mu_survey_may_persist(const struct mu_circumstances *of)
{
    return of->selftest->trust != MU_REFUSED && !of->info->simulator && of->info->max_workgroup >= MU_WORKBENCH_BLOCK;
}

/* Finds how many workgroups of MU_WORKBENCH_BLOCK work-items the device holds at once: the bound in its profile, else
 * its compute units. */
static int find_team(const struct mu_device_info *info, uint32_t *team, struct mu_error *err)
{
    struct mu_profile profile;
    char note[512];
    *team = mu_device_units(info);
    if (mu_profile_find(info, &profile, note, err) != MU_OK) return err->status;
    if (note[0] != '\0') mu_note(stderr, "%s", note);
    const uint32_t bound = profile.bound[mu_profile_size_index(MU_WORKBENCH_BLOCK)];
    if (bound != 0) *team = bound;
    return MU_OK;
}

/* Prints the points that would be measured, and their number. */
static void list(struct mu_survey *survey, struct mu_error *err)
{
    struct mu_listing listing;
    if (mu_engine_list(&survey->engine, stdout, &listing, err) == MU_OK)
        printf("%u experiments, %zu points\n", listing.steps, json_array_size(survey->points));
}

/* Fails with the status of the worst outcome if an experiment failed. */
static int judge(const struct mu_engine *engine, struct mu_error *err)
{
    if (engine->failed == 0) return err->status;
    return mu_fail(err, engine->worst, "%u experiments did not end well", engine->failed);
}

/* Fails for a device on which no experiment of the suite runs. */
static int refuse(const struct mu_survey_options *options, const struct mu_device_info *info, struct mu_error *err)
{
    char reason[64] = "";
    if (info->max_workgroup < MU_WORKBENCH_BLOCK)
        snprintf(reason, sizeof reason, ": its workgroups have at most %u of %u work-items", info->max_workgroup,
                 MU_WORKBENCH_BLOCK);
    return mu_fail(err, MU_UNSUPPORTED, "suite %s has nothing for device '%s'%s", options->suite->name, info->name,
                   reason);
}

int mu_survey_suite_run(const struct mu_device_info *info, const struct mu_survey_options *asked, char *path,
                        size_t bytes, struct mu_error *err)
{
    const struct mu_engine_environment environment = mu_engine_environment_of(info);
    struct mu_survey_options options = *asked;
    struct mu_selftest selftest;
    struct mu_survey survey = {.kind = asked->suite->kind,
                               .of = {.info = info, .selftest = &selftest, .options = &options},
                               .kernel_dir = options.kernel_dir,
                               .only_listed = options.dry_run};
    if (find_team(info, &options.team, err) != MU_OK ||
        environment.check(environment.context, false, &selftest, err) != MU_OK ||
        mu_results_records_path(info->chip, info->tag, options.suite->name, path, bytes, err) != MU_OK)
        return err->status;
    if (selftest.trust == MU_REFUSED)
        return mu_fail(err, MU_UNSUPPORTED, "device '%s' is not trusted: %s", info->name, selftest.reason);
    if (!options.dry_run &&
        (mu_results_make(info->chip, err) != MU_OK || (options.restart && mu_survey_set_aside(path, err) != MU_OK)))
        return err->status;
    if (mu_survey_open(&survey, &environment, path, err) == MU_OK) {
        if (json_array_size(survey.points) == 0)
            refuse(&options, info, err);
        else if (options.dry_run)
            list(&survey, err);
        else if (mu_survey_run(&survey, err) == MU_OK)
            judge(&survey.engine, err);
    }
    mu_survey_close(&survey);
    return err->status;
}
