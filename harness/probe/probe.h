/* Probing a chip: experiments, each in a child process of its own, whose measurements are kept as JSON Lines in
 * results/<chip>/probe.jsonl, and the profile that is made of them.
 *
 * An experiment is a JSON object of parameters: "experiment" names its kind, "workgroup", "local_bytes" and others say
 * what of. The parameters are its identity: an experiment that a file of this driver holds is not done again. */
#ifndef MU_HARNESS_PROBE_PROBE_H
#define MU_HARNESS_PROBE_PROBE_H

#include "base/error.h"
#include "base/json.h"
#include "harness/device/device.h"
#include "harness/device/trust/selftest.h"
#include "harness/probe/lab.h"
#include "records/key.h"
#include "records/profile.h"
#include "records/store.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* ---- The child's side ---- */

/* What an experiment works with. */
struct mu_probe {
    struct mu_device_info info;
    struct mu_selftest selftest;
    struct mu_target target;
    bool place;                  /* whether it may place the driver's threads */
    uint32_t yield_polls;        /* of the laboratories */
    const json_t *parameters;    /* borrowed */
    const json_t *known;         /* borrowed: what earlier experiments found: "bound", "patience" */
    struct mu_json measurements; /* an array of objects */
};

/* A kind of experiment. */
struct mu_experiment {
    const char *name, *purpose;
    bool event_times; /* whether its queue takes times, which makes launches dearer */
    int (*run)(struct mu_probe *probe, struct mu_error *err);
};

/* Ends in a row without a name. */
extern const struct mu_experiment mu_experiments[];

int mu_probe_bound(struct mu_probe *probe, struct mu_error *err);
int mu_probe_recall(struct mu_probe *probe, struct mu_error *err);
int mu_probe_patience(struct mu_probe *probe, struct mu_error *err);
int mu_probe_verify(struct mu_probe *probe, struct mu_error *err);
int mu_probe_delay(struct mu_probe *probe, struct mu_error *err);
int mu_probe_cost(struct mu_probe *probe, struct mu_error *err);
int mu_probe_barrier(struct mu_probe *probe, struct mu_error *err);
int mu_probe_yield(struct mu_probe *probe, struct mu_error *err);
int mu_probe_launch(struct mu_probe *probe, struct mu_error *err);
int mu_probe_utilisation(struct mu_probe *probe, struct mu_error *err);
int mu_probe_combining(struct mu_probe *probe, struct mu_error *err);
int mu_probe_divergence(struct mu_probe *probe, struct mu_error *err);
int mu_probe_forward_progress(struct mu_probe *probe, struct mu_error *err);
int mu_probe_app(struct mu_probe *probe, struct mu_error *err);

/* For experiments: a number or text among the parameters or, with `known`, among what is known; 0 or NULL where there
 * is none. */
uint32_t mu_probe_number(const struct mu_probe *probe, const char *name);
uint32_t mu_probe_known(const struct mu_probe *probe, const char *name);
const char *mu_probe_text(const struct mu_probe *probe, const char *name);

/* Adds a measurement, an object, whose reference is taken; NULL, for which there was no memory, is MU_NO_MEMORY. */
int mu_probe_add(struct mu_probe *probe, json_t *measurement, struct mu_error *err);

/* A laboratory for the experiment's workgroup, by roll call or, with rollcall < 0, as specialised. A wait is a deadlock
 * after about `seconds`; 0 for the self-test's bound. */
int mu_probe_lab(const struct mu_probe *probe, int rollcall, enum mu_barrier barrier, double seconds,
                 struct mu_lab **lab, struct mu_error *err);

/* Appends to samples what a barrier costs a team, in ns: what more rounds cost than the quickest run of one, so that
 * neither launch nor joining is part of it. Where noise leaves nothing of the difference, all of the run's time, which
 * is too much, stands for its rounds. *rounds gets how many a sample has. */
int mu_probe_time_rounds(struct mu_probe *probe, struct mu_lab *lab, uint32_t team, uint32_t *rounds,
                         struct mu_json *samples, struct mu_error *err);

/* The time of a run: the device's where it tells, else the host's. */
uint64_t mu_probe_ns(const struct mu_probe *probe, uint64_t device_ns, uint64_t host_ns);

/* A program of one file of kernels, built with options; the caller's. */
int mu_probe_program(const struct mu_probe *probe, const char *path, const char *options, cl_program *program,
                     struct mu_error *err);

/* The kind "probe" of request. */
int mu_probe_serve(const json_t *request, struct mu_json *response, struct mu_error *err);

/* ---- The parent's side ---- */

struct mu_probe_options {
    bool quick;      /* fewer runs, fewer sizes: seconds instead of minutes */
    bool restart;    /* forget what was measured before */
    const char *app; /* NULL: the whole chip; else the bounds of this app's kernel */
    const char *input;
    uint32_t workgroup; /* with app; 0: the default sizes */
};

/* Runs what the chip's file does not hold yet, showing progress, and writes the profile (unless an app is asked for).
 * *measurements is the caller's: all that hold for this driver. An experiment that fails is recorded and the rest goes
 * on; a device that fails its self-test afterwards ends the probe. MU_UNSUPPORTED, after the profile has been written,
 * for a device that is refused; MU_INTERRUPTED, MU_DEVICE, MU_IO, MU_USAGE. */
int mu_probe_chip(const struct mu_device_info *info, const struct mu_probe_options *options, json_t **measurements,
                  struct mu_error *err);

/* The plan: an array of parameters, for a device whose self-test said so. NULL: out of memory. */
json_t *mu_probe_plan(const struct mu_device_info *info, const struct mu_selftest *selftest,
                      const struct mu_probe_options *options);

/* What earlier measurements tell an experiment: an object for struct mu_probe's `known`; NULL: out of memory. */
json_t *mu_probe_what_is_known(const json_t *measurements, const json_t *parameters);

/* Opens the file at path as the store to which a probe appends, with what it holds of info's driver. The caller closes
 * the store, also after a failure. */
int mu_probe_open(const char *path, const struct mu_device_info *info, struct mu_store *store, json_t **measurements,
                  struct mu_error *err);

/* The key of a part of an experiment that was made once more than `measurements` know. */
int mu_probe_key(const struct mu_device_info *info, const json_t *measurements, const json_t *parameters, size_t part,
                 char key[MU_KEY_BYTES], struct mu_error *err);

/* Times that a patience which fails to be verified may be followed by a larger one, and how much larger. */
#define MU_VERIFY_TRIES  4
#define MU_PATIENCE_STEP 4

/* True when the array holds every part of the experiment of these parameters; `verify` is done once it found everything
 * or has been tried often enough. */
bool mu_probe_is_done(const json_t *measurements, const json_t *parameters);

/* The polls between two yields that experiment `yield` tries: powers of MU_YIELD_STEP. */
#define MU_YIELD_LEAST 16u
#define MU_YIELD_MOST  65536u
#define MU_YIELD_STEP  4u

/* Of these the one whose two barrier rounds, threads apart and threads together, have the least product; 0 when they
 * were not measured. */
uint32_t mu_probe_yield_polls(const json_t *measurements);

/* What a patience that found everything is multiplied by: a power of two. */
#define MU_PATIENCE_MARGIN 4

/* A patience is at least so long, since an app's workgroups may arrive less evenly than the simple kernel's. */
#define MU_PATIENCE_LEAST 16

/* A margin that makes a roll call longer than about this time is halved: a CPU driver with fewer cores than workers
 * needs as much without any. */
#define MU_PATIENCE_MOST_NS 1e8

/* The smallest patience that found the whole bound in every run of all four microbenchmarks; 0 when none did. */
uint32_t mu_probe_patience_found(const json_t *measurements);

/* What is verified then: the patience found, with its margin, or a larger one after that was not enough in `verify`. 0
 * when none was found. */
uint32_t mu_probe_choose_patience(const json_t *measurements);

/* Fills a profile from measurements. */
void mu_probe_summarise(const struct mu_device_info *info, const struct mu_selftest *selftest,
                        const json_t *measurements, struct mu_profile *profile);

#endif
