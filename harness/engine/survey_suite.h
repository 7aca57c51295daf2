/* Suites that are surveys and not campaigns of apps: which points of a study's experiments there are. `muster bench
 * --suite=NAME` runs them; the measurements are kept as JSON Lines in mine/<chip>/<suite>.jsonl. */
#ifndef MU_HARNESS_ENGINE_SURVEY_SUITE_H
#define MU_HARNESS_ENGINE_SURVEY_SUITE_H

#include "base/error.h"
#include "harness/device/device.h"
#include "harness/engine/survey.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A row of a study's table, which ends in one without a name. */
struct mu_survey_suite {
    const char *name, *purpose;
    const struct mu_survey_kind *kind;
    int scale;         /* the study's own: what tells its suites apart */
    const char *table; /* that shows it */
};

/* What the points depend on beside the device: the options of struct mu_circumstances. */
struct mu_survey_options {
    const struct mu_survey_suite *suite;
    bool restart;           /* set the measurements of an earlier run aside */
    bool dry_run;           /* only list what would run */
    uint32_t units;         /* that the device has, as a user says; 0: nobody does */
    const char *kernel_dir; /* a folder of kernels in place of the embedded ones, or NULL */
    uint32_t team; /* workgroups of MU_WORKBENCH_BLOCK that the chip holds at once: mu_survey_suite_run takes its
                      profile's, else its compute units */
};

const struct mu_survey_options *mu_survey_options_of(const struct mu_circumstances *of);

/* Returns whether persistent kernels of MU_WORKBENCH_BLOCK may run there: what an experiment's `applies` begins with.
 */
bool mu_survey_may_persist(const struct mu_circumstances *of);

/* Runs what the chip's file does not hold yet, showing progress. *path, of `bytes` bytes, gets the file. A point that
 * fails is recorded and the rest goes on; then the status is the worst outcome. MU_UNSUPPORTED for a device that is not
 * trusted with persistent kernels; MU_INTERRUPTED, MU_DEVICE, MU_IO. */
int mu_survey_suite_run(const struct mu_device_info *info, const struct mu_survey_options *options, char *path,
                        size_t bytes, struct mu_error *err);

#endif
