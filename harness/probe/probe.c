/* The parent's side of a probe: the survey, and the profile that is made of it. */
#include "harness/probe/probe.h"

#include "records/measurements.h"
#include "records/results.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* An experiment that takes longer has hung. */
#define DEADLINE_S 300.0

/* Keeps what muster conform has left in the profile of this driver. */
static void keep_score(const char *path, struct mu_profile *profile)
{
    struct mu_profile old;
    struct mu_error unreadable = {0};
    if (access(path, F_OK) != 0 || mu_profile_read(path, &old, &unreadable) != MU_OK) return;
    if (strcmp(old.chip_device, profile->chip_device) != 0 || strcmp(old.chip_driver, profile->chip_driver) != 0)
        return;
    profile->litmus_mutants = old.litmus_mutants;
    profile->litmus_observed = old.litmus_observed;
}

/* The profile beside the file: whole, or the old one. */
static int write_profile(const struct mu_survey *survey, struct mu_error *err)
{
    struct mu_profile profile;
    char path[PATH_MAX];
    const struct mu_circumstances *of = &survey->of;
    mu_probe_summarise(of->info, of->selftest, survey->measurements, &profile);
    if (mu_results_path(of->info->chip, MU_PROFILE_FILE, path, sizeof path, err) != MU_OK) return err->status;
    keep_score(path, &profile);
    return mu_profile_write(path, &profile, err);
}

int mu_probe_chip(const struct mu_device_info *info, const struct mu_probe_options *options, json_t **measurements,
                  struct mu_error *err)
{
    static const struct mu_survey_kind kind = {.kind = "probe",
                                               .experiments = mu_probe_experiments,
                                               .deadline_s = DEADLINE_S,
                                               .known = mu_probe_what_is_known};
    const struct mu_engine_environment environment = mu_engine_environment_of(info);
    struct mu_selftest selftest;
    struct mu_survey survey = {
        .kind = &kind, .of = {.info = info, .selftest = &selftest, .quick = options->quick, .options = options}};
    char path[PATH_MAX];
    *measurements = NULL;
    if (environment.check(environment.context, options->restart, &selftest, err) != MU_OK ||
        mu_results_make(info->chip, err) != MU_OK ||
        mu_results_path(info->chip, MU_PROBE_FILE, path, sizeof path, err) != MU_OK ||
        (options->restart && mu_survey_set_aside(path, err) != MU_OK))
        return err->status;
    if (mu_survey_open(&survey, &environment, path, err) == MU_OK) mu_survey_run(&survey, err);
    if (err->status == MU_OK && options->app == NULL) write_profile(&survey, err);
    if (err->status == MU_OK && options->app != NULL && survey.engine.failed != 0)
        mu_fail(err, survey.engine.worst, "the bound of %s was not found", options->app);
    if (err->status == MU_OK && selftest.trust == MU_REFUSED)
        mu_fail(err, MU_UNSUPPORTED, "device '%s' is not trusted: %s", info->name, selftest.reason);
    *measurements = json_incref(survey.measurements);
    mu_survey_close(&survey);
    return err->status;
}
