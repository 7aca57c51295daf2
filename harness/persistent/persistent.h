/* The persistent-threads study (Gupta, Stuart and Owens, "A study of persistent threads style GPU programming for GPGPU
 * workloads", InPar 2012) as a survey (harness/engine/survey.h): four use cases, each a pair of launches and a kernel
 * whose workgroups stay, over a sweep; and, as suites of their own, the work-stealing apps of the cooperative-kernels
 * study (stealing.h). The measurements are kept as JSON Lines in mine/<chip>/<suite>.jsonl. */
#ifndef MU_HARNESS_PERSISTENT_PERSISTENT_H
#define MU_HARNESS_PERSISTENT_PERSISTENT_H

#include "base/error.h"
#include "harness/device/device.h"
#include "harness/engine/experiment.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Which points there are: of the four use cases … */
enum mu_persistent_scale {
    MU_PERSISTENT_ADAPTED, /* sizes that suit the chip: its teams, and work that it does in about a second a point */
    MU_PERSISTENT_2012,    /* the study's own */
    MU_PERSISTENT_SMALL,   /* a few, of milliseconds each */
    MU_PERSISTENT_SCALES,

    /* … and of the work-stealing apps. */
    MU_STEALING_ADAPTED = MU_PERSISTENT_SCALES,
    MU_STEALING_SMALL,
    MU_STEALING_SEEDS, /* the small sizes, under many random schedules */
    MU_STEALING_END
};

struct mu_persistent_suite {
    const char *name, *purpose;
    enum mu_persistent_scale scale;
    const char *table; /* that shows it */
};

/* Ended by a row without a name. mu_persistent_find: the suite of that name, or NULL. */
extern const struct mu_persistent_suite mu_persistent_suites[];
const struct mu_persistent_suite *mu_persistent_find(const char *name);

/* What the points depend on beside the device. */
struct mu_persistent_options {
    const struct mu_persistent_suite *suite;
    bool restart;           /* set the measurements of an earlier run aside */
    bool dry_run;           /* only list what would run */
    const char *kernel_dir; /* a folder of kernels in place of the embedded ones, or NULL */
    uint32_t team; /* workgroups of 256 that the chip holds at once: mu_persistent_run takes its profile's, else its
                      compute units */
};

/* The experiments. Ends in a row without a name. */
extern const struct mu_experiment mu_persistent_experiments[];

/* The points of the work-stealing apps, for that table. */
extern const struct mu_axis *const mu_stealing_octrees[], *const mu_stealing_games[];
extern const struct mu_axis *const mu_stealing_loaded_octrees[], *const mu_stealing_loaded_games[];
bool mu_stealing_has(const struct mu_circumstances *of, const json_t *point);
bool mu_stealing_applies(const struct mu_circumstances *of);

/* ---- The child's side ---- */

int mu_persistent_gap(struct mu_trial *trial, struct mu_error *err);
int mu_persistent_handover(struct mu_trial *trial, struct mu_error *err);
int mu_persistent_forest(struct mu_trial *trial, struct mu_error *err);
int mu_persistent_reduce(struct mu_trial *trial, struct mu_error *err);
int mu_persistent_stages(struct mu_trial *trial, struct mu_error *err);
int mu_persistent_sync(struct mu_trial *trial, struct mu_error *err);
int mu_persistent_octree(struct mu_trial *trial, struct mu_error *err);
int mu_persistent_game(struct mu_trial *trial, struct mu_error *err);

/* The kind "persistent" of request. */
int mu_persistent_serve(const json_t *request, struct mu_json *response, struct mu_error *err);

/* ---- The parent's side ---- */

/* Runs what the chip's file does not hold yet, showing progress. *path, of `bytes` bytes, gets the file. A point that
 * fails is recorded and the rest goes on; then the status is the worst outcome. MU_UNSUPPORTED for a device that is not
 * trusted with persistent kernels; MU_INTERRUPTED, MU_DEVICE, MU_IO. */
int mu_persistent_run(const struct mu_device_info *info, const struct mu_persistent_options *options, char *path,
                      size_t bytes, struct mu_error *err);

#endif
