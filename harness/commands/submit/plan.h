/* What is planned where there is no device: on the machine from which a cluster is used. */
#ifndef MU_HARNESS_COMMANDS_SUBMIT_PLAN_H
#define MU_HARNESS_COMMANDS_SUBMIT_PLAN_H

#include "harness/commands/bench/options.h"

#include <jansson.h>

/* Plans the campaign that the options are of, with what its comparisons take by the records of `chip` (NULL: of all
 * chips) under the folder of results, which go into the file `costs` unless that is there already. *parts gets an array
 * of objects of "comparisons", "runs" and "seconds", of `count` parts, or with 0 of as many as take an hour each;
 * set[64] gets the name of the set. MU_USAGE, MU_IO, MU_INPUT, MU_NO_MEMORY. */
int mu_submit_plan(const struct mu_bench_arguments *bench, const char *chip, const char *costs, uint32_t count,
                   json_t **parts, char *set, struct mu_error *err);

#endif
