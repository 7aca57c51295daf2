/* The load of a cooperative test (--load): what a task of it is on this chip, and what became of its tasks. */
#ifndef MU_HARNESS_RUN_LOAD_H
#define MU_HARNESS_RUN_LOAD_H

#include "harness/run/process.h"

/* Finds out how many products of matrices take all workgroups of the team as long as the load says, and sets
 * process->load. MU_UNSUPPORTED for a team of less than three: one schedules, and one stays with the plan. */
int mu_load_calibrate(struct mu_process *process, struct mu_json *record, struct mu_error *err);

/* What became of the tasks of all samples so far. */
struct mu_load_log {
    struct mu_json gather, task, period; /* nanoseconds: arrays */
    uint64_t tasks;
};

struct mu_load_log mu_load_log(void);
/* Adds those of the last run. MU_WRONG when their results are not right. */
int mu_load_add(const struct mu_process *process, struct mu_load_log *log, struct mu_error *err);
/* Puts them into the record, and releases them. */
void mu_load_record(struct mu_load_log *log, struct mu_json *record);

#endif
