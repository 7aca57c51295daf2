/* Plans a campaign on a machine without its device: the one from which a cluster is used. */
#ifndef MU_HARNESS_COMMANDS_SUBMIT_PLAN_H
#define MU_HARNESS_COMMANDS_SUBMIT_PLAN_H

#include "harness/commands/bench/options.h"

#include <jansson.h>

/* Plans the campaign of these options. Durations of its comparisons come from the records of `chip` (NULL: of all
 * chips) under the folder of results, and are written to the file `costs` unless that exists.
 *
 * *parts gets an array of objects with "comparisons", "runs" and "seconds", of `count` parts; with 0, of as many as
 * take an hour each. set[64] gets the name of the set. Fails with MU_USAGE, MU_IO, MU_INPUT or MU_NO_MEMORY. */
int mu_submit_plan(const struct mu_bench_arguments *bench, const char *chip, const char *costs, uint32_t count,
                   json_t **parts, char *set, struct mu_error *err);

#endif
