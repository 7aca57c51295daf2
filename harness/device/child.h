/* Work in a process of its own: whatever a driver does, the parent lives on.
 *
 * The parent sends a JSON request to a fresh process of the same program, and reads one JSON response. A response has
 * "outcome" and, unless that is "ok", "message"; the rest depends on the request's "kind" (struct mu_child_kind). */
#ifndef MU_HARNESS_DEVICE_CHILD_H
#define MU_HARNESS_DEVICE_CHILD_H

#include "base/error.h"
#include "base/json.h"
#include "harness/device/progress_callback.h"
#include "harness/device/settings.h"
#include "variants/launch/place.h"

#include <jansson.h>
#include <stdbool.h>

/* The first argument that makes the program a child. */
#define MU_CHILD_ARGUMENT "--child"

/* A function that gets each part of an answer as soon as it has come. The caller owns the part. An error ends the child
 * and the call. */
struct mu_taker {
    int (*take)(void *context, const json_t *part, struct mu_error *err);
    void *context;
};

/* The environment of a child. `icd`, when neither NULL nor empty, restricts the OpenCL loader to one vendor file.
 * `settings` are the driver's, or NULL. `on_progress` is told what the child does while an answer takes long; NULL
 * shows a line on the terminal. `taker` gets the parts, unless it is NULL. */
struct mu_child_environment {
    const char *icd;
    const struct mu_settings *settings;
    const struct mu_progress_callback *on_progress;
    const struct mu_taker *taker;
};

/* Runs the request in a child. After deadline_s seconds, in which this process was not stopped, the child is killed
 * with all that it has started. What it leaves behind is killed, too. A child that cannot be killed, because its driver
 * waits in the kernel, is abandoned after some seconds. The message then names the process, and further calls for its
 * device are refused with MU_DEVICE until it has ended.
 *
 * *response is the caller's (json_decref). It is NULL where there was none, unless the child crashed or passed its
 * deadline. Then it has the child's `phase`, and for how many seconds it was in it (`phase_s`). Where the child noted a
 * launch, it also has the `step` behind which the child was, or the workgroups of its persistent kernel
 * (`launched_groups`). `step_launch` is the number of that launch in its execution.
 *
 * The status is the outcome's: MU_DEADLINE and MU_CRASH (with the signal's name) when the child did not answer,
 * MU_INTERRUPTED after SIGINT or SIGTERM to this process.
 *
 * A child may answer in parts (mu_child_part), and then has deadline_s seconds for each. The taker gets each as it
 * comes. The response holds all of them as its array `parts`, however the child ended. There is no array if the child
 * never came to its parts. */
int mu_child_call(const json_t *request, const struct mu_child_environment *environment, double deadline_s,
                  json_t **response, struct mu_error *err);

/* A kind of request, and the function that fills in the response to one. */
struct mu_child_kind {
    const char *name;
    int (*serve)(const json_t *request, struct mu_json *response, struct mu_error *err);
};

/* Serves a request, on the child's side: reads it from standard input, serves it by the row of its kind, and writes the
 * response. Returns the exit code of main. The rows end in one without a name; main hands them down, since they name
 * functions of rooms above this one. */
int mu_child_main(const struct mu_child_kind *kinds);

/* Tells the parent, in a child that serves a request, what begins now: "load", "open", "build", "first" (the first
 * launch, for which some drivers compile), "run", "check" or "test" (of the device). Not for what is timed. Does
 * nothing elsewhere. */
void mu_child_phase(const char *name);

/* Returns where the executions of a child that serves a request note their launches. The memory ends with the child.
 * NULL elsewhere. */
struct mu_place *mu_child_place(void);

/* Sends a part at once, so that it is not lost when a later one ends the process; for a child that answers in parts.
 * NULL is a step on the way to the first part: the deadline begins again and nothing else. Does nothing elsewhere. */
void mu_child_part(const struct mu_json *part);

/* Adds how the request ended, which every response says. */
void mu_child_add_outcome(struct mu_json *response, const struct mu_error *err);

/* Installs the handlers that make SIGINT and SIGTERM end the running child and the call. */
void mu_child_catch_signals(void);
bool mu_interrupted(void);

#endif
