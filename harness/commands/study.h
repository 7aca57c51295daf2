/* Suites that are studies, surveys of experiments and not campaigns of apps: `muster bench --suite=persistent`. */
#ifndef MU_HARNESS_COMMANDS_STUDY_H
#define MU_HARNESS_COMMANDS_STUDY_H

#include "base/error.h"
#include "harness/commands/campaign_options.h"
#include "harness/commands/output.h"

#include <stdbool.h>

/* Runs the study that the arguments name, and prints its table; with `dry_run` only lists what would run. */
void mu_study_bench(const struct mu_campaign_arguments *arguments, const struct mu_output *output, bool dry_run,
                    struct mu_error *err);

#endif
