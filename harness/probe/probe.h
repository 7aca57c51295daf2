/* Probing a chip: a survey (harness/engine/survey.h) of what synchronisation depends on, whose measurements are kept as
 * JSON Lines in mine/<chip>/probe.jsonl, and the profile that is made of them. */
#ifndef MU_HARNESS_PROBE_PROBE_H
#define MU_HARNESS_PROBE_PROBE_H

#include "base/error.h"
#include "base/json.h"
#include "harness/device/device.h"
#include "harness/device/trust/selftest.h"
#include "harness/engine/survey.h"
#include "harness/probe/lab.h"
#include "records/profile.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* The experiments, in the order in which they run: later ones build on what earlier ones found. The last row has no
 * name. */
extern const struct mu_experiment mu_probe_experiments[];

/* ---- The child's side ---- */

int mu_probe_bound(struct mu_trial *trial, struct mu_error *err);
int mu_probe_recall(struct mu_trial *trial, struct mu_error *err);
int mu_probe_patience(struct mu_trial *trial, struct mu_error *err);
int mu_probe_verify(struct mu_trial *trial, struct mu_error *err);
int mu_probe_delay(struct mu_trial *trial, struct mu_error *err);
int mu_probe_cost(struct mu_trial *trial, struct mu_error *err);
int mu_probe_barrier(struct mu_trial *trial, struct mu_error *err);
int mu_probe_queue(struct mu_trial *trial, struct mu_error *err);
int mu_probe_yield(struct mu_trial *trial, struct mu_error *err);
int mu_probe_launch(struct mu_trial *trial, struct mu_error *err);
int mu_probe_utilisation(struct mu_trial *trial, struct mu_error *err);
int mu_probe_combining(struct mu_trial *trial, struct mu_error *err);
int mu_probe_additions(struct mu_trial *trial, struct mu_error *err);
int mu_probe_divergence(struct mu_trial *trial, struct mu_error *err);
int mu_probe_copy(struct mu_trial *trial, struct mu_error *err);
int mu_probe_crossover(struct mu_trial *trial, struct mu_error *err);
int mu_probe_overlap(struct mu_trial *trial, struct mu_error *err);
int mu_probe_forward_progress(struct mu_trial *trial, struct mu_error *err);
int mu_probe_promises(struct mu_trial *trial, struct mu_error *err);
int mu_probe_native(struct mu_trial *trial, struct mu_error *err);
int mu_probe_watchdog(struct mu_trial *trial, struct mu_error *err);
int mu_probe_app(struct mu_trial *trial, struct mu_error *err);

/* Opens a laboratory for the experiment's workgroup, by roll call or, with rollcall < 0, as specialised. A wait is a
 * deadlock after about `seconds` of polls; 0 for the self-test's bound. */
int mu_probe_lab(const struct mu_trial *trial, int rollcall, enum mu_barrier barrier, double seconds,
                 struct mu_lab **lab, struct mu_error *err);

/* Returns the seconds of polls after which a search for a bound takes a wait for a deadlock. Where waiting workgroups
 * yield, they wait two to three times as long. */
double mu_probe_deadlock_s(const struct mu_trial *trial);

/* Opens one as specialised with the barrier `counter`, whose waits have so many polls between two yields. */
int mu_probe_lab_yielding(const struct mu_trial *trial, uint32_t polls, struct mu_lab **lab, struct mu_error *err);

/* Appends to samples what a barrier costs a team, in ns: what more rounds cost than the quickest run of one, so that
 * neither launch nor joining is part of it. Where noise leaves nothing of the difference, all of the run's time, which
 * is too much, stands for its rounds. *rounds gets how many a sample has. */
int mu_probe_time_rounds(struct mu_trial *trial, struct mu_lab *lab, uint32_t team, uint32_t *rounds,
                         struct mu_json *samples, struct mu_error *err);

/* Returns the time of a run: the device's where it tells, else the host's. */
uint64_t mu_probe_ns(const struct mu_trial *trial, uint64_t device_ns, uint64_t host_ns);

/* Launches a kernel on an idle device, and waits for its end; *ns gets its time, as mu_probe_ns chooses it. */
int mu_probe_time_launch(const struct mu_trial *trial, cl_kernel kernel, size_t items, size_t workgroup, double *ns,
                         struct mu_error *err);

/* Builds a program of one file of kernels, with options. It is the caller's. */
int mu_probe_program(const struct mu_trial *trial, const char *path, const char *options, cl_program *program,
                     struct mu_error *err);

/* Serves a request of the kind "probe". */
int mu_probe_serve(const json_t *request, struct mu_json *response, struct mu_error *err);

/* ---- The parent's side ---- */

/* OOPSLA 2016, figure 8: the cost of roll calls at "multiples of eight up to the maximum workgroup size". */
#define MU_FINE_STEP 8u

struct mu_probe_options {
    bool quick;           /* fewer runs, fewer sizes: seconds instead of minutes */
    bool fine;            /* roll calls at workgroups of each multiple of MU_FINE_STEP, too */
    bool thesis;          /* figure 4.7 and table 4.6 of the thesis with its own counts, too */
    uint32_t watchdog_ms; /* only try a kernel that takes so long; 0: everything else */
    bool restart;         /* forget what was measured before */
    const char *app;      /* NULL: the whole chip; else the bounds of this app's kernel */
    const char *input;
    const char *input_format; /* the name of the format of the input's file; NULL: told by its content */
    uint32_t workgroup;       /* with app; 0: the default sizes */
};

/* Fails with MU_USAGE if the chip's profile is another device's, which has the same short name. */
int mu_probe_check_owner(const struct mu_device_info *info, struct mu_error *err);

/* Runs what the chip's file does not hold yet, showing progress, and writes the profile (unless an app is asked for).
 * *measurements is the caller's: all that hold for this driver. An experiment that fails is recorded and the rest goes
 * on; a device that fails its self-test afterwards ends the probe. MU_UNSUPPORTED, after the profile has been written,
 * for a device that is refused; where the bound of the app asked for was not found, what it ended as; MU_INTERRUPTED,
 * MU_DEVICE, MU_IO, MU_USAGE. */
int mu_probe_chip(const struct mu_device_info *info, const struct mu_probe_options *options, json_t **measurements,
                  struct mu_error *err);

/* Returns what earlier measurements tell an experiment: an object for struct mu_trial's `known`; NULL: out of
 * memory. */
json_t *mu_probe_what_is_known(const json_t *measurements, const json_t *parameters);

/* Times that a patience which fails to be verified may be followed by a larger one, and how much larger. */
#define MU_VERIFY_TRIES  4
#define MU_PATIENCE_STEP 4

/* Returns true if experiment `verify` is done: it found everything, or was tried often enough. */
bool mu_probe_is_verified(const json_t *measurements, const json_t *parameters);

/* The polls between two yields that experiment `yield` tries: powers of MU_YIELD_STEP, in a quick probe of
 * MU_YIELD_QUICK_STEP. */
#define MU_YIELD_LEAST      16u
#define MU_YIELD_MOST       65536u
#define MU_YIELD_STEP       4u
#define MU_YIELD_QUICK_STEP 16u

/* Returns the number of polls whose two barrier rounds, threads apart and threads together, have the least product; 0
 * when they were not measured. */
uint32_t mu_probe_yield_polls(const json_t *measurements);

/* What a patience that found everything is multiplied by: a power of two. */
#define MU_PATIENCE_MARGIN 4

/* A margin that makes a roll call longer than about this time is halved: a CPU driver with fewer cores than workers
 * needs as much without any. */
#define MU_PATIENCE_MOST_NS 1e8

/* The smallest patience that found the whole bound in every run of all four microbenchmarks; 0 when none did. */
uint32_t mu_probe_patience_found(const json_t *measurements);

/* Chooses the patience that is verified next: the one found, with its margin, or a larger one if that was not enough in
 * `verify`. 0 when none was found. */
uint32_t mu_probe_choose_patience(const json_t *measurements);

/* Returns the median of a measurement's array of numbers; 0 for none. */
double mu_probe_median(const json_t *measurement, const char *name);

/* Returns from how many multiply-adds on a launch for each round is as good as a barrier; 0 where that is not known. */
double mu_probe_find_crossover(const json_t *measurements);

/* Take what a measurement adds to a profile, which is `summary`. */
void mu_probe_take_bound(const struct mu_device_info *info, const json_t *measurement, void *summary);
void mu_probe_take_launch(const struct mu_device_info *info, const json_t *measurement, void *summary);
void mu_probe_take_combining(const struct mu_device_info *info, const json_t *measurement, void *summary);
void mu_probe_take_divergence(const struct mu_device_info *info, const json_t *measurement, void *summary);
void mu_probe_take_copy(const struct mu_device_info *info, const json_t *measurement, void *summary);
void mu_probe_take_progress(const struct mu_device_info *info, const json_t *measurement, void *summary);
void mu_probe_take_cost(const struct mu_device_info *info, const json_t *measurement, void *summary);

/* Fills in the longest kernel that the system let end, and the shortest that it did not. */
void mu_probe_take_watchdog(const json_t *measurements, struct mu_profile *profile);

/* Returns whether an outcome is what becomes of a kernel that a watchdog ends. */
bool mu_probe_is_ended(const char *outcome);

/* Fills in when the measurements were made, which is when the newest was, and by which commits, each named once. A
 * profile that is written again from the same measurements says the same; one without any is of now, and of this
 * program. */
void mu_probe_tell_origin(const json_t *measurements, struct mu_profile *profile);

/* Fills a profile from measurements. */
void mu_probe_summarise(const struct mu_device_info *info, const struct mu_selftest *selftest,
                        const json_t *measurements, struct mu_profile *profile);

#endif
