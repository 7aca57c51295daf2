/* Suites that are surveys, not campaigns of apps: they select points of a study's experiments. `muster bench
 * --suite=NAME` runs them; measurements are kept as JSON Lines in mine/<chip>/<suite>.jsonl. */
#ifndef MU_HARNESS_ENGINE_SURVEY_SUITE_H
#define MU_HARNESS_ENGINE_SURVEY_SUITE_H

#include "base/error.h"
#include "harness/device/device.h"
#include "harness/engine/survey.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A row of a study's table of suites, which ends in a row without a name. */
struct mu_survey_suite {
    const char *name, *purpose;
    const struct mu_survey_kind *kind;
    int scale;         /* a number by which the study tells its suites apart */
    const char *table; /* name of the table that shows it */
};

/* What the points depend on besides the device. Stands in the options of struct mu_circumstances. */
struct mu_survey_options {
    const struct mu_survey_suite *suite;
    bool restart;           /* first rename the file of an earlier run */
    bool dry_run;           /* only list what would run */
    uint32_t units;         /* compute units as the user gives them; 0: not given */
    const char *kernel_dir; /* a folder of kernels in place of the embedded ones, or NULL */
    uint32_t team; /* workgroups of MU_WORKBENCH_BLOCK work-items that the chip holds at once; mu_survey_suite_run fills
                      it in from the profile, else from the compute units */
};

/* Returns the options of a survey's circumstances. */
const struct mu_survey_options *mu_survey_options_of(const struct mu_circumstances *of);

/* Returns whether persistent kernels with workgroups of MU_WORKBENCH_BLOCK may run on the device. An experiment's
 * `applies` calls it first. */
bool mu_survey_may_persist(const struct mu_circumstances *of);

/* Runs the points that the chip's file does not hold yet, and shows progress. `path`, of `bytes` bytes, gets the file's
 * name. A point that fails is recorded, the others go on, and the status is the worst outcome. Also fails with
 * MU_UNSUPPORTED if the device's self-test refuses it, MU_INTERRUPTED, MU_DEVICE or MU_IO. */
int mu_survey_suite_run(const struct mu_device_info *info, const struct mu_survey_options *options, char *path,
                        size_t bytes, struct mu_error *err);

#endif
