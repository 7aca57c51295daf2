/* The state of a job's parts. */
#ifndef MU_HARNESS_COMMANDS_SUBMIT_STATUS_H
#define MU_HARNESS_COMMANDS_SUBMIT_STATUS_H

#include "harness/commands/output.h"
#include "harness/commands/submit/job.h"

/* States of a part. done: all of it was run, whatever the outcomes. running, waiting: as the scheduler says or, without
 * one, judged by the lock on its records. failed: it ended before all of it was run. lost: it was killed, or left the
 * queue. */
enum mu_part_state { MU_PART_DONE, MU_PART_RUNNING, MU_PART_WAITING, MU_PART_FAILED, MU_PART_LOST };
extern const char *const mu_part_states[];

struct mu_part {
    enum mu_part_state state;
    uint64_t records;
    bool has_file;  /* there is a file of its records, maybe an empty one */
    int exit_code;  /* its last exit code, if it failed */
    char where[64]; /* the machine that began it last; empty: not begun */
};

/* Fills in parts[mu_job_parts]. Fails with MU_IO or MU_NO_MEMORY. */
int mu_job_look(const struct mu_job *job, struct mu_part *parts, struct mu_error *err);

/* Prints the parts as a table. */
int mu_job_show(const struct mu_job *job, const struct mu_part *parts, const struct mu_output *output,
                struct mu_error *err);

#endif
