/* A survey: the experiments of a table, run on one device, and what they measured, kept as JSON Lines.
 *
 * `muster probe` is one; a study is another: a table of experiments, a file, a kind of request. The engine does the
 * rest: points that the file holds for this device and driver are not measured again; each process has a deadline; one
 * that crashes or hangs is a measurement that says so, and is followed by a self-test. */
#ifndef MU_HARNESS_ENGINE_SURVEY_H
#define MU_HARNESS_ENGINE_SURVEY_H

#include "harness/engine/batch.h"
#include "harness/engine/experiment.h"

struct mu_survey_kind {
    const char *kind;                        /* of the records: "probe" */
    const char *request;                     /* of the child's request; NULL: that of the records */
    const struct mu_experiment *experiments; /* ended by a row without a name */
    double deadline_s;                       /* of a process, for each of its points */

    /* What earlier measurements tell a point: an object; NULL: out of memory. Or NULL: nothing. */
    json_t *(*known)(const json_t *measurements, const json_t *point);
};

struct mu_survey {
    const struct mu_survey_kind *kind;
    struct mu_circumstances of;
    uint64_t order_seed;
    const char *kernel_dir; /* as in struct mu_trial */
    struct mu_engine engine;
    struct mu_store store;
    json_t *measurements; /* of this device and driver, the fresh ones too */
    json_t *points;       /* all of them, in the order of the table */
    size_t *first;        /* by test of the engine: its first point; the next test's is behind its last */
    struct mu_json spent; /* milliseconds by experiment, of what ran now */
    size_t done_before;   /* points that the store had */
    bool only_listed;     /* the file is read, and neither made nor locked */
};

/* Opens the store at `path`, with what it holds of the device, and makes the plan. The survey must be zeros but for
 * kind, of, order_seed, kernel_dir and only_listed, and is the caller's also after a failure. MU_IO, MU_INPUT,
 * MU_NO_MEMORY. */
int mu_survey_open(struct mu_survey *survey, const struct mu_engine_environment *environment, const char *path,
                   struct mu_error *err);
void mu_survey_close(struct mu_survey *survey);

/* Sets aside what an earlier run has left at `path`, and says so. MU_IO. */
int mu_survey_set_aside(const char *path, struct mu_error *err);

/* Measures what the store does not hold, showing progress. Experiments that fail are measurements; the errors are those
 * of mu_engine_run. */
int mu_survey_run(struct mu_survey *survey, struct mu_error *err);

/* Has each experiment of the table add its measurements of outcome ok to a summary. */
void mu_survey_summarise(const struct mu_experiment *experiments, const struct mu_device_info *info,
                         const json_t *measurements, void *summary);

/* How many processes have measured a point to their end, well or not; not those that refused what was asked, such as a
 * file that is not there. *failed gets whether the last one did not end well. */
uint32_t mu_survey_processes(const json_t *measurements, const json_t *point, bool *failed);

/* Whether a point is done, as its experiment sees it; with `processes`, of so many. */
bool mu_survey_is_done(const struct mu_experiment *experiment, const json_t *measurements, const json_t *point,
                       uint32_t processes);

/* The measurements of a file that are of info's device, platform and driver. */
int mu_survey_load(const char *path, const struct mu_device_info *info, json_t **measurements, struct mu_error *err);

/* The key of a part of a point that was measured once more than `measurements` know. */
int mu_survey_key(const struct mu_survey *survey, const json_t *point, size_t part, char key[MU_KEY_BYTES],
                  struct mu_error *err);

/* What a process made of a point. */
struct mu_measured {
    const struct mu_survey *survey;
    const json_t *point;
    uint32_t repeat;
    const json_t *answer;           /* the child's for this point; NULL: none */
    const struct mu_error *outcome; /* the process's */
    double seconds;
};

/* Appends the records of a point: its measurements with all that identifies them; without any, one that says how it
 * ended. */
int mu_survey_record(const struct mu_measured *measured, struct mu_json *records, struct mu_error *err);

#endif
