/* Which step of a plan a line of it belongs to: how a report of the device, which knows lines only, gets a name. */
#ifndef MU_VARIANTS_LAUNCH_PLAN_STEP_H
#define MU_VARIANTS_LAUNCH_PLAN_STEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The name of the last STEP, STEP2 or STEP_SPLIT that begins on this line, from 1, or before it: a call that is several
 * lines long has the number of its last one. False when there is none, or its name does not fit into `room` bytes. */
bool mu_step_of_line(const char *plan, uint32_t line, char *name, size_t room);

/* Where a plan is from. */
struct mu_plan_source {
    char path[160];         /* as mu_sources_add takes it */
    const char *kernel_dir; /* borrowed; the same */
};

/* For struct mu_places (report.h), whose owner is a struct mu_plan_source: " behind step decide (PATH:7)", and without
 * the step where the line has none. */
void mu_plan_place(const void *source, uint32_t line, char *text, size_t bytes);

#endif
