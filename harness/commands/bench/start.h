/* Starting the campaign of one of several devices, as a process. */
#ifndef MU_HARNESS_COMMANDS_BENCH_START_H
#define MU_HARNESS_COMMANDS_BENCH_START_H

#include "harness/commands/bench/side_by_side.h"

/* Starts `muster bench` with argv's words from argv[1] on, and for the device, the part and the share of the cores that
 * are the side's. Its pid and where it tells are in the side then. MU_IO, MU_NO_MEMORY. */
int mu_side_start(struct mu_sides *sides, size_t which, int argc, char *const *argv, struct mu_error *err);

#endif
