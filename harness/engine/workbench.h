/* The child's side of studies that compare implementations of the same work, which are timed in turn.
 *
 * A workbench is a program whose kernels do the work: some are launched again and again, and of others the workgroups
 * stay, as a team that joins as specialised. An implementation is a function that does the whole work once, tells how
 * long it took, and checks the result. */
#ifndef MU_HARNESS_ENGINE_WORKBENCH_H
#define MU_HARNESS_ENGINE_WORKBENCH_H

#include "base/error.h"
#include "harness/engine/experiment.h"
#include "variants/launch/queue.h"
#include "variants/launch/team_launch.h"

#include <stdint.h>

/* Work-items of a workgroup, as in the persistent-threads study. */
#define MU_WORKBENCH_BLOCK 256u

struct mu_workbench {
    struct mu_trial *trial; /* borrowed */
    cl_program program;
    struct mu_team_launch team;
    uint32_t workgroup;
    struct mu_load load; /* of a program with a load: that of the next runs, … */
    uint32_t mode;       /* … which are of the load alone where this is mu_load_alone; else 0 */
};

/* The kernels, and what stands before them. The file that they share with the host has the same name and ends in
 * .clh. */
struct mu_workbench_program {
    const char *source;
    int queue;                 /* enum mu_queue_kind; less than 0: none */
    uint32_t team;             /* the size of the teams that the barrier is to serve */
    const char *const *shared; /* other files, ended by NULL; NULL: none */
    bool load;                 /* with a load beside them (variants/cooperative/load.clh) */
};

/* Builds them. Release with mu_workbench_close, also after a failure; zeros have nothing to release. MU_UNSUPPORTED for
 * a device without workgroups of MU_WORKBENCH_BLOCK, MU_BUILD, MU_DEVICE, MU_NO_MEMORY. */
int mu_workbench_open(struct mu_workbench *bench, struct mu_trial *trial, const struct mu_workbench_program *program,
                      struct mu_error *err);
void mu_workbench_close(struct mu_workbench *bench);

/* Make a kernel, or a buffer of so many words: the caller's. MU_LIMIT for a buffer that is larger than the device
 * allows. */
int mu_workbench_kernel(const struct mu_workbench *bench, const char *name, cl_kernel *kernel, struct mu_error *err);
int mu_workbench_buffer(const struct mu_workbench *bench, size_t words, cl_mem *buffer, struct mu_error *err);

/* Accept NULL. */
void mu_workbench_release_kernel(cl_kernel kernel);
void mu_workbench_release_buffer(cl_mem buffer);

/* Arguments of a kernel, from the first one on. */
struct mu_workbench_argument {
    size_t bytes;
    const void *value;
};
#define MU_WORKBENCH_ARGUMENT(variable) ((struct mu_workbench_argument){sizeof(variable), &(variable)})
int mu_workbench_set(cl_kernel kernel, const struct mu_workbench_argument *arguments, cl_uint count,
                     struct mu_error *err);

/* Enqueues a launch of so many blocks, a fill with zeros, a write, a blocking read. */
int mu_workbench_launch(const struct mu_workbench *bench, cl_kernel kernel, uint32_t blocks, struct mu_error *err);
int mu_workbench_zero(const struct mu_workbench *bench, cl_mem buffer, size_t words, struct mu_error *err);
int mu_workbench_write(const struct mu_workbench *bench, cl_mem buffer, const uint32_t *from, size_t words,
                       struct mu_error *err);
int mu_workbench_read(const struct mu_workbench *bench, cl_mem buffer, uint32_t *to, size_t words,
                      struct mu_error *err);

/* Writes so many rows of words, which lie apart in the buffer, but not in memory. */
struct mu_workbench_rows {
    size_t first, apart; /* words before the first row, and from one row's begin to the next one's */
    size_t words, count; /* of a row, and of rows */
};
int mu_workbench_write_rows(const struct mu_workbench *bench, cl_mem buffer, const uint32_t *from,
                            const struct mu_workbench_rows *rows, struct mu_error *err);
int mu_workbench_finish(const struct mu_workbench *bench, struct mu_error *err);

/* Launches a team of so many groups and waits for its end; *ns gets the host's time. The kernel's own arguments are
 * set. Also MU_DEADLOCK and MU_LIMIT, as in mu_team_launch_report. */
int mu_workbench_run_team(struct mu_workbench *bench, const struct mu_team_kernel *kernel, uint32_t groups, double *ns,
                          struct mu_error *err);

/* The same with a launch of another kernel ahead, for which the team does not wait; *ns is of both. */
struct mu_workbench_first {
    cl_kernel kernel;
    uint32_t blocks;
};
int mu_workbench_run_behind(struct mu_workbench *bench, const struct mu_workbench_first *first,
                            const struct mu_team_kernel *kernel, uint32_t groups, double *ns, struct mu_error *err);

/* ---- Timing ---- */

struct mu_workbench_implementation {
    const char *name;       /* of the measurement's "implementation" */
    const char *count_name; /* a number that tells implementations of one name apart: "groups", "every"; NULL: none */
    uint32_t count;
    int (*run)(const struct mu_workbench_implementation *implementation, double *ns, struct mu_error *err);
    void *context;
};

/* Does the work in each implementation, in turn, several times, the first of which warms up, and adds a measurement for
 * each implementation: "implementation", its number, and the times, "ns". An implementation that has taken long is left
 * out of later turns. An implementation that ends by MU_LIMIT or MU_DEADLOCK has no times but a "refused" with the
 * reason; any other failure is the trial's. */
int mu_workbench_measure(struct mu_trial *trial, const struct mu_workbench_implementation *implementations,
                         size_t count, struct mu_error *err);

#endif
