#include "harness/commands/study.h"

#include "harness/commands/command.h"
#include "harness/cooperative/stealing.h"
#include "harness/device/device_list.h"
#include "harness/persistent/persistent.h"

#include <limits.h>
#include <string.h>

const struct mu_survey_suite *mu_study_suite_at(size_t place)
{
    static const struct mu_survey_suite *const studies[] = {mu_persistent_suites, mu_stealing_suites};
    for (size_t i = 0; i < sizeof studies / sizeof studies[0]; i++)
        for (const struct mu_survey_suite *suite = studies[i]; suite->name != NULL; suite++)
            if (place-- == 0) return suite;
    return NULL;
}

const struct mu_survey_suite *mu_study_suite_find(const char *name)
{
    const struct mu_survey_suite *suite;
    for (size_t i = 0; (suite = mu_study_suite_at(i)) != NULL; i++)
        if (strcmp(suite->name, name) == 0) break;
    return suite;
}

void mu_study_bench(const char *wanted, const struct mu_survey_options *options, const struct mu_output *output,
                    struct mu_error *err)
{
    char path[PATH_MAX] = "";
    struct mu_error outcome = {0};
    struct mu_device_info info;
    if (mu_device_choose(wanted, &info, NULL, err) != MU_OK) return;
    if (options->units != 0) info.resident = options->units;
    mu_survey_suite_run(&info, options, path, sizeof path, &outcome);
    if (!options->dry_run && (outcome.status == MU_OK || path[0] != '\0'))
        mu_output_table(output, options->suite->table, path, err);
    mu_pass_error(&outcome, err);
}
