/* Suites that are studies: surveys of experiments, not campaigns of apps, as in `muster bench --suite=persistent`. */
#ifndef MU_HARNESS_COMMANDS_STUDY_H
#define MU_HARNESS_COMMANDS_STUDY_H

#include "base/error.h"
#include "harness/commands/output.h"
#include "harness/engine/survey_suite.h"

#include <stddef.h>

/* Returns the suite at a place among those of all studies; NULL behind the last. */
const struct mu_survey_suite *mu_study_suite_at(size_t place);

/* Returns the suite of that name; NULL: none. */
const struct mu_survey_suite *mu_study_suite_find(const char *name);

/* Runs the suite on the device `wanted` and prints its table. For a dry run it only lists what would run. */
void mu_study_bench(const char *wanted, const struct mu_survey_options *options, const struct mu_output *output,
                    struct mu_error *err);

#endif
