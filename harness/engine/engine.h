/* The engine runs a plan of many processes: the tests of a suite, the tries of a tuning, or the points of an
 * experiment.
 *
 * A plan is a list of steps, made before anything runs, in the order in which they run. Each step is of a kind of work,
 * which knows what the step does. The engine leaves out steps that are not needed, shows progress and the time to go,
 * notes outcomes, and stops at a signal. After a crash or a hang it tests the device again. What the store holds
 * already is not run again, so the same plan continues where it was interrupted. */
#ifndef MU_HARNESS_ENGINE_ENGINE_H
#define MU_HARNESS_ENGINE_ENGINE_H

#include "base/error.h"
#include "harness/engine/budget.h"
#include "harness/engine/enough.h"
#include "harness/engine/environment.h"
#include "harness/engine/progress.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct mu_engine;

struct mu_step {
    const struct mu_work *work;
    uint32_t test;   /* number of its test among the engine's, from 0 */
    uint32_t repeat; /* number of the process among those of its test, from 0 */
    uint32_t order;  /* number of the step among those of its kind of work, from 0 */
    uint32_t group;  /* consecutive steps with the same number are done together or not at all (budget.h) */
};

/* How a step ended. */
struct mu_ending {
    bool fresh;          /* something was measured; false: the store had everything */
    int status;          /* the worst outcome */
    int harm;            /* an outcome that may have harmed the device (MU_CRASH, MU_DEADLINE, MU_DEVICE); else MU_OK */
    json_t *record;      /* owned; the record of a process of the test; NULL for steps whose times do not count */
    const char *message; /* what went wrong, for people; borrowed from the record; NULL: nothing */
};

/* A kind of work. Its functions find the plan's owner in the engine's `context`. */
struct mu_work {
    const char *name;
    bool is_test; /* each step is a process of a test; a step that fails decides the outcome of its test, and the test's
                     other steps are left out, as are those beyond what the test needs */
    void (*describe)(const struct mu_engine *engine, const struct mu_step *step, char *text, size_t bytes);
    double (*expect)(const struct mu_engine *engine, const struct mu_step *step); /* returns seconds */

    /* Returns true if that estimate comes from similar steps and is no guess. NULL: always true. */
    bool (*is_known)(const struct mu_engine *engine, const struct mu_step *step);

    /* Does the step. A failure of what is measured goes into the ending. An error ends the plan: MU_INTERRUPTED, MU_IO
     * or MU_NO_MEMORY. */
    int (*run)(struct mu_engine *engine, const struct mu_step *step, struct mu_ending *ending, struct mu_error *err);
};

struct mu_engine {
    struct mu_engine_environment environment;
    const char *device; /* name for messages */
    const char *unit;   /* what messages call a step: "a test" */
    void *context;      /* the owner of the plan */
    struct mu_enough enough;
    struct mu_step *steps; /* owned */
    uint32_t step_count, room;
    uint32_t group; /* number for the steps that are added next */
    struct mu_budget budget;
    bool *passed;           /* owned; for each step, whether mu_engine_pass has shown its end */
    struct mu_tally *tests; /* owned */
    uint32_t test_count;
    struct mu_progress progress;
    bool only_looks; /* a dry run: a step that is not wholly in the store ends with MU_INTERRUPTED, and nothing is
                        measured */
    bool only_steps; /* the tests launch each step of a plan as a kernel, without barriers between workgroups */
    const struct mu_step *current;  /* the step that is running */
    struct mu_ahead {               /* what is left to do, when that was last counted */
        const struct mu_step *from; /* counted from this step on; NULL: not counted yet */
        uint32_t fresh_for;         /* number of steps after which it is counted again */
        uint32_t steps, unknown;    /* unknown: steps whose duration is a guess */
        double seconds;
    } ahead;
    uint32_t failed; /* number of tests that failed */
    int worst;       /* the worst outcome of all steps */
};

/* Allocates a plan of at most `room` steps of `tests` tests. The engine must be zeros but for what the owner sets.
 * Fails with MU_LIMIT or MU_NO_MEMORY; release it after a failure, too. */
int mu_engine_make(struct mu_engine *engine, size_t room, uint32_t tests, struct mu_error *err);
void mu_engine_release(struct mu_engine *engine);

/* Adds a step, the next of its kind of work. */
void mu_engine_add(struct mu_engine *engine, const struct mu_work *work, uint32_t test, uint32_t repeat);

/* A round of tests that are compared with each other: each gets one process, in a random order of this round's own. */
struct mu_round {
    const struct mu_work *work;
    uint32_t first, count; /* the engine's tests first … first + count - 1 */
    uint32_t repeat;       /* the round's number, from 0 */
    uint64_t seed;         /* of the random orders (harness/engine/order.h) … */
    const char *group;     /* … and a name of the tests together, so that no two groups get the same orders */
};

/* Adds the steps of a round. Fails with MU_NO_MEMORY. */
int mu_engine_add_round(struct mu_engine *engine, const struct mu_round *round, struct mu_error *err);

/* Runs the steps; mu_progress_start must have been called. Returns MU_OK when all steps are done, whatever their
 * outcomes. Fails with MU_INTERRUPTED, MU_IO, MU_NO_MEMORY, or with MU_DEVICE when the device no longer works; a later
 * call continues from there. */
int mu_engine_run(struct mu_engine *engine, struct mu_error *err);

/* Returns true if a step is not needed, as far as is known now. */
bool mu_engine_leaves_out(const struct mu_engine *engine, const struct mu_step *step);

/* Returns true if a device with this result of its self-test can do what the plan's tests need. */
bool mu_engine_trusts(const struct mu_engine *engine, const struct mu_selftest *selftest);

/* For kinds of work: calls a child process for the step that is running, and shows the step. *wall_ns gets how long the
 * call took. *response is the caller's; NULL if there is none. The status is the child's outcome. */
int mu_engine_call(struct mu_engine *engine, struct mu_call *call, json_t **response, uint64_t *wall_ns,
                   struct mu_error *err);

/* For kinds of work whose steps share a process: shows that a step has ended, even before its turn in the plan. Its own
 * turn then shows nothing. `message` is as in struct mu_ending. */
void mu_engine_pass(struct mu_engine *engine, const struct mu_step *step, int status, const char *message);
/* Returns true if mu_engine_pass was called for the step. */
bool mu_engine_has_passed(const struct mu_engine *engine, const struct mu_step *step);

/* Shows that a step is running. */
void mu_engine_show(struct mu_engine *engine, const struct mu_step *step);

/* Returns the expected duration of a step in seconds; 0 if it is left out. */
double mu_engine_expect(const struct mu_engine *engine, const struct mu_step *step);

/* The result of a dry run: how many steps are left and their expected duration together in seconds, and how many the
 * store has. `tests` and `done_tests` count only steps that are processes of tests. */
struct mu_listing {
    uint32_t steps, tests, done, done_tests;
    double seconds;
};

/* Prints the steps that are expected to run, one a line; with engine->only_looks without those that are in the store.
 * Fails with MU_INTERRUPTED, MU_IO or MU_NO_MEMORY. */
int mu_engine_list(struct mu_engine *engine, FILE *to, struct mu_listing *listing, struct mu_error *err);

#endif
