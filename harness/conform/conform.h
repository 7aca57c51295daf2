/* Conformance: may workgroups of this device wait for each other? A survey (harness/engine/survey.h) in rounds, as many
 * as fit into a time, of what is tried elsewhere one by one: self-test, occupancy bound, scheduler models, barriers,
 * roll calls, mutexes and the accesses that they are made of. Its measurements are kept as JSON Lines in
 * mine/<chip>/conform.jsonl.
 *
 * What muster's synchronisation relies on is a list of statements. A measurement can refute a statement; nothing proves
 * it. */
#ifndef MU_HARNESS_CONFORM_CONFORM_H
#define MU_HARNESS_CONFORM_CONFORM_H

#include "base/error.h"
#include "base/user/junit.h"
#include "harness/device/device.h"
#include "harness/device/trust/selftest.h"
#include "harness/engine/experiment.h"

#include <jansson.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define MU_CONFORM_FILE     "conform.jsonl"
#define MU_CONFORM_VERDICTS "conform.json" /* what they come to */
#define MU_CONFORM_FOLDER   "conform"      /* reproductions */
#define MU_CONFORM_SCHEMA   1

/* The experiments. Ends in a row without a name. */
extern const struct mu_experiment mu_conform_experiments[];

struct mu_conform_options {
    double budget_s;
    uint32_t rounds;  /* at most so many; 0: as many as the budget allows */
    const char *only; /* statements whose names match this pattern of the shell; NULL: all */
    bool restart;     /* set the measurements of an earlier run aside */
    uint32_t round;   /* the one that is planned, from 1; the survey's own */
};

/* ---- Statements ---- */

enum mu_conform_verdict { MU_CONFORM_NOT_TRIED, MU_CONFORM_NOT_REFUTED, MU_CONFORM_REFUTED, MU_CONFORM_VERDICTS_COUNT };
extern const char *const mu_conform_verdict_names[MU_CONFORM_VERDICTS_COUNT];

struct mu_conform_statement {
    char name[64];      /* "barrier/c11/counter": its part, the path, and what of it */
    char text[192];     /* what is said */
    const char *stress; /* under what it was tried */
    bool relied;        /* muster relies on it here; else only a part that it does not choose on this device does */
    enum mu_conform_verdict verdict;
    uint64_t runs;         /* launches, or tries, that ended well */
    double instances;      /* of an outcome that is forbidden, in which it could have been; 0: nothing is counted */
    double seen;           /* in so many it was */
    char why[320];         /* not tried: the reason; refuted: what was seen; else what else went wrong, or empty */
    int status;            /* the worst with which a process for it ended without an answer; MU_OK: none */
    const json_t *proof;   /* borrowed: the measurement that refutes it; NULL: none */
    const char *waiver;    /* borrowed: why its refutation is accepted; NULL: it is not */
    const char *baseline;  /* borrowed: its verdict in the baseline; NULL: it has none */
    bool is_new;           /* refuted, and neither waived nor refuted in the baseline */
    char folder[PATH_MAX]; /* of its reproduction; empty: none */
};

/* Mutants of the memory tests through the device's path: the same accesses without their order, or without the releases
 * or the acquires alone. Which share of them is observed tells what the tests are good for here. */
struct mu_conform_score {
    size_t mutants, observed; /* that were tried; that had their outcome */
    double rarest;            /* of those observed the least share of instances that had it; 0: none was */
};

/* Tests of apps beside those of the baseline, as muster compare judges them. */
struct mu_conform_compared {
    bool are; /* there are any */
    size_t slower, faster, equivalent, not_shown, broken;
};

struct mu_conform {
    const struct mu_device_info *info; /* borrowed */
    struct mu_selftest selftest;
    struct mu_conform_options options;
    json_t *measurements;                    /* owned */
    struct mu_conform_statement *statements; /* owned */
    size_t count, room;
    double spent_s;   /* by all its processes, also of earlier calls */
    uint32_t rounds;  /* that have begun */
    bool out_of_time; /* the budget ended before the rounds that were asked for */
    json_t *known;    /* owned: verdicts of the baseline by name, and waivers; objects */
    json_t *waivers;
    char times[PATH_MAX], baseline_times[PATH_MAX]; /* sets with times of apps; empty: none */
    struct mu_conform_compared compared;
    struct mu_conform_score score;
};

/* Makes the statements about the device, and judges each by the measurements, which must outlive them. MU_NO_MEMORY. */
int mu_conform_judge(struct mu_conform *conform, struct mu_error *err);
void mu_conform_release(struct mu_conform *conform);

/* Whether a bug as frequent as the rarest mutant that was observed would have been seen with 95 %, in so many
 * instances.
 */
bool mu_conform_would_have_seen(const struct mu_conform_score *score, double instances);

/* Leaves the score in the chip's profile, if it has one of this device and driver. MU_IO, MU_NO_MEMORY. */
int mu_conform_keep_score(const struct mu_conform *conform, struct mu_error *err);

/* Counts mutants among the measurements. */
void mu_conform_count_mutants(struct mu_conform *conform);

/* Whether a name matches the pattern; NULL matches all. */
bool mu_conform_matches(const char *only, const char *name);

/* Whether the point is needed for a statement that is asked for. */
bool mu_conform_needs(const struct mu_circumstances *of, const json_t *point);

/* ---- Running ---- */

/* Runs rounds until the budget is used, and judges what they measured. A child that crashes or hangs is a measurement,
 * and what it was for is not tried. *late gets what ended the run before its time, such as a device that works no more;
 * the statements are there all the same. MU_INTERRUPTED, after which the same call goes on, MU_IO, MU_NO_MEMORY. */
int mu_conform_run(struct mu_conform *conform, struct mu_error *late, struct mu_error *err);

/* The kind "conform" of request. */
int mu_conform_serve(const json_t *request, struct mu_json *response, struct mu_error *err);

/* ---- What was known before ---- */

/* Reads the baseline: a file that `conform --json` printed, measurements of conform, or a folder that has one of these.
 * MU_IO, MU_INPUT; MU_USAGE for those of another device. */
int mu_conform_read_baseline(struct mu_conform *conform, const char *path, struct mu_error *err);

/* Reads waivers: a line for each: a test, a date after which it no longer counts (YYYY-MM-DD, may be missing), and a
 * reason. `today` is a date. Those that have ended, and those that name nothing, are told on `notes`. MU_IO, MU_INPUT
 * with file and line. */
int mu_conform_read_waivers(struct mu_conform *conform, const char *path, const char *today, FILE *notes,
                            struct mu_error *err);

/* Finds out which refutations are new. */
void mu_conform_mark(struct mu_conform *conform);

/* ---- Telling ---- */

/* Writes, for each refuted statement, a folder with what is needed to see it again. MU_IO, MU_NO_MEMORY. */
int mu_conform_reproduce(struct mu_conform *conform, struct mu_error *err);

/* A line for each statement, and the sentence on global barriers. */
void mu_conform_print(const struct mu_conform *conform, FILE *to);

/* The same as an object (doc/conform.schema.json). NULL: out of memory. */
json_t *mu_conform_to_json(const struct mu_conform *conform, struct mu_error *err);

void mu_conform_to_junit(const struct mu_conform *conform, struct mu_junit *junit);

/* MU_WRONG where a refutation is new; else how the worst process ended of those that statements rely on. */
int mu_conform_status(const struct mu_conform *conform);

#endif
