/* The environment of an engine: child processes, the device, the clock, the processors, signals. Tests put a table of
 * answers in its place (tests/harness/engine/fake_environment.h), so that they need no driver. */
#ifndef MU_HARNESS_ENGINE_ENVIRONMENT_H
#define MU_HARNESS_ENGINE_ENVIRONMENT_H

#include "base/error.h"
#include "harness/device/child.h"
#include "harness/device/device.h"
#include "harness/device/host/placement.h"
#include "harness/device/host/watch.h"
#include "harness/device/progress_callback.h"
#include "harness/device/settings.h"
#include "harness/device/trust/selftest.h"
#include "harness/run/asked.h"
#include "harness/run/run.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* One call of a child process. */
struct mu_call {
    json_t *request;             /* owned by the caller */
    double deadline_s;           /* seconds after which the child is killed */
    struct mu_settings settings; /* the driver's */
    uint32_t placement;          /* as in harness/device/host/placement.h; the call adds "place" to the request */
    const struct mu_progress_callback
        *on_progress;                    /* harness/device/child.h; NULL: the call shows a line on the terminal */
    const struct mu_taker *taker;        /* harness/device/child.h; NULL: parts are read from the response at its end */
    char not_placed[MU_PLACEMENT_BYTES]; /* after the call: why the child may not place its threads, or empty */
};

/* How much progress an engine shows. Quiet: failures only. Usual: one line that changes on a terminal, else a line for
 * each run. Verbose: a line for each run. */
enum { MU_QUIET = -1, MU_USUAL, MU_VERBOSE };

struct mu_engine_environment {
    void *context; /* the first argument of each function */

    /* Calls a child process. *response is the caller's, NULL if there is none. The status is the child's outcome, or
     * MU_INTERRUPTED after a signal to this process. */
    int (*call)(void *context, struct mu_call *call, json_t **response, struct mu_error *err);

    /* Gets the result of the device's self-test: from the cache, or with `fresh` from a new process. */
    int (*check)(void *context, bool fresh, struct mu_selftest *selftest, struct mu_error *err);

    /* Resolves a test (harness/run/resolve.h). */
    int (*resolve)(void *context, const struct mu_asked *asked, struct mu_test *test, struct mu_error *err);

    bool (*interrupted)(void *context);
    uint64_t (*now_ns)(void *context);
    uint64_t end_ns; /* when `interrupted` will return true, by that clock; 0: it is not known */

    /* mu_processors_read of this machine (harness/device/host/watch.h). */
    bool (*processors)(void *context, struct mu_processor_times *times);

    int verbosity; /* MU_QUIET, MU_USUAL or MU_VERBOSE */
};

/* Returns the environment of this machine and this device. `info` is borrowed and must outlive it. */
struct mu_engine_environment mu_engine_environment_of(const struct mu_device_info *info);

#endif
