/* The child's side of a test: what has been set up, and its parts. */
#ifndef MU_HARNESS_RUN_PROCESS_H
#define MU_HARNESS_RUN_PROCESS_H

#include "harness/run/run.h"
#include "variants/launch/execution.h"

/* What a child process that takes samples has set up. */
struct mu_process {
    struct mu_test test;
    struct mu_device_info info;
    struct mu_graph *graph; /* the input: one of the two */
    struct mu_mesh *mesh;
    struct mu_instance *instance;
    struct mu_target target;
    struct mu_execution *execution;
    cl_program program;
    enum mu_barrier barrier;              /* the one that is built in: the test's, or what auto has become */
    char build_options[MU_OPTIONS_BYTES]; /* what the compiler got, of the last build */
    uint64_t build_ns;
    bool build_cached;
    size_t workgroup_limit; /* the largest that all kernels of the last build can run with; 0: nothing was built */
};

/* The child's parts of a test, in this order. mu_process_open reads the request's "test", loads the input and opens the
 * device; what it finds goes into record. mu_process_measure builds for the test's workgroup and team, and measures.
 * mu_process_close accepts a process of zeros. */
int mu_process_open(const json_t *request, struct mu_process *process, struct mu_json *record, struct mu_error *err);
int mu_process_measure(struct mu_process *process, struct mu_json *record, struct mu_error *err);
void mu_process_close(struct mu_process *process);

/* Goes on with another test of the same app and input. */
int mu_process_next(const json_t *request, struct mu_process *process, struct mu_json *record, struct mu_error *err);

/* Serves a whole test: the kind "test". */
int mu_test_serve(const json_t *request, struct mu_json *response, struct mu_error *err);

/* Roll calls (portable), warm-up, samples, each checked; all into record. */
int mu_measure(struct mu_process *process, struct mu_json *record, struct mu_error *err);

/* The largest team that a few patient roll calls of the portable variant with this barrier find: a lower bound of the
 * occupancy bound, for specialised when the user names no team. */
int mu_find_team(struct mu_process *process, enum mu_barrier barrier, uint32_t *team, struct mu_error *err);

/* From a team that is likely, the full bound of specialised with process->barrier: the largest team that completes,
 * while one workgroup more deadlocks. Both go into the record, as "bound". MU_UNSUPPORTED, and the failures of runs. */
int mu_prove_bound(struct mu_process *process, uint32_t *team, struct mu_json *record, struct mu_error *err);

/* Whether the expected size of the team is the most that it can be, or unknown, so that roll calls tell more. */
bool mu_process_expects_most(const struct mu_process *process);

/* Whether each launch has to find out the size of its team, and nothing that is known may help (portable, cold). */
bool mu_process_is_blind(const struct mu_process *process);

/* Opens an execution for `variant` into process->program and process->execution. */
int mu_process_build(struct mu_process *process, enum mu_variant variant, struct mu_error *err);
void mu_process_unbuild(struct mu_process *process);
struct mu_launch mu_process_launch(const struct mu_process *process);

/* Writes the app's result to the test's output file: as the app does it, else one value per vertex as text. */
int mu_write_result(const struct mu_instance *instance, const char *path, struct mu_error *err);

#endif
