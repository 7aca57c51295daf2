/* A load beside a cooperative kernel: what a task of it is on this chip, and what became of its tasks. */
#ifndef MU_HARNESS_RUN_LOAD_H
#define MU_HARNESS_RUN_LOAD_H

#include "harness/run/process.h"

/* What runs a launch in which all workgroups do one task, and nothing else: how long it took, and how many they are. */
struct mu_load_server {
    int (*serve)(void *context, const struct mu_load *load, uint64_t *ns, uint32_t *team, struct mu_error *err);
    void *context;
    bool cpu;
    const struct mu_team_launch *team; /* with which it does so */
};

/* Finds out how many products of matrices take all workgroups as long as this kind of load says, and sets *load.
 * `groups` are those of a task: a number, or MU_LOAD_QUARTER, … of the team. *part gets what the record says of it.
 * MU_UNSUPPORTED for less than three workgroups: one schedules, and one stays with the other work. */
int mu_load_find(const struct mu_load_server *server, enum mu_load_kind kind, uint32_t groups, struct mu_load *load,
                 struct mu_json *part, struct mu_error *err);

/* Does the same for a test with --load, and sets process->load. */
int mu_load_calibrate(struct mu_process *process, struct mu_json *record, struct mu_error *err);

/* What became of the tasks of all samples so far. */
struct mu_load_log {
    struct mu_json gather, task, period; /* nanoseconds: arrays */
    uint64_t tasks;
};

struct mu_load_log mu_load_log(void);
/* Adds those of the last run. MU_WRONG when their results are not right. */
int mu_load_add(const struct mu_team_launch *team, struct mu_load_log *log, struct mu_error *err);
/* Puts them into the record, and releases them. */
void mu_load_record(struct mu_load_log *log, struct mu_json *record);

#endif
