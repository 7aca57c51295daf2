/* What a plan calls when the host runs it: launches and read-backs of the multi-kernel variant, counted. */
#ifndef MU_APPS_PLAN_RUN_H
#define MU_APPS_PLAN_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* OpenCL's name for the type of plan variables and steps' arguments, and the host's pointers for state lists' types. */
typedef unsigned int uint;
typedef uint MU_HOST_uint;
typedef void MU_HOST_offset;
typedef uint64_t MU_HOST_ulong;
typedef float MU_HOST_float;
typedef double MU_HOST_double;
typedef struct mu_real MU_HOST_real; /* float or double, as mu_instance_real reads it */

struct mu_plan_run;

struct mu_step_arguments {
    uint extent; /* elements: one work-item each */
    uint a, b;
};

/* Launches the kernel of a step; nothing when extent is 0. MU_OK, or the failure of this or an earlier call, after
 * which nothing more is launched: the plan must return. */
int mu_plan_step(struct mu_plan_run *run, const char *kernel, struct mu_step_arguments arguments);

/* Does the same for the second step of STEP_SPLIT: what the plan reads behind it the first one has left. */
int mu_plan_beside(struct mu_plan_run *run, const char *kernel, struct mu_step_arguments arguments);

/* Reads one uint of a buffer after all steps so far; 0 after a failure. */
uint mu_plan_read(struct mu_plan_run *run, size_t buffer, uint index);
double mu_plan_read_real(struct mu_plan_run *run, size_t buffer, uint index);

/* Buffers of roles FLAG and COUNTER after all steps so far: whether anybody has stamped the flag in the round, and what
 * the round before has counted for it. MU_USAGE, recorded in the run, where rounds of steps and plan do not fit. */
bool mu_plan_stamped(struct mu_plan_run *run, size_t buffer, uint round);
uint mu_plan_counted(struct mu_plan_run *run, size_t buffer, uint round);

/* Returns the total of a buffer of role SUM or MAX after the step that contributed to it. */
uint mu_plan_total(struct mu_plan_run *run, size_t buffer);
double mu_plan_total_real(struct mu_plan_run *run, size_t buffer);

#endif
