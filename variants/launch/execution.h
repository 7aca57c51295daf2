/* An app, built for a variant, with its buffers on a device: ready to be run again and again. */
#ifndef MU_VARIANTS_LAUNCH_EXECUTION_H
#define MU_VARIANTS_LAUNCH_EXECUTION_H

#include "apps/app.h"
#include "variants/launch/cooperative.h"
#include "variants/launch/opencl.h"
#include "variants/launch/place.h"
#include "variants/launch/plan_step.h"
#include "variants/launch/readback.h"
#include "variants/launch/team_launch.h"
#include "variants/variant.h"

#include <stdbool.h>
#include <stdint.h>

#define MU_MAX_BUFFERS 32
#define MU_MAX_STEPS   32

/* One timed execution. */
struct mu_sample {
    uint64_t host_ns;   /* monotonic clock from the host's wish to run until it knows that the run has ended well */
    uint64_t device_ns; /* events: each kernel of a team from its start to its end; 0 where they say nothing */
    uint64_t launches, readbacks, barriers;
    uint64_t lists, listed; /* multi-kernel: counts other than 0 that the plan was told of, and what they add up to */
    uint32_t team;          /* workgroups that took part; 0 for multi-kernel, whose launches differ in size */
    uint64_t cpu_ns;        /* time of processors that this process had meanwhile, all threads together */
    uint32_t preempted;     /* how often one of its threads lost its processor to another meanwhile, also by a yield */
    bool native;            /* persistent variants: the team's ranks are the device's numbers of its workgroups */
    uint32_t grown;         /* how often the app's buffers were enlarged, within the time */
    struct mu_resized resized; /* cooperative */
};

struct mu_execution {
    const struct mu_target *target; /* borrowed */
    struct mu_instance *instance;   /* borrowed */
    struct mu_build build;
    struct mu_team_launch team; /* all variants but multi-kernel */
    struct mu_plan_source plan; /* for messages */
    struct mu_place *place;     /* multi-kernel: where each launch is noted; borrowed, may be NULL */
    uint32_t limit;             /* multi-kernel: steps that the plan may have; 0: any number */
    uint32_t grid;              /* multi-kernel: workgroups of every step; 0: a work-item for each element */
    cl_program program;         /* borrowed */
    cl_mem buffers[MU_MAX_BUFFERS];
    uint64_t lengths[MU_MAX_BUFFERS]; /* of the buffers, in elements, as they are now */
    uint64_t bytes, most_bytes;       /* of all buffers together: now, and the most so far */
    uint32_t part_groups;             /* how many workgroups buffers of roles SUM and MAX have room for */
    size_t kernel_count;
    cl_kernel kernels[MU_MAX_STEPS]; /* multi-kernel: every step; else the one persistent kernel */
    char kernel_names[MU_MAX_STEPS][64];
    struct mu_pinned pinned; /* how flags and reports are read back */
    uint64_t runs;           /* so far, the present one included */
    uint32_t argument_count; /* of the state: where a kernel's further arguments begin */
    struct mu_trace *trace;  /* multi-kernel: what takes down the launches; NULL: nothing (launch/trace.h) */
};

/* The buffers of an execution that has ended, for the next one of the same instance in the same context: it need not
 * transfer the inputs again, and whatever else they hold is no promise to anybody. Zeros: none. */
struct mu_held_buffers {
    cl_mem buffers[MU_MAX_BUFFERS];
    uint64_t lengths[MU_MAX_BUFFERS]; /* in elements */
    uint64_t layout;                  /* the build's */
};
void mu_held_release(struct mu_held_buffers *held);

/* Allocates the buffers, transfers the inputs and creates the kernels. What `held` has of the right length is taken
 * from there, and the rest of it released; it must be of this instance and target. The instance, target and program
 * must outlive the execution. MU_NO_MEMORY (a buffer does not fit: named with its size), MU_LIMIT, MU_BUILD, MU_DEVICE.
 */
int mu_execution_new(const struct mu_target *target, struct mu_instance *instance, const struct mu_build *build,
                     cl_program program, struct mu_held_buffers *held, struct mu_execution **execution,
                     struct mu_error *err);

/* Runs the app once; multi-kernel takes nothing from the launch. Before the clock starts, every mutable buffer is
 * filled with a pattern, so that no result can come from an earlier run; one of small numbers in the first, third, …
 * run, and of large ones in the others. MU_DEADLOCK when a bounded spin ran out: the message names barrier, rank and
 * arrivals. */
int mu_execution_run(struct mu_execution *execution, const struct mu_launch *launch, struct mu_sample *sample,
                     struct mu_error *err);

/* Does a roll call and nothing else, for portable and cooperative; sample->team and times are set. */
int mu_execution_roll_call(struct mu_execution *execution, const struct mu_launch *launch, struct mu_sample *sample,
                           struct mu_error *err);

/* Does one task of a load by all workgroups and nothing else, for cooperative; sample->team and times are set. */
int mu_execution_serve(struct mu_execution *execution, const struct mu_launch *launch, struct mu_sample *sample,
                       struct mu_error *err);

/* A queue that takes times of events makes each launch dearer, by 8 us on an H200. So no sample is taken on one, and
 * from the first function to the second an execution uses `timed`, the same target with such a queue: samples between
 * them tell device_ns, and their host's time is none of the variant. The second also goes behind a failure of the
 * first. MU_DEVICE. */
struct mu_timed {
    const struct mu_target *usual;
    struct mu_target timed;
};
int mu_execution_take_times(struct mu_execution *execution, struct mu_timed *times, struct mu_error *err);
void mu_execution_leave_times(struct mu_execution *execution, struct mu_timed *times);

/* Reads the MU_ROLE_RESULT buffers back into the instance's arrays. */
int mu_execution_fetch(struct mu_execution *execution, struct mu_error *err);

/* Fails with MU_WRONG when a persistent kernel's sample has other barriers than the app's plan has steps (mu_app.steps;
 * 0 if that is not known). */
int mu_execution_check_barriers(const struct mu_execution *execution, const struct mu_sample *sample, uint64_t steps,
                                struct mu_error *err);

/* Accepts NULL. The second leaves its buffers in `held`, which is to be empty. */
void mu_execution_free(struct mu_execution *execution);
void mu_execution_end(struct mu_execution *execution, struct mu_held_buffers *held);

/* For the variants' own files. The mu_run_… add to the sample. */
/* Make all buffers, those that `held` has among them; or a single one. */
int mu_execution_make_buffers(struct mu_execution *execution, struct mu_held_buffers *held, struct mu_error *err);
int mu_execution_make_buffer(struct mu_execution *execution, size_t buffer, struct mu_error *err);
/* Lets go of what was a buffer of so many elements. Accepts NULL. */
void mu_execution_drop_buffer(struct mu_execution *execution, size_t buffer, cl_mem held, uint64_t length);
int mu_execution_poison(struct mu_execution *execution, size_t buffer, struct mu_error *err);
int mu_execution_set_state(struct mu_execution *execution, struct mu_error *err);
int mu_execution_restart(struct mu_execution *execution, struct mu_error *err);
int mu_execution_grow(struct mu_execution *execution, bool *grown, struct mu_error *err);

/* Makes room in buffers of roles SUM and MAX for a team or a launch of so many groups; what they hold is lost. */
int mu_execution_need_parts(struct mu_execution *execution, uint32_t groups, struct mu_error *err);

int mu_run_multi_kernel(struct mu_execution *execution, struct mu_sample *sample, struct mu_error *err);
int mu_run_persistent(struct mu_execution *execution, uint32_t mode, struct mu_sample *sample, struct mu_error *err);

#endif
