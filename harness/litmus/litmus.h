/* Litmus tests: what the device's memory does to the few accesses on which barriers, roll calls and mutexes rely, and
 * what its scheduler does to idioms in use. They are a survey (harness/engine/survey.h), whose measurements are JSON
 * Lines in mine/<chip>/litmus.jsonl.
 *
 * Each atomics path that the device has is tested in two forms: `ordered`, as the program uses it, and `relaxed`, the
 * same accesses without their order, as a control. */
#ifndef MU_HARNESS_LITMUS_LITMUS_H
#define MU_HARNESS_LITMUS_LITMUS_H

#include "base/error.h"
#include "base/json.h"
#include "harness/device/device.h"
#include "harness/engine/experiment.h"
#include "variants/variant.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* The experiments; the last row has no name. */
extern const struct mu_experiment mu_litmus_experiments[];

/* A shape of a few accesses. `weak` is its weak outcome: the results as bits of a number, the first one lowest. */
struct mu_litmus_shape {
    const char *name, *outcome;
    uint32_t number, roles, weak;
    bool forbidden, forbidden_relaxed; /* in the ordered form, and without order */
};
/* All shapes; the last row has no name. */
extern const struct mu_litmus_shape mu_litmus_shape_table[];

/* What other groups do meanwhile, as arguments of the kernel. */
struct mu_litmus_stress {
    uint32_t pattern, spread, stride, before;
    uint32_t share; /* of so many groups that test one more stresses */
};
extern const struct mu_litmus_stress mu_litmus_all_over;

/* Adds a stress to what is said of a search, and reads it from there. Returns false if it cannot be used. */
void mu_litmus_set_stress(struct mu_json *object, const struct mu_litmus_stress *stress);
bool mu_litmus_get_stress(const json_t *object, struct mu_litmus_stress *stress);

/* How the accesses of a test are done: as the program uses its path, or, as a control, without some or all of their
 * order. */
enum mu_litmus_form { MU_LITMUS_ORDERED, MU_LITMUS_RELAXED, MU_LITMUS_UNRELEASED, MU_LITMUS_UNACQUIRED };
extern const struct mu_choice mu_litmus_forms[]; /* the first two */

/* Names of the forms in points; NULL ends them. Mutants are relaxed forms, or lack the releases or the acquires
 * alone. */
extern const char *const mu_litmus_form_names[];

/* Returns true if the form forbids the outcome that the shape is about. */
bool mu_litmus_is_forbidden(const struct mu_litmus_shape *shape, enum mu_litmus_form form);

struct mu_litmus_options {
    bool quick;        /* a tenth of the time */
    bool restart;      /* set the measurements of an earlier run aside */
    bool idioms;       /* nothing but the idioms in which workgroups wait for others */
    uint32_t search_s; /* for each path, look for stress that brings out most; 0: no search */
};

/* ---- The child's side ---- */

int mu_litmus_shapes(struct mu_trial *trial, struct mu_error *err);
/* Searches for the stress that brings out most of the outcomes that order would forbid, in the path's relaxed form; and
 * tests the shapes under the stress that was found. */
int mu_litmus_search(struct mu_trial *trial, struct mu_error *err);
int mu_litmus_stressed(struct mu_trial *trial, struct mu_error *err);

/* Test each barrier and each mutex, or only the one that the point names as its `barrier` or `lock`. */
int mu_litmus_barriers(struct mu_trial *trial, struct mu_error *err);
int mu_litmus_locks(struct mu_trial *trial, struct mu_error *err);

/* Tests the barrier in the team that each roll call, or the point's `rollcall`, finds among more groups than fit. */
int mu_litmus_rollcalls(struct mu_trial *trial, struct mu_error *err);

/* Test idioms in use among workgroups, and idioms among the work-items or subgroups of a workgroup. */
int mu_litmus_idioms(struct mu_trial *trial, struct mu_error *err);
int mu_litmus_within(struct mu_trial *trial, struct mu_error *err);

/* Returns how many groups test at once: a power of two. */
uint32_t mu_litmus_groups(const struct mu_device_info *info);

/* Fills in what a point's program is built for, with the barrier, roll call or mutex that it names. MU_USAGE if the
 * point does not name a path and a form. */
int mu_litmus_build(const struct mu_trial *trial, struct mu_build *build, enum mu_litmus_form *form,
                    struct mu_error *err);

/* Collects the sources of the program, which mu_sources_free frees: a team's, in the point's form, with the mutex of a
 * roll call, and litmus.cl. mu_litmus_program builds the program, which is the caller's. */
int mu_litmus_collect(const struct mu_build *build, enum mu_litmus_form form, struct mu_sources *sources,
                      struct mu_error *err);
int mu_litmus_program(const struct mu_trial *trial, const struct mu_build *build, enum mu_litmus_form form,
                      cl_program *program, struct mu_error *err);

/* Builds the program of idioms in use, harness/litmus/idioms.cl, through the device's own path. *build gets what it is
 * built for. */
int mu_litmus_idioms_program(const struct mu_trial *trial, struct mu_build *build, cl_program *program,
                             struct mu_error *err);

/* Does the same for other sources whose kernels wait; `own` ends in NULL. */
int mu_litmus_waiting_program(const struct mu_trial *trial, const char *const *own, struct mu_build *build,
                              cl_program *program, struct mu_error *err);

/* Makes a buffer of zeros, and sets one to zeros again. */
int mu_litmus_buffer(const struct mu_trial *trial, size_t words, cl_mem *buffer, struct mu_error *err);
int mu_litmus_clear(const struct mu_trial *trial, cl_mem buffer, size_t words, struct mu_error *err);

/* Adds what was seen of a test: instances, how many had its weak outcome, what that outcome is called, and whether the
 * form forbids it. `more` is an object of further members, whose reference is taken, or NULL. */
struct mu_litmus_seen {
    const char *test, *outcome;
    bool forbidden;
    uint64_t instances, weak;
};
int mu_litmus_add(struct mu_trial *trial, const struct mu_litmus_seen *seen, json_t *more, struct mu_error *err);

/* Returns what the last search through the path found, among the measurements of a chip; NULL: nothing. Borrowed. */
const json_t *mu_litmus_found(const json_t *measurements, const char *path);

/* Returns the same for a point's path as an object, for its `known`; NULL: out of memory. */
json_t *mu_litmus_known(const json_t *measurements, const json_t *point);

/* Serves a request of the kind "litmus". */
int mu_litmus_serve(const json_t *request, struct mu_json *response, struct mu_error *err);

/* ---- The parent's side ---- */

/* Runs what the chip's file does not hold yet, and shows progress. *path, of `bytes` bytes, gets the file. On a device
 * that its self-test refuses only the shapes are tested, which wait for nothing. A point that fails is recorded and the
 * rest continues; the status is then the worst outcome. MU_INTERRUPTED, MU_DEVICE, MU_IO. */
int mu_litmus_run(const struct mu_device_info *info, const struct mu_litmus_options *options, char *path, size_t bytes,
                  struct mu_error *err);

#endif
