/* Conformance: may workgroups of this device wait for each other? It is a survey (harness/engine/survey.h) in rounds,
 * as many as fit into a budget of time. Each round tries self-test, occupancy bound, scheduler models, barriers, roll
 * calls, mutexes, and the memory accesses they consist of. Measurements are kept as JSON Lines in
 * mine/<chip>/conform.jsonl.
 *
 * What muster's synchronisation relies on is written as a list of statements. A measurement can refute a statement; no
 * number of measurements proves one. */
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
#define MU_CONFORM_VERDICTS "conform.json" /* the verdicts */
#define MU_CONFORM_FOLDER   "conform"      /* for reproductions */
#define MU_CONFORM_SCHEMA   1

/* The experiments. Ends in a row without a name. */
extern const struct mu_experiment mu_conform_experiments[];

struct mu_conform_options {
    double budget_s;
    uint32_t rounds;  /* largest number of rounds; 0: as many as the budget allows */
    const char *only; /* only statements whose names match this shell pattern; NULL: all */
    bool restart;     /* first rename the measurements of an earlier run */
    uint32_t round;   /* number of the round that is planned, from 1; set by mu_conform_run */
};

/* ---- Statements ---- */

enum mu_conform_verdict { MU_CONFORM_NOT_TRIED, MU_CONFORM_NOT_REFUTED, MU_CONFORM_REFUTED, MU_CONFORM_VERDICTS_COUNT };
extern const char *const mu_conform_verdict_names[MU_CONFORM_VERDICTS_COUNT];

struct mu_conform_statement {
    char name[64];      /* "barrier/c11/counter": part of the synchronisation, atomics path, kind */
    char text[192];     /* the sentence */
    const char *stress; /* the conditions under which it was tried */
    bool relied;        /* muster relies on it on this device; false: only a part that it does not choose here does */
    enum mu_conform_verdict verdict;
    uint64_t runs;    /* launches or tries that ended well */
    double instances; /* occasions on which a forbidden outcome could have occurred; 0: not counted */
    double seen;      /* instances in which it occurred */
    char why[320];    /* not tried: the reason; refuted: what was observed; otherwise what else went wrong, or empty */
    int status;       /* worst status of its processes that gave no answer; MU_OK: none */
    const json_t *proof;   /* borrowed: the measurement that refutes it; NULL: none */
    const char *waiver;    /* borrowed: why a refutation is accepted; NULL: no waiver */
    const char *baseline;  /* borrowed: its verdict in the baseline; NULL: not in it */
    bool is_new;           /* refuted, and neither waived nor refuted in the baseline */
    char folder[PATH_MAX]; /* folder with its reproduction; empty: none */
};

/* Score of the memory tests on this device's atomics path. Their mutants make the same accesses without the order, or
 * without its releases or its acquires. The share of mutants that is observed shows how sensitive the tests are
 * here. */
struct mu_conform_score {
    size_t mutants, observed; /* mutants that were tried; those whose forbidden outcome was observed */
    double rarest; /* smallest share of instances with the outcome, over the observed mutants; 0: none was observed */
};

/* Times of apps compared with those of the baseline, counted by the judgements of muster compare. */
struct mu_conform_compared {
    bool are; /* there are times to compare */
    size_t slower, faster, equivalent, not_shown, broken;
};

struct mu_conform {
    const struct mu_device_info *info; /* borrowed */
    struct mu_selftest selftest;
    struct mu_conform_options options;
    json_t *measurements;                    /* owned */
    struct mu_conform_statement *statements; /* owned */
    size_t count, room;
    double spent_s;   /* seconds spent by all processes, those of earlier calls included */
    uint32_t rounds;  /* number of rounds that have begun */
    bool out_of_time; /* the budget ended before the rounds that were asked for */
    json_t *known;    /* owned: object of the baseline's verdicts by name */
    json_t *waivers;  /* owned: object of reasons by pattern */
    char times[PATH_MAX], baseline_times[PATH_MAX]; /* sets of records with times of apps; empty: none */
    struct mu_conform_compared compared;
    struct mu_conform_score score;
};

/* Makes the list of statements about the device, and judges each by conform->measurements, which must outlive them.
 * Fails with MU_NO_MEMORY, or with MU_USAGE if no name matches options.only. */
int mu_conform_judge(struct mu_conform *conform, struct mu_error *err);
/* Releases what the structure owns. */
void mu_conform_release(struct mu_conform *conform);

/* Returns true if a bug as frequent as the rarest observed mutant would have been seen with a probability of 95 % in
 * this many instances. */
bool mu_conform_would_have_seen(const struct mu_conform_score *score, double instances);

/* Writes the score into the chip's profile, if that is of this device and driver. Fails with MU_IO or MU_NO_MEMORY. */
int mu_conform_keep_score(const struct mu_conform *conform, struct mu_error *err);

/* Fills in conform->score from the measurements. */
void mu_conform_count_mutants(struct mu_conform *conform);

/* Returns true if a name matches the shell pattern; NULL matches all. */
bool mu_conform_matches(const char *only, const char *name);

/* Returns true if a selected statement needs the point. */
bool mu_conform_needs(const struct mu_circumstances *of, const json_t *point);

/* ---- Running ---- */

/* Runs rounds until the budget is used up, and judges what they measured. A child that crashes or hangs is recorded,
 * and its statement counts as not tried. *late gets an error that ended the rounds early, such as a device that no
 * longer works; the statements are judged nevertheless. Fails with MU_INTERRUPTED, after which the same call continues,
 * MU_IO or MU_NO_MEMORY. */
int mu_conform_run(struct mu_conform *conform, struct mu_error *late, struct mu_error *err);

/* Serves requests of kind "conform", in the child. */
int mu_conform_serve(const json_t *request, struct mu_json *response, struct mu_error *err);

/* ---- What was known before ---- */

/* Reads the baseline: a file that `conform --json` printed, a file of conform's measurements, or a folder with one of
 * these. Fails with MU_IO, MU_INPUT, or with MU_USAGE if it is of another device. */
int mu_conform_read_baseline(struct mu_conform *conform, const char *path, struct mu_error *err);

/* Reads waivers, one a line: a pattern of names, a date (YYYY-MM-DD, optional) after which it no longer counts, and a
 * reason. `today` has the same form. Waivers that have expired are listed on `notes`. Fails with MU_IO, or with
 * MU_INPUT, naming file and line. */
int mu_conform_read_waivers(struct mu_conform *conform, const char *path, const char *today, FILE *notes,
                            struct mu_error *err);

/* Marks which refutations are new: neither waived nor refuted in the baseline. */
void mu_conform_mark(struct mu_conform *conform);

/* ---- Telling ---- */

/* Writes a folder for each refuted statement, with what is needed to reproduce it. Fails with MU_IO or MU_NO_MEMORY. */
int mu_conform_reproduce(struct mu_conform *conform, struct mu_error *err);

/* Prints a line for each statement, and a sentence that says whether to rely on global barriers. */
void mu_conform_print(const struct mu_conform *conform, FILE *to);

/* Returns the same as an object (doc/conform.schema.json), which is the caller's. NULL when memory runs out. */
json_t *mu_conform_to_json(const struct mu_conform *conform, struct mu_error *err);

/* Adds a test case for each statement to a JUnit report. */
void mu_conform_to_junit(const struct mu_conform *conform, struct mu_junit *junit);

/* Returns MU_WRONG if a refutation is new, else the worst status of the processes for statements that muster relies
 * on. */
int mu_conform_status(const struct mu_conform *conform);

#endif
