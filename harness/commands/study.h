/* Suites that are studies, surveys of experiments and not campaigns of apps: `muster bench --suite=persistent`. */
#ifndef MU_HARNESS_COMMANDS_STUDY_H
#define MU_HARNESS_COMMANDS_STUDY_H

#include "base/error.h"
#include "harness/commands/output.h"
#include "harness/engine/survey_suite.h"

#include <stddef.h>

/* The suite at this place among those of all studies; NULL behind the last. */
const struct mu_survey_suite *mu_study_suite_at(size_t place);

/* The suite of that name; NULL: none. */
const struct mu_survey_suite *mu_study_suite_find(const char *name);

/* Runs the suite on the device that is wanted, and prints its table; of a dry run only lists what would run. */
void mu_study_bench(const char *wanted, const struct mu_survey_options *options, const struct mu_output *output,
                    struct mu_error *err);

#endif
