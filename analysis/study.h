/* Records put together: the measurements of a result set.
 *
 * A measurement is what was found for one test (chip, driver, set, label, app, input, options, variant) in one
 * configuration with the same kernels: the samples of all its processes. What a record does not tell is taken to be the
 * same only within one file and one commit. A campaign runs several processes of a test; each is a cluster of samples,
 * since what differs between processes (memory layout, clock, what else the machine does) is common to the samples of
 * one. */
#ifndef MU_ANALYSIS_STUDY_H
#define MU_ANALYSIS_STUDY_H

#include "base/error.h"
#include "base/json.h"
#include "records/words.h"
#include "statistics/statistics.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* What tables show of a single process besides its samples. */
struct mu_process {
    const char *outcome, *message;   /* as the record has them */
    const char *throttle;            /* a reason why the device's clocks were held down; NULL: none recorded */
    bool on_threads;                 /* the device is a CPU: workgroups run on threads of the host */
    bool not_placed;                 /* another process of muster had placed its threads, so this one did not */
    double vertices, edges;          /* of the input, 0 of meshes */
    double triangles;                /* of a mesh, 0 of graphs */
    double sources;                  /* of bc; else 0 */
    double colours;                  /* that color took; else 0 */
    double device_bytes, host_bytes; /* at most: of the app's buffers, and of the process; 0: not told */
    double launches, readbacks;      /* of the last execution; 0: unknown, or none */
    double device_ns;                /* of the kernels of a traced execution, in sum; 0: unknown */
    double worklist;                 /* the mean length of the lists that the plan was told of; 0: unknown */
};

struct mu_measurement {
    const char *chip;                       /* with "@label" behind it where the records have a label */
    const char *plain_chip, *plain_variant; /* as the record has them: without label and form */
    const char *driver, *app, *input, *kind;
    const char *variant;    /* with "-cold", "-first", "-fixed" or "-bound" behind it, where it ran in such a form */
    const char *set;        /* the result set of a campaign; "" of single runs and tunings */
    const char *clock;      /* what its times are of: records/schema.h */
    const char *options;    /* "source=0 seed=1 input_hash=…": what the records tell of the app's options */
    const char *shown;      /* the input for people: "road:1000", or a file's name without its folder, with options
                               behind it that are not the usual ones */
    const char *comparison; /* app, input and the app's options as they were before the run; "": not told */
    const char *config;     /* "rollcall=atomic barrier=counter …": the configuration but for the next two */
    const char *commit;     /* of its first record */
    uint64_t identity[2];   /* the same for all records of the measurement: a hash of chip, driver, set, kind, clock,
                               what is compared, configuration, kernels, host program */
    uint32_t workgroup, team_limit; /* asked for; 0: no limit */
    uint32_t team;                  /* largest team of a last execution; 0: unknown, or multi-kernel */
    uint32_t tuning;                /* which tuning, from 0; of kind tune */
    unsigned optimisations;         /* its configuration in the optimisation study (records/optimisations/), or
                                       MU_NOT_STUDIED */
    const char *outcome;            /* "ok", or the outcome of the first process that failed */
    size_t failed;                  /* number of processes that failed */
    struct mu_samples *processes;   /* the processes that ended well, in the order of the records; ns */
    size_t process_count, sample_count;
    size_t preempted; /* samples during which a thread of the process lost its processor. Not counted if waiting
                         workgroups give theirs away, which the system counts too */
    size_t watched;   /* processes that tell the next four, of which the last is 0 where a record lacks it */
    double watched_ns, others_ns, idle_ns, steal_ns; /* duration of watching, and the processors' time in it that went
                                                        to other programs, to idling, and to other virtual machines */
    unsigned cores;                                  /* of the host, as its first record has them; 0: unknown */
    double core_latency_low, core_latency_high; /* core-to-core latency: least and greatest of all readings, before and
                                                   after the samples; 0: not recorded */
    struct mu_process *every; /* all processes, in the order of the records: record_count = process_count + failed */
    size_t record_count;
    const char *last_date; /* of the newest record */
    bool has_level;        /* false when no process ended well */
    struct mu_level level; /* typical time, with its variance */
    const char *better;  /* multi-kernel: the form that `level` is of (analysis/baseline.h); NULL: nothing was chosen */
    const char *session; /* of its first record, as JSON */
    const char *device;  /* uuid of the device of its first record; "": not recorded */
    size_t order;        /* the place of its first record */
};

/* Sorted by chip, driver, set, clock, app, input, options, variant, configuration. */
struct mu_study {
    struct mu_measurement *measurements;
    size_t count;
    struct mu_words words; /* the texts of the measurements */
};

/* A draft of a study: measurements of one record each, by the places of the records, which are added one by one. A
 * draft keeps what a study needs of a record, and not the record. Fill with zeros and set `kinds`. */
struct mu_study_draft {
    unsigned kinds;                /* MU_STUDY_MEASURED, MU_STUDY_TUNED, or both */
    struct mu_measurement *places; /* a record_count of 0 marks an empty place */
    size_t count, capacity;
    struct mu_words words;
    struct {
        char *bytes;
        size_t used, capacity;
    } text;          /* that is being put together */
    json_t *session; /* of the last record, and its text */
    const char *session_text;
};

enum { MU_STUDY_MEASURED = 1, MU_STUDY_TUNED = 2 }; /* kinds run and measure; kind tune */

/* Members of records that a draft reads (records/sets.h). */
extern const char *const mu_study_members[];

/* Puts a record in a place, replacing one that was there. The place becomes empty for NULL, for a record of an unwanted
 * kind, and for one of runs beside a load or under random schedules. Fails with MU_NO_MEMORY. */
int mu_study_draft_put(struct mu_study_draft *draft, json_t *record, size_t place, struct mu_error *err);

/* Copies the wanted records of one draft into another, which is empty; its texts are borrowed from the first. Fails
 * with MU_NO_MEMORY. */
int mu_study_draft_copy(const struct mu_study_draft *from,
                        bool (*wants)(const struct mu_measurement *record, const void *context), const void *context,
                        struct mu_study_draft *to, struct mu_error *err);

/* Moves a record of one draft behind the last one of another; its old place becomes empty. The other's study must not
 * outlive the first draft's texts. Fails with MU_NO_MEMORY. */
int mu_study_draft_move(struct mu_study_draft *draft, struct mu_measurement *record, struct mu_error *err);

/* Makes a study from a draft, which is empty afterwards, also after a failure. `sessions` is an object that numbers
 * sessions for several studies that are compared, or NULL. Release the study with mu_study_release. Fails with
 * MU_NO_MEMORY. */
int mu_study_finish(struct mu_study_draft *draft, json_t *sessions, struct mu_study *study, struct mu_error *err);

/* Accepts zeros. */
void mu_study_draft_release(struct mu_study_draft *draft);

/* Makes a study from an array of records. */
int mu_study_make(const json_t *records, unsigned kinds, struct mu_study *study, struct mu_error *err);

/* Keeps one measurement for each test and set. Of a campaign's, the newest configuration wins; of single runs, the
 * fastest. Single runs are dropped if a campaign has the test, and so is everything that was not measured with the
 * chip's newest driver. Measurements of two sets never replace each other. */
void mu_study_choose(struct mu_study *study);

/* Keeps only measurements with each chip's newest driver: that of its newest record. */
void mu_study_drop_old_drivers(struct mu_study *study);

/* Keeps only the sets that have measurements of the variant; in other sets it is not missing. */
void mu_study_keep_sets_with(struct mu_study *study, const char *variant);

/* Returns the measurement of a variant of a test on the chip, in the set and by the clock of `place`; NULL if there is
 * none. Call it after mu_study_choose. */
const struct mu_measurement *mu_study_find(const struct mu_study *study, const struct mu_measurement *place,
                                           const struct mu_measurement *benchmark, const char *variant);

/* Compares chip, set and clock, as strcmp does. Only measurements that are equal in these are put beside each other. */
int mu_compare_places(const struct mu_measurement *a, const struct mu_measurement *b);

void mu_study_release(struct mu_study *study);

/* Compares two tests but for chip, driver and variant, as strcmp does. */
int mu_compare_benchmarks(const struct mu_measurement *a, const struct mu_measurement *b);

#endif
