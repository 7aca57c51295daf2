/* Starts the campaign of one of several devices as a process. */
#ifndef MU_HARNESS_COMMANDS_BENCH_START_H
#define MU_HARNESS_COMMANDS_BENCH_START_H

#include "harness/commands/bench/side_by_side.h"

/* Starts `muster bench` with argv's words from argv[1] on, and with the side's device, part and cores. The side gets
 * the process and the descriptor of its output. Fails with MU_IO or MU_NO_MEMORY. */
int mu_side_start(struct mu_sides *sides, size_t which, int argc, char *const *argv, struct mu_error *err);

#endif
