/* An experiment: what is measured, at which points, by which function of a child process, and how its results are
 * summarised. It is a const row of a table. The engine (harness/engine/engine.h) runs all experiments: those about a
 * device as a survey (harness/engine/survey.h), suites of apps as campaigns (harness/campaign/suites.h), whose points
 * are resolved to tests first.
 *
 * A point is a JSON object: "experiment", the name, and a value for each axis. In a survey, the point identifies a
 * measurement: a point that the store holds is not measured again. A measurement is a JSON object too; one point may
 * yield several. */
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

/* What the list of an experiment's points depends on. */
struct mu_circumstances {
    const struct mu_device_info *info;
    const struct mu_selftest *selftest;
    bool quick;          /* seconds instead of minutes */
    const void *options; /* of the survey (struct mu_survey_options), or the campaign; NULL: none */
};

/* An axis: a name, and a function that appends its values to an array. If an axis has no values, its family has no
 * points. */
struct mu_axis {
    const char *name, *help;
    void (*values)(const struct mu_circumstances *of, struct mu_json *values);
};

/* What an experiment's `measure` works with, in the child. */
struct mu_trial {
    struct mu_device_info info;
    struct mu_selftest selftest;
    struct mu_target target;
    const json_t *parameters;    /* borrowed: the point */
    const json_t *known;         /* borrowed: what earlier experiments found (struct mu_survey_kind) */
    const char *kernel_dir;      /* borrowed: a folder of kernels in place of the embedded ones, or NULL */
    struct mu_json measurements; /* an array of objects */
};

struct mu_experiment {
    const char *name, *purpose;

    /* Families of axes, ended by NULL; each family ends in a row without a name. The points of a family are all
     * combinations of its axes' values; the first axis changes fastest. A point that occurs in two families is one
     * point. */
    const struct mu_axis *const *families;
    bool (*applies)(const struct mu_circumstances *of);                  /* NULL: always */
    bool (*has)(const struct mu_circumstances *of, const json_t *point); /* NULL: every combination */

    /* How it is run. */
    bool event_times;    /* its queue records event times, which makes launches slower */
    uint32_t together;   /* number of points that share a process; 0: one */
    const char *process; /* points of neighbouring rows with the same text here share a process, too. Such rows have the
                            same event_times, and none needs what another finds. NULL: none */
    uint32_t processes;  /* number of processes for each point, in rounds of random order; 0: one. Must be one where
                            `process` is set */

    /* In the child, exactly one of these two. `measure` measures one point and adds results by mu_trial_add. `serve`
     * serves a whole request, for points that share more than a device, as tests of an app share their input. */
    int (*measure)(struct mu_trial *trial, struct mu_error *err);
    int (*serve)(const json_t *request, struct mu_json *response, struct mu_error *err);

    /* Returns true if a point is done, given all measurements with the device's driver. NULL: done when `processes`
     * have measured it. */
    bool (*is_done)(const json_t *measurements, const json_t *point);

    /* Adds a measurement to the survey's summary. NULL: the survey or its tables read the measurements themselves. */
    void (*summarise)(const struct mu_device_info *info, const json_t *measurement, void *summary);

    const char *tables; /* names of the tables that show it (muster table), separated by blanks; NULL: none */
};

/* Returns the experiment of this name in a table that ends in a row without a name; NULL: none. */
const struct mu_experiment *mu_experiment_find(const struct mu_experiment *table, const char *name);

/* Appends the points of an experiment to an array, in the order of its families. Appends none if it does not apply. */
void mu_experiment_points(const struct mu_experiment *experiment, const struct mu_circumstances *of,
                          struct mu_json *points);

/* ---- Values of axes ---- */

/* Appends first, first · factor, first · factor² … up to last. The factor must be at least 2. */
void mu_axis_powers(uint32_t first, uint32_t last, uint32_t factor, struct mu_json *values);

/* ---- The child's side ---- */

/* Serves a request for points of experiments in this table: opens the device and answers each point as a part. */
int mu_experiment_serve(const struct mu_experiment *table, const json_t *request, struct mu_json *response,
                        struct mu_error *err);

/* For `measure`: return a number or text of the point or, with `known`, a number of what is known; 0 or NULL if it is
 * missing. */
uint32_t mu_trial_number(const struct mu_trial *trial, const char *name);
uint32_t mu_trial_known(const struct mu_trial *trial, const char *name);
const char *mu_trial_text(const struct mu_trial *trial, const char *name);

/* Adds a measurement, an object, and takes its reference. NULL stands for one that could not be allocated:
 * MU_NO_MEMORY. */
int mu_trial_add(struct mu_trial *trial, json_t *measurement, struct mu_error *err);

#endif
