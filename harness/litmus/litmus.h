/* Litmus tests: what the device's memory does to the few accesses on which barriers, roll calls and mutexes rely, and
 * what its scheduler does to idioms in use, as a survey (harness/engine/survey.h). Its measurements are kept as JSON
 * Lines in mine/<chip>/litmus.jsonl.
 *
 * Each atomics path that the device has is tested in two forms: `ordered`, as the program uses it, and `relaxed`, the
 * same accesses without their order, as a control. */
#ifndef MU_HARNESS_LITMUS_LITMUS_H
#define MU_HARNESS_LITMUS_LITMUS_H

#include "base/error.h"
#include "harness/device/device.h"
#include "harness/engine/experiment.h"
#include "variants/variant.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* The experiments. Ends in a row without a name. */
extern const struct mu_experiment mu_litmus_experiments[];

/* A shape of a few accesses. Its weak outcome is what its results say as the bits of a number, the first one lowest. */
struct mu_litmus_shape {
    const char *name, *outcome;
    uint32_t number, roles, weak;
    bool forbidden, forbidden_relaxed; /* in the ordered form, and without order */
};
/* Ends in a row without a name. */
extern const struct mu_litmus_shape mu_litmus_shape_table[];

/* What other groups do meanwhile, as arguments of the kernel have it. */
struct mu_litmus_stress {
    uint32_t pattern, spread, stride, before;
    uint32_t share; /* of so many groups that test one more stresses */
};
extern const struct mu_litmus_stress mu_litmus_all_over;

/* How the accesses of a test are done: as the program uses its path, or without their order, as a control. */
enum mu_litmus_form { MU_LITMUS_ORDERED, MU_LITMUS_RELAXED, MU_LITMUS_UNRELEASED, MU_LITMUS_UNACQUIRED };
extern const struct mu_choice mu_litmus_forms[]; /* the first two */

/* The name of a form in points: mutants are relaxed ones, and those that lack the releases or the acquires alone. Ends
 * in NULL. */
extern const char *const mu_litmus_form_names[];

/* Whether the form forbids the outcome that the shape is about. */
bool mu_litmus_is_forbidden(const struct mu_litmus_shape *shape, enum mu_litmus_form form);

struct mu_litmus_options {
    bool quick;        /* a tenth of the time */
    bool restart;      /* set the measurements of an earlier run aside */
    bool idioms;       /* nothing but the idioms in which workgroups wait for others */
    uint32_t search_s; /* for each path, look for stress that brings out most; 0: no search */
};

/* ---- The child's side ---- */

int mu_litmus_shapes(struct mu_trial *trial, struct mu_error *err);
/* A search for what other groups can do to bring out the most outcomes that order would forbid, in the path's relaxed
 * form; and the shapes under what it found. */
int mu_litmus_search(struct mu_trial *trial, struct mu_error *err);
int mu_litmus_stressed(struct mu_trial *trial, struct mu_error *err);

/* Through each barrier, or with each mutex, or that which the point names as its `barrier` or `lock`. */
int mu_litmus_barriers(struct mu_trial *trial, struct mu_error *err);
int mu_litmus_locks(struct mu_trial *trial, struct mu_error *err);

/* The barrier of the team that each roll call finds among more groups than fit, or that of the point's `rollcall`. */
int mu_litmus_rollcalls(struct mu_trial *trial, struct mu_error *err);

/* Idioms in use among workgroups, and idioms among the work-items or subgroups of a workgroup. */
int mu_litmus_idioms(struct mu_trial *trial, struct mu_error *err);
int mu_litmus_within(struct mu_trial *trial, struct mu_error *err);

/* How many groups test at once: a power of two. */
uint32_t mu_litmus_groups(const struct mu_device_info *info);

/* What a point's program is built for, with the barrier, roll call or mutex that it names. MU_USAGE for a path or form
 * that the point does not name. */
int mu_litmus_build(const struct mu_trial *trial, struct mu_build *build, enum mu_litmus_form *form,
                    struct mu_error *err);

/* The sources of the program: a team's, in the point's form, with the mutex of a roll call, and litmus.cl; freed with
 * mu_sources_free. And the program; the caller's. */
int mu_litmus_collect(const struct mu_build *build, enum mu_litmus_form form, struct mu_sources *sources,
                      struct mu_error *err);
int mu_litmus_program(const struct mu_trial *trial, const struct mu_build *build, enum mu_litmus_form form,
                      cl_program *program, struct mu_error *err);

/* That of idioms in use, harness/litmus/idioms.cl, through the device's own path; *build gets what it is built for. */
int mu_litmus_idioms_program(const struct mu_trial *trial, struct mu_build *build, cl_program *program,
                             struct mu_error *err);

/* The same of other sources whose kernels wait; `own` ends in NULL. */
int mu_litmus_waiting_program(const struct mu_trial *trial, const char *const *own, struct mu_build *build,
                              cl_program *program, struct mu_error *err);

/* A buffer of zeros. */
int mu_litmus_buffer(const struct mu_trial *trial, size_t words, cl_mem *buffer, struct mu_error *err);
int mu_litmus_clear(const struct mu_trial *trial, cl_mem buffer, size_t words, struct mu_error *err);

/* Adds what was seen of a test: instances, how many had its weak outcome, what that outcome is called, and whether the
 * form forbids it. `more` is an object of what else there is, whose reference is taken; NULL: nothing. */
struct mu_litmus_seen {
    const char *test, *outcome;
    bool forbidden;
    uint64_t instances, weak;
};
int mu_litmus_add(struct mu_trial *trial, const struct mu_litmus_seen *seen, json_t *more, struct mu_error *err);

/* What the last search through the path found, among the measurements of a chip; NULL: nothing. Borrowed. */
const json_t *mu_litmus_found(const json_t *measurements, const char *path);

/* The same through a point's path, as its `known`: an object; NULL: out of memory. */
json_t *mu_litmus_known(const json_t *measurements, const json_t *point);

/* The kind "litmus" of request. */
int mu_litmus_serve(const json_t *request, struct mu_json *response, struct mu_error *err);

/* ---- The parent's side ---- */

/* Runs what the chip's file does not hold yet, showing progress. *path, of `bytes` bytes, gets the file. Also for a
 * device that its self-test refuses, of which then only the shapes are tested, which wait for nothing. A point that
 * fails is recorded and the rest goes on; then the status is the worst outcome. MU_INTERRUPTED, MU_DEVICE, MU_IO. */
int mu_litmus_run(const struct mu_device_info *info, const struct mu_litmus_options *options, char *path, size_t bytes,
                  struct mu_error *err);

#endif
