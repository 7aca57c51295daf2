/* The child's side of studies that compare implementations of the same work, which are timed in turn.
 *
 * A workbench is a program with the kernels of one piece of work. Some of them are launched many times; others are
 * persistent, and their workgroups join a team as in variant specialised. An implementation is a function that does the
 * whole work once, measures its time, and checks the result. */
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
    struct mu_load load; /* if the program has a load: the load of the next runs, … */
    uint32_t mode;       /* … which run the load alone if this is mu_load_alone; else 0 */
};

/* The sources of a workbench. The file that kernels share with the host has the same name as `source` and ends in
 * .clh. */
struct mu_workbench_program {
    const char *source;
    int queue;                 /* enum mu_queue_kind; less than 0: none */
    uint32_t team;             /* size of the teams for which the barrier is chosen */
    const char *const *shared; /* names of further source files, ended by NULL; NULL: none */
    bool load;                 /* the kernels run beside a load, whose sources stand before the shared ones */
};

/* Builds the program. Release with mu_workbench_close, also after a failure; a workbench of zeros has nothing to
 * release. Fails with MU_UNSUPPORTED on a device without workgroups of MU_WORKBENCH_BLOCK, MU_BUILD, MU_DEVICE or
 * MU_NO_MEMORY. */
int mu_workbench_open(struct mu_workbench *bench, struct mu_trial *trial, const struct mu_workbench_program *program,
                      struct mu_error *err);
void mu_workbench_close(struct mu_workbench *bench);

/* Make a kernel, or a buffer of `words` words of four bytes, which the caller releases. A buffer beyond the device's
 * limit fails with MU_LIMIT. */
int mu_workbench_kernel(const struct mu_workbench *bench, const char *name, cl_kernel *kernel, struct mu_error *err);
int mu_workbench_buffer(const struct mu_workbench *bench, size_t words, cl_mem *buffer, struct mu_error *err);

/* Release them; NULL is accepted. */
void mu_workbench_release_kernel(cl_kernel kernel);
void mu_workbench_release_buffer(cl_mem buffer);

/* An argument of a kernel. */
struct mu_workbench_argument {
    size_t bytes;
    const void *value;
};
#define MU_WORKBENCH_ARGUMENT(variable) ((struct mu_workbench_argument){sizeof(variable), &(variable)})
/* Sets the first `count` arguments of a kernel. */
int mu_workbench_set(cl_kernel kernel, const struct mu_workbench_argument *arguments, cl_uint count,
                     struct mu_error *err);

/* Enqueue: a launch of `blocks` workgroups; a fill of the first `words` words with zeros. Write and read the first
 * `words` words, and wait for the transfer. */
int mu_workbench_launch(const struct mu_workbench *bench, cl_kernel kernel, uint32_t blocks, struct mu_error *err);
int mu_workbench_zero(const struct mu_workbench *bench, cl_mem buffer, size_t words, struct mu_error *err);
int mu_workbench_write(const struct mu_workbench *bench, cl_mem buffer, const uint32_t *from, size_t words,
                       struct mu_error *err);
int mu_workbench_read(const struct mu_workbench *bench, cl_mem buffer, uint32_t *to, size_t words,
                      struct mu_error *err);

/* Rows of words that are contiguous in host memory, and `apart` words from one another in the buffer. */
struct mu_workbench_rows {
    size_t first, apart; /* words before the first row, and from the start of a row to that of the next */
    size_t words, count; /* words in a row; number of rows */
};
/* Writes rows into a buffer, and waits for the transfer. */
int mu_workbench_write_rows(const struct mu_workbench *bench, cl_mem buffer, const uint32_t *from,
                            const struct mu_workbench_rows *rows, struct mu_error *err);
/* Waits until the queue is empty. */
int mu_workbench_finish(const struct mu_workbench *bench, struct mu_error *err);

/* Launches a team of `groups` workgroups and waits until it has ended; *ns gets the time on the host. The caller has
 * set the kernel's own arguments. Also fails with MU_DEADLOCK or MU_LIMIT, as mu_team_launch_report does. */
int mu_workbench_run_team(struct mu_workbench *bench, const struct mu_team_kernel *kernel, uint32_t groups, double *ns,
                          struct mu_error *err);

/* The same, with a launch of another kernel just before it, which the host does not wait for; *ns is the time of
 * both. */
struct mu_workbench_first {
    cl_kernel kernel;
    uint32_t blocks;
};
int mu_workbench_run_behind(struct mu_workbench *bench, const struct mu_workbench_first *first,
                            const struct mu_team_kernel *kernel, uint32_t groups, double *ns, struct mu_error *err);

/* ---- Timing ---- */

struct mu_workbench_implementation {
    const char *name;       /* "implementation" of its measurements */
    const char *count_name; /* name of the number that tells implementations of the same name apart: "groups", "every";
                               NULL: none */
    uint32_t count;
    int (*run)(const struct mu_workbench_implementation *implementation, double *ns, struct mu_error *err);
    void *context;
};

/* Runs all implementations in turn, several times; the first turn is a warm-up. Adds a measurement for each:
 * "implementation", its number, and the times "ns". An implementation that has taken long is left out of later turns.
 * One that ends with MU_LIMIT or MU_DEADLOCK gets "refused" with the reason instead of times; any other failure fails
 * the trial. */
int mu_workbench_measure(struct mu_trial *trial, const struct mu_workbench_implementation *implementations,
                         size_t count, struct mu_error *err);

#endif
