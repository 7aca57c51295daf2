/* An experiment: what is measured, at which points, what a child process does for one of them, and what becomes of what
 * it measured. It is a const row of a table. The engine (harness/engine/engine.h) runs all of them: those of a device
 * as a survey (harness/engine/survey.h), suites of apps as campaigns (harness/campaign/suites.h), whose points are
 * resolved to tests before they run.
 *
 * A point is a JSON object: "experiment", the name, and a value for each axis. In a survey the point is the
 * experiment's identity: what a store holds of it is not measured again. A measurement is a JSON object too; one point
 * may give several. */
#ifndef MU_HARNESS_ENGINE_EXPERIMENT_H
#define MU_HARNESS_ENGINE_EXPERIMENT_H

#include "base/error.h"
#include "base/json.h"
#include "harness/device/device.h"
#include "harness/device/trust/selftest.h"
#include "variants/launch/opencl.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* What the points of an experiment depend on. */
struct mu_circumstances {
    const struct mu_device_info *info;
    const struct mu_selftest *selftest;
    bool quick;          /* seconds instead of minutes */
    const void *options; /* the survey's own, or the campaign; NULL: none */
};

/* An axis: a name, and the values that it takes, appended to an array. An axis without values leaves no points. */
struct mu_axis {
    const char *name, *help;
    void (*values)(const struct mu_circumstances *of, struct mu_json *values);
};

/* What the child's function for a point works with. */
struct mu_trial {
    struct mu_device_info info;
    struct mu_selftest selftest;
    struct mu_target target;
    const json_t *parameters;    /* borrowed: the point */
    const json_t *known;         /* borrowed: what earlier experiments found */
    const char *kernel_dir;      /* borrowed: a folder of kernels in place of the embedded ones, or NULL */
    struct mu_json measurements; /* an array of objects */
};

struct mu_experiment {
    const char *name, *purpose;

    /* Families of axes, ended by NULL, each ended by a row without a name. The points of a family are all combinations
     * of its axes' values, the first axis changing fastest; a point that two families have is one point. */
    const struct mu_axis *const *families;
    bool (*applies)(const struct mu_circumstances *of);                  /* NULL: always */
    bool (*has)(const struct mu_circumstances *of, const json_t *point); /* NULL: every combination */

    /* How it is run. */
    bool event_times;    /* its queue takes times, which makes launches dearer */
    uint32_t together;   /* so many points share a process; 0: one */
    const char *process; /* its points share a process also with those of the rows before and behind it that say the
                            same, have the same event_times, and build on nothing that a row of them finds; or NULL */
    uint32_t processes;  /* for each point, in rounds of random order; 0: one. One where `process` is said. */

    /* In the child, one of the two. `measure` measures a point, with mu_trial_add. `serve` serves a whole request: for
     * points that share more than a device, as tests of an app share their input. */
    int (*measure)(struct mu_trial *trial, struct mu_error *err);
    int (*serve)(const json_t *request, struct mu_json *response, struct mu_error *err);

    /* Whether a point is done, by all measurements of the device's driver; NULL: once `processes` have measured it. */
    bool (*is_done)(const json_t *measurements, const json_t *point);

    /* Adds a measurement to the survey's summary; NULL: the survey, or its tables, look at all of them themselves. */
    void (*summarise)(const struct mu_device_info *info, const json_t *measurement, void *summary);

    const char *tables; /* names of the tables that show it (muster table), with blanks between; NULL: none */
};

/* The experiment of this name in a table that is ended by a row without a name; NULL: none. */
const struct mu_experiment *mu_experiment_find(const struct mu_experiment *table, const char *name);

/* Appends the points of an experiment, in their order, to an array. None where it does not apply. */
void mu_experiment_points(const struct mu_experiment *experiment, const struct mu_circumstances *of,
                          struct mu_json *points);

/* ---- Values of axes ---- */

/* Appends first, first · factor, … up to last. */
void mu_axis_powers(uint32_t first, uint32_t last, uint32_t factor, struct mu_json *values);

/* ---- The child's side ---- */

/* Serves a request for points of experiments in this table. */
int mu_experiment_serve(const struct mu_experiment *table, const json_t *request, struct mu_json *response,
                        struct mu_error *err);

/* For `measure`: a number or text of the point or, with `known`, of what is known; 0 or NULL where there is none. */
uint32_t mu_trial_number(const struct mu_trial *trial, const char *name);
uint32_t mu_trial_known(const struct mu_trial *trial, const char *name);
const char *mu_trial_text(const struct mu_trial *trial, const char *name);

/* Adds a measurement, an object, whose reference is taken; NULL, for which there was no memory, is MU_NO_MEMORY. */
int mu_trial_add(struct mu_trial *trial, json_t *measurement, struct mu_error *err);

#endif
