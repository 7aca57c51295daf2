/* A survey: the experiments of a table, run on one device; their measurements are kept as JSON Lines.
 *
 * `muster probe` is a survey, and so is each study: a table of experiments, a file, and a kind of request. Points that
 * the file holds for this device and driver are not measured again. Each process has a deadline; one that crashes or
 * hangs is recorded as a measurement with that outcome, and is followed by a self-test. */
#ifndef MU_HARNESS_ENGINE_SURVEY_H
#define MU_HARNESS_ENGINE_SURVEY_H

#include "harness/engine/batch.h"
#include "harness/engine/experiment.h"

struct mu_survey_kind {
    const char *kind;                        /* kind of the records: "probe" */
    const char *request;                     /* kind of the request to the child; NULL: as the records */
    const struct mu_experiment *experiments; /* ended by a row without a name */
    double deadline_s;                       /* deadline of a process, in seconds for each of its points */

    /* Returns an object with what a point needs of earlier measurements; NULL when memory runs out. NULL in place of
     * the function: points need nothing. */
    json_t *(*known)(const json_t *measurements, const json_t *point);
};

struct mu_survey {
    const struct mu_survey_kind *kind;
    struct mu_circumstances of;
    uint64_t order_seed;
    const char *kernel_dir; /* as in struct mu_trial */
    struct mu_engine engine;
    struct mu_store store;
    json_t *measurements; /* owned: of this device and driver, old and new */
    json_t *points;       /* owned: all points, in the order of the table */
    size_t *first;        /* owned: the first point of each test of the engine; one more entry marks the end */
    struct mu_json spent; /* milliseconds that each experiment has taken in this run */
    size_t done_before;   /* number of points that the store had before */
    bool only_listed;     /* the file is only read: neither made nor locked */
};

/* Opens the store at `path`, reads its measurements of the device, and makes the plan. The survey must be zeros but for
 * kind, of, order_seed, kernel_dir and only_listed. Close it after a failure, too. Fails with MU_IO, MU_INPUT or
 * MU_NO_MEMORY. */
int mu_survey_open(struct mu_survey *survey, const struct mu_engine_environment *environment, const char *path,
                   struct mu_error *err);
void mu_survey_close(struct mu_survey *survey);

/* Renames the file that an earlier run has left at `path`, and says so. Fails with MU_IO. */
int mu_survey_set_aside(const char *path, struct mu_error *err);

/* Measures the points that the store does not hold, and shows progress. An experiment that fails is a measurement with
 * that outcome; errors are those of mu_engine_run. */
int mu_survey_run(struct mu_survey *survey, struct mu_error *err);

/* Passes each measurement with outcome ok to its experiment, which adds it to `summary`. */
void mu_survey_summarise(const struct mu_experiment *experiments, const struct mu_device_info *info,
                         const json_t *measurements, void *summary);

/* Returns how many processes have measured a point, whether they ended well or not. Processes that refused what was
 * asked, such as a missing file, do not count. *failed gets whether the last one failed. */
uint32_t mu_survey_processes(const json_t *measurements, const json_t *point, bool *failed);

/* Returns true if a point is done: its experiment decides, or else `processes` processes have measured it or one has
 * failed. */
bool mu_survey_is_done(const struct mu_experiment *experiment, const json_t *measurements, const json_t *point,
                       uint32_t processes);

/* Loads the measurements of a file that are of info's device, platform and driver. *measurements is the caller's. */
int mu_survey_load(const char *path, const struct mu_device_info *info, json_t **measurements, struct mu_error *err);

/* Makes the key of one part of a new measurement of a point. It counts the measurements of the same point and part so
 * far, so that a repetition gets another key. */
int mu_survey_key(const struct mu_survey *survey, const json_t *point, size_t part, char key[MU_KEY_BYTES],
                  struct mu_error *err);

/* The result of a process for one point. Everything is borrowed. */
struct mu_measured {
    const struct mu_survey *survey;
    const json_t *point;
    uint32_t repeat;
    const json_t *answer;           /* the child's response for this point; NULL: none */
    const struct mu_error *outcome; /* the process's */
    double seconds;
};

/* Appends the records of a point: its measurements with identity and provenance, or, if there are none, one record with
 * the outcome. */
int mu_survey_record(const struct mu_measured *measured, struct mu_json *records, struct mu_error *err);

#endif
