/* How far the parts of a job are. */
#ifndef MU_HARNESS_COMMANDS_SUBMIT_STATUS_H
#define MU_HARNESS_COMMANDS_SUBMIT_STATUS_H

#include "harness/commands/output.h"
#include "harness/commands/submit/job.h"

/* done: all of it was run, however its tests ended. running, waiting: as the scheduler says, or where there is none, by
 * the lock on its records. failed: it ended before all of it was run. lost: it was killed, or left the queue. */
enum mu_part_state { MU_PART_DONE, MU_PART_RUNNING, MU_PART_WAITING, MU_PART_FAILED, MU_PART_LOST };
extern const char *const mu_part_states[];

struct mu_part {
    enum mu_part_state state;
    uint64_t records;
    int exit_code;  /* failed: the last one */
    char where[64]; /* the machine that began it last; empty: none did */
};

/* Fills parts[mu_job_parts]. MU_IO, MU_NO_MEMORY. */
int mu_job_look(const struct mu_job *job, struct mu_part *parts, struct mu_error *err);

/* Prints them as a table. */
int mu_job_show(const struct mu_job *job, const struct mu_part *parts, const struct mu_output *output,
                struct mu_error *err);

#endif
