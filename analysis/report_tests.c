#include "analysis/report_tests.h"

#include "analysis/tables/common.h"
#include "records/schema.h"

#include <stdio.h>
#include <string.h>

void mu_report_names(const struct mu_measurement *measurement, char *suite, size_t suite_bytes, char *name,
                     size_t name_bytes)
{
    snprintf(suite, suite_bytes, "%s.%s", measurement->chip, measurement->app);
    for (char *c = suite; *c != '\0'; c++)
        if (*c == '/') *c = '.';
    snprintf(name, name_bytes, "%s %s", measurement->shown, measurement->variant);
}

static enum mu_junit_result judge(const struct mu_measurement *measurement)
{
    const int status = mu_outcome_status(measurement->outcome);
    if (mu_table_counts(measurement)) return MU_JUNIT_PASSED;
    if (status == MU_WRONG) return MU_JUNIT_FAILURE;
    return status == MU_UNSUPPORTED ? MU_JUNIT_SKIPPED : MU_JUNIT_ERROR;
}

/* Returns the message of the first process that failed. */
static const char *message_of(const struct mu_measurement *measurement)
{
    for (size_t i = 0; i < measurement->record_count; i++)
        if (strcmp(measurement->every[i].outcome, "ok") != 0) return measurement->every[i].message;
    return "";
}

void mu_report_tests(const struct mu_study *study, struct mu_junit *junit)
{
    for (size_t i = 0; i < study->count; i++) {
        const struct mu_measurement *measurement = &study->measurements[i];
        char suite[256], name[512], outcome[128], message[2400];
        mu_report_names(measurement, suite, sizeof suite, name, sizeof name);
        mu_table_show_outcome(measurement, outcome, sizeof outcome);
        snprintf(message, sizeof message, "%s: %s", outcome, message_of(measurement));
        mu_junit_add(junit, &(struct mu_junit_case){
                                .suite = suite,
                                .name = name,
                                .seconds = mu_table_counts(measurement) ? exp(measurement->level.log_value) * 1e-9 : 0,
                                .result = judge(measurement),
                                .message = message});
    }
}
