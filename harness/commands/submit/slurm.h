/* Uses Slurm by its commands sbatch and squeue. */
#ifndef MU_HARNESS_COMMANDS_SUBMIT_SLURM_H
#define MU_HARNESS_COMMANDS_SUBMIT_SLURM_H

#include "harness/commands/submit/job.h"

/* State of a task in the queue. */
enum mu_queued { MU_QUEUED_NOT, MU_QUEUED_WAITING, MU_QUEUED_RUNNING };

/* Returns MU_OK if sbatch can be run here. Fails with MU_IO or MU_INTERRUPTED. */
int mu_slurm_find(struct mu_error *err);

/* Submits the parts that are named, such as "1-4,7", and a job that merges their records when they have ended, however
 * they did. Adds the number of the array job to the job's. Fails with MU_IO if sbatch cannot be run or refuses. */
int mu_slurm_submit(struct mu_job *job, const char *parts, struct mu_error *err);

/* Finds the state of each part of the job: queued[parts]. Fails with MU_IO if squeue cannot be run or the controller
 * does not answer. */
int mu_slurm_look(const struct mu_job *job, enum mu_queued *queued, struct mu_error *err);

#endif
