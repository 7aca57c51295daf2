/* Slurm, by its commands. */
#ifndef MU_HARNESS_COMMANDS_SUBMIT_SLURM_H
#define MU_HARNESS_COMMANDS_SUBMIT_SLURM_H

#include "harness/commands/submit/job.h"

/* Where a task is in the queue. */
enum mu_queued { MU_QUEUED_NOT, MU_QUEUED_WAITING, MU_QUEUED_RUNNING };

/* Submits the parts that are named, such as "1-4,7", and what merges them when they have ended, whatever came of them.
 * The number of the array job is added to the job's. MU_IO where sbatch cannot be run or refuses. */
int mu_slurm_submit(struct mu_job *job, const char *parts, struct mu_error *err);

/* Where each part of the job is, into queued[parts]. MU_IO where squeue cannot be run, or its controller does not
 * answer. */
int mu_slurm_look(const struct mu_job *job, enum mu_queued *queued, struct mu_error *err);

#endif
