/* The engine: everything that muster measures in a plan of many processes is run by it, be it the tests of a suite, the
 * tries of a tuning, or the points of an experiment.
 *
 * A plan is a list of steps, made before anything runs, in the order in which they run. A step is of a kind of work,
 * which says what is to be done for it; the engine leaves out what need not be done, shows how far it has come and how
 * long the rest takes, notes how steps ended, looks after the device when one ended by a crash or a hang, and stops at
 * a signal. What the stores hold is not run again, so that the same plan goes on where it was. */
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
    uint32_t test;   /* which of the engine's tests it is of, from 0 */
    uint32_t repeat; /* which of the test's processes, from 0 */
    uint32_t order;  /* its place among the steps of its kind */
    uint32_t group;  /* steps that follow each other with one number are done together or not at all: budget.h */
};

/* How a step ended. */
struct mu_ending {
    bool fresh;          /* something was done; else the store had everything */
    int status;          /* the worst outcome */
    int harm;            /* the outcome that may have harmed the device: MU_CRASH, MU_DEADLINE, MU_DEVICE; else MU_OK */
    json_t *record;      /* of a process of the test, the ending's own; NULL for steps that are no part of its time */
    const char *message; /* for people, of what did not end well, in the record; NULL for none */
};

/* A kind of work. The functions get the engine for its `context`. */
struct mu_work {
    const char *name;
    bool is_test; /* its steps are processes of tests: one that does not end well stands for its test, whose other
                     steps of the kind are left out, as are those beyond what the test needs */
    void (*describe)(const struct mu_engine *engine, const struct mu_step *step, char *text, size_t bytes);
    double (*expect)(const struct mu_engine *engine, const struct mu_step *step); /* seconds */

    /* Whether that is known of such steps, and no guess. NULL: it always is. */
    bool (*is_known)(const struct mu_engine *engine, const struct mu_step *step);

    /* Does the step. What fails in it is its ending; an error ends the plan: MU_INTERRUPTED, MU_IO, MU_NO_MEMORY. */
    int (*run)(struct mu_engine *engine, const struct mu_step *step, struct mu_ending *ending, struct mu_error *err);
};

struct mu_engine {
    struct mu_engine_environment environment;
    const char *device; /* its name, for messages */
    const char *unit;   /* what a step is to people: "a test" */
    void *context;      /* the owner of the plan */
    struct mu_enough enough;
    struct mu_step *steps; /* owned */
    uint32_t step_count, room;
    uint32_t group; /* of the steps that are added next */
    struct mu_budget budget;
    bool *passed;           /* by step: mu_engine_pass; owned */
    struct mu_tally *tests; /* owned */
    uint32_t test_count;
    struct mu_progress progress;
    bool only_looks; /* a dry run: a step that the stores have not got as a whole ends with MU_INTERRUPTED, undone */
    bool only_steps; /* the tests launch single steps, without a barrier between workgroups */
    const struct mu_step *current;  /* the step that runs, for mu_engine_call to show */
    struct mu_ahead {               /* what there is to do, as it was seen last */
        const struct mu_step *from; /* from this step on; NULL: not seen yet */
        uint32_t fresh_for;         /* steps until all is looked at again */
        uint32_t steps, unknown;    /* unknown: those whose time is a guess */
        double seconds;
    } ahead;
    uint32_t failed; /* tests that did not end well */
    int worst;       /* of all outcomes */
};

/* Room for a plan of at most `room` steps of `tests` tests. The engine must be zeros. MU_LIMIT, MU_NO_MEMORY. */
int mu_engine_make(struct mu_engine *engine, size_t room, uint32_t tests, struct mu_error *err);
void mu_engine_release(struct mu_engine *engine);

/* Adds a step, the next of its kind of work. */
void mu_engine_add(struct mu_engine *engine, const struct mu_work *work, uint32_t test, uint32_t repeat);

/* A round of tests that are compared with each other: each has a process, in an order of the round's own. */
struct mu_round {
    const struct mu_work *work;
    uint32_t first, count; /* which of the engine's tests */
    uint32_t repeat;       /* the round's number, from 0 */
    uint64_t seed;         /* of the random orders (harness/engine/order.h) … */
    const char *group;     /* … and what the tests are called together, so that no two groups have the same orders */
};

/* Adds the steps of a round. MU_NO_MEMORY. */
int mu_engine_add_round(struct mu_engine *engine, const struct mu_round *round, struct mu_error *err);

/* Runs the steps, after mu_progress_start. MU_OK says that all were done, however they ended. MU_INTERRUPTED, MU_IO,
 * MU_NO_MEMORY, MU_DEVICE (the device does not work any more): a later call goes on from there. */
int mu_engine_run(struct mu_engine *engine, struct mu_error *err);

/* Whether a step need not be done, as far as is known by now. */
bool mu_engine_leaves_out(const struct mu_engine *engine, const struct mu_step *step);

/* Whether a device with this self-test can do what the plan's tests need. */
bool mu_engine_trusts(const struct mu_engine *engine, const struct mu_selftest *selftest);

/* For kinds of work: calls a child process for the step that runs, showing on the progress that it does. *wall_ns gets
 * how long that took. The status is the outcome's. */
int mu_engine_call(struct mu_engine *engine, struct mu_call *call, json_t **response, uint64_t *wall_ns,
                   struct mu_error *err);

/* For kinds of work whose steps share a process: shows that a step has ended now, be it in the turn of an earlier one,
 * so that its own turn shows nothing; `message` as in struct mu_ending. */
void mu_engine_pass(struct mu_engine *engine, const struct mu_step *step, int status, const char *message);
bool mu_engine_has_passed(const struct mu_engine *engine, const struct mu_step *step);

/* Shows that a step runs. */
void mu_engine_show(struct mu_engine *engine, const struct mu_step *step);

/* How long a step will probably take, in seconds; 0 where it need not be done, as far as is known by now. */
double mu_engine_expect(const struct mu_engine *engine, const struct mu_step *step);

/* What a dry run finds: how many steps are left and how long they will take together, in seconds; and how many the
 * stores have. `tests` are those that are processes of tests. */
struct mu_listing {
    uint32_t steps, tests, done, done_tests;
    double seconds;
};

/* Prints the steps that tests will probably need, one a line; with engine->only_looks without those that the stores
 * have. MU_INTERRUPTED, MU_IO, MU_NO_MEMORY. */
int mu_engine_list(struct mu_engine *engine, FILE *to, struct mu_listing *listing, struct mu_error *err);

#endif
