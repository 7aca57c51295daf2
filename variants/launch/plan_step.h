/* Which step of a plan a line of it belongs to: how a report of the device, which knows lines only, gets a name. */
#ifndef MU_VARIANTS_LAUNCH_PLAN_STEP_H
#define MU_VARIANTS_LAUNCH_PLAN_STEP_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Finds the name of the last STEP, STEP2 or STEP_SPLIT that begins on this line, from 1, or before it: a call that is
 * several lines long has the number of its last one. Returns false when there is none, or its name does not fit into
 * `room` bytes. */
bool mu_step_of_line(const char *plan, uint32_t line, char *name, size_t room);

struct mu_app;

/* Where a plan is from. */
struct mu_plan_source {
    const struct mu_app *app;
    char path[160];         /* as mu_sources_add takes it */
    const char *kernel_dir; /* borrowed; the same */
};

/* Writes " behind step decide (PATH:7)", and without the step if the line has none; for struct mu_places (report.h),
 * whose owner is a struct mu_plan_source. */
void mu_plan_place(const void *source, uint32_t line, char *text, size_t bytes);

/* A broken rule of a buffer that has a protocol (variants/teams/roles.clh): what a persistent kernel reports, or the
 * host finds out in multi-kernel. */
struct mu_broken_rule {
    uint32_t rule;        /* MU_RULE_… of variants/teams/sync_layout.clh */
    uint32_t buffer;      /* its row in the state list */
    uint32_t round, told; /* what is asked for or stamped, and what a step was told; of SUM and MAX numbers of steps */
    uint32_t place;       /* the line of the app's .cl or .plan.h; 0 where nobody knows */
};

/* Returns MU_USAGE with a message that names the buffer, the rule and, if it is known, file and line; for struct
 * mu_places (report.h), whose owner is a struct mu_plan_source. */
int mu_report_rule(const void *source, const struct mu_broken_rule *broken, struct mu_error *err);

#endif
