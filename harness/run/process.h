/* The child's side of a test. A struct mu_process holds what has been set up so far; the functions are the parts of a
 * test, in their order. */
#ifndef MU_HARNESS_RUN_PROCESS_H
#define MU_HARNESS_RUN_PROCESS_H

#include "harness/run/run.h"
#include "inputs/cached.h"
#include "variants/launch/execution.h"

/* A copy of results of the instance that have passed the check: a later run that gives the same bytes is right too. */
struct mu_verified {
    void *copy[MU_MAX_BUFFERS];
    size_t bytes[MU_MAX_BUFFERS];
    uint64_t steps; /* that the plan takes to these results; 0: not known */
    bool valid;
};
void mu_verified_release(struct mu_verified *verified);

/* What a child process that takes samples has set up. */
struct mu_process {
    struct mu_test test;
    struct mu_device_info info;
    struct mu_graph *graph; /* the input: one of the two */
    struct mu_mesh *mesh;
    uint64_t input_hash;
    struct mu_input_cache input_cache; /* of the input, and of the reference */
    struct mu_instance *instance;
    struct mu_verified verified;
    struct mu_target target;
    bool has_cores; /* each thread of a CPU's driver was given a core of its own */
    struct mu_execution *execution;
    struct mu_held_buffers held; /* while there is no execution: of the last one of this instance */
    cl_program program;
    enum mu_barrier barrier;              /* the one that is built in: the test's, or what auto has become */
    char build_options[MU_OPTIONS_BYTES]; /* what the compiler got, of the last build */
    uint64_t build_ns;
    bool build_cached;
    struct mu_load load;    /* cooperative with --load: a task of it */
    size_t workgroup_limit; /* the largest that all kernels of the last build can run with; 0: nothing was built */
};

/* The child's parts of a test, in this order. mu_process_load reads the request's "test" and loads the input;
 * mu_process_open opens the device; what they find goes into record. mu_process_measure builds for the test's workgroup
 * and team, and measures. mu_process_close accepts a process of zeros. */
int mu_process_load(const json_t *request, struct mu_process *process, struct mu_json *record, struct mu_error *err);
int mu_process_open(const json_t *request, struct mu_process *process, struct mu_json *record, struct mu_error *err);
int mu_process_measure(struct mu_process *process, struct mu_json *record, struct mu_error *err);
void mu_process_close(struct mu_process *process);

/* Goes on with another test of the same app and input, before or after the device is opened. */
int mu_process_next(const json_t *request, struct mu_process *process, struct mu_json *record, struct mu_error *err);

/* Reads the test's graph or mesh, by way of the cache. */
int mu_process_read(struct mu_process *process, struct mu_error *err);

/* Makes the app's instance on the input that was read, with the test's options, for the device of process->info. The
 * instance before it is freed. */
int mu_process_instantiate(struct mu_process *process, struct mu_error *err);

/* Corrupts each result of more than one word, behind a right answer. Notes in the record's "refusals", for each result
 * and each of mu_corruptions (apps/corrupt.h), whether the app's check refuses it; null: it changed nothing. */
int mu_try_checker(struct mu_process *process, struct mu_json *record, struct mu_error *err);

/* Serves a whole test: the kind "test"; with "corrupt" it tries the checker, too. */
int mu_test_serve(const json_t *request, struct mu_json *response, struct mu_error *err);

/* Serves "tests", several of one app on one input, each an answer of its own: the kind "tests". Their programs are
 * built on all cores before the first is measured. With "best_ns", the median of the best test so far, those that are
 * hopeless beside the best are given up early. */
int mu_tests_serve(const json_t *request, struct mu_json *response, struct mu_error *err);

/* Has other processes build those programs of tests that the cache lacks, on all cores that this process may use, so
 * that the cache holds them. To be called before the device is opened: a process that has opened one must not be
 * forked. A program that cannot be built is left to its test. */
void mu_process_build_ahead(struct mu_process *process, const json_t *tests);

/* Checks the result as the app does. A reference that takes long to make is kept in the cache on disk, beside inputs,
 * and a process that finds it there does not make it. A result that differs from such a one is checked once more with a
 * reference that is made here, so that nothing is wrong by what was kept. */
int mu_check_result(struct mu_process *process, struct mu_error *err);

/* Does roll calls (portable), warm-up and samples, checks each, and adds all to the record. */
int mu_measure(struct mu_process *process, struct mu_json *record, struct mu_error *err);

/* Finds the largest team by a few patient roll calls of portable with this barrier: a lower bound of the occupancy
 * bound, for specialised when the user names no team. */
int mu_find_team(struct mu_process *process, enum mu_barrier barrier, uint32_t *team, struct mu_error *err);

/* Proves the full bound of specialised with process->barrier, from a team that is likely: the largest team completes,
 * and one workgroup more deadlocks. Both go into the record, as "bound". MU_UNSUPPORTED, and the failures of runs. */
int mu_prove_bound(struct mu_process *process, uint32_t *team, struct mu_json *record, struct mu_error *err);

/* Returns the barrier that portable's team will probably get. If that is uncertain, *small gets the barrier with which
 * a few roll calls find the team first, else the same. */
enum mu_barrier mu_process_likely_barrier(const struct mu_process *process, enum mu_barrier *small);

/* Returns true if the expected size of the team is the largest possible, or unknown, so that roll calls tell more. */
bool mu_process_expects_most(const struct mu_process *process);

/* Returns true if each launch has to find the size of its team, and nothing that is known may help (portable, cold). */
bool mu_process_is_blind(const struct mu_process *process);

/* Returns true if the cache holds the program for `variant`. The device need not be open. */
bool mu_process_is_cached(const struct mu_process *process, enum mu_variant variant);

/* Builds the program for `variant` into process->program; and opens an execution of it, too. */
int mu_process_compile(struct mu_process *process, enum mu_variant variant, struct mu_error *err);
int mu_process_build(struct mu_process *process, enum mu_variant variant, struct mu_error *err);
void mu_process_unbuild(struct mu_process *process);
struct mu_launch mu_process_launch(const struct mu_process *process);

/* Writes the app's result to the test's output file: as the app does it, else one value per vertex as text. */
int mu_write_result(const struct mu_instance *instance, const char *path, struct mu_error *err);

#endif
