/* The parent's side of a probe: the survey, and the profile that is made of it. */
#include "harness/probe/probe.h"

#include "base/date.h"
#include "base/plain.h"
#include "harness/device/commit.h"
#include "records/measurements.h"
#include "records/results.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* An experiment that takes longer has hung. */
#define DEADLINE_S 300.0

/* ---- The profile ---- */

/* Returns whether a list, with commas, names the commit. */
static bool names_commit(const char *list, const char *commit)
{
    const size_t length = strlen(commit);
    for (const char *at = list; (at = strstr(at, commit)) != NULL; at++)
        if ((at == list || at[-1] == ' ') && (at[length] == '\0' || at[length] == ',')) return true;
    return false;
}

void mu_probe_tell_origin(const json_t *measurements, struct mu_profile *profile)
{
    char now[MU_DATE_TEXT], commits[MU_PROFILE_TEXT] = "";
    const char *newest = "";
    size_t i, used = 0;
    json_t *measurement;
    mu_date_now(now);
    json_array_foreach ((json_t *)measurements, i, measurement) {
        const char *commit = mu_json_text(measurement, "commit"), *date = mu_json_text(measurement, "date");
        if (strcmp(date, newest) > 0) newest = date;
        if (commit[0] == '\0' || names_commit(commits, commit) || used + strlen(commit) + 3 > sizeof commits) continue;
        used += (size_t)snprintf(commits + used, sizeof commits - used, "%s%s", used > 0 ? ", " : "", commit);
    }
    mu_profile_set_text(profile->chip_probed, newest[0] != '\0' ? newest : now);
    mu_profile_set_text(profile->chip_commit, used > 0 ? commits : mu_commit);
}

int mu_probe_check_owner(const struct mu_device_info *info, struct mu_error *err)
{
    struct mu_profile old;
    struct mu_error unreadable = {0};
    char path[PATH_MAX], device[MU_PROFILE_TEXT], vendor[MU_PROFILE_TEXT];
    if (mu_results_path(info->chip, MU_PROFILE_FILE, path, sizeof path, err) != MU_OK || access(path, F_OK) != 0 ||
        mu_profile_read(path, &old, &unreadable) != MU_OK)
        return err->status;
    mu_profile_set_text(device, info->name);
    mu_profile_set_text(vendor, info->vendor);
    if (strcmp(old.chip_device, device) == 0 && strcmp(old.chip_vendor, vendor) == 0) return MU_OK;
    return mu_fail(err, MU_USAGE,
                   "%s is the profile of '%s' of %s, which has the same short name as '%s' of %s; muster chip add "
                   "--chip=NAME gives one of them another",
                   path, old.chip_device, old.chip_vendor, device, vendor);
}

/* Keeps what muster conform has left in the profile of this driver. */
static void look_at_old(const char *path, struct mu_profile *profile)
{
    struct mu_profile old;
    struct mu_error unreadable = {0};
    if (access(path, F_OK) != 0 || mu_profile_read(path, &old, &unreadable) != MU_OK ||
        strcmp(old.chip_driver, profile->chip_driver) != 0)
        return;
    profile->litmus_mutants = old.litmus_mutants;
    profile->litmus_observed = old.litmus_observed;
}

/* Writes the profile beside the file: whole, or the old one stays. */
static int write_profile(const struct mu_survey *survey, struct mu_error *err)
{
    struct mu_profile profile;
    char path[PATH_MAX];
    const struct mu_circumstances *of = &survey->of;
    mu_probe_summarise(of->info, of->selftest, survey->measurements, &profile);
    mu_probe_take_watchdog(survey->measurements, &profile);
    if (mu_results_path(of->info->chip, MU_PROFILE_FILE, path, sizeof path, err) != MU_OK) return err->status;
    look_at_old(path, &profile);
    return mu_profile_write(path, &profile, err);
}

/* ---- The survey ---- */

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
    if (options->app == NULL && mu_probe_check_owner(info, err) != MU_OK) return err->status;
    if (environment.check(environment.context, options->restart, &selftest, err) != MU_OK ||
        mu_results_make(info->chip, err) != MU_OK ||
        mu_results_path(info->chip, MU_PROBE_FILE, path, sizeof path, err) != MU_OK ||
        (options->restart && mu_survey_set_aside(path, err) != MU_OK))
        return err->status;
    if (mu_survey_open(&survey, &environment, path, err) == MU_OK) mu_survey_run(&survey, err);
    if (err->status == MU_OK && options->app == NULL) write_profile(&survey, err);
    if (err->status == MU_OK && options->app != NULL && survey.engine.failed != 0)
        mu_fail(err, survey.engine.worst, "the bound of %s was not found", options->app);
    if (err->status == MU_OK && selftest.trust == MU_REFUSED && options->watchdog_ms == 0)
        mu_fail(err, MU_UNSUPPORTED, "device '%s' is not trusted: %s", info->name, selftest.reason);
    *measurements = json_incref(survey.measurements);
    mu_survey_close(&survey);
    return err->status;
}
