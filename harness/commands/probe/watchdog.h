/* Finding a watchdog, for `muster probe --watchdog`. */
#ifndef MU_HARNESS_COMMANDS_WATCHDOG_H
#define MU_HARNESS_COMMANDS_WATCHDOG_H

#include "base/error.h"
#include "harness/probe/probe.h"

/* The first kernel's time, and the most that one may take, which is less than what a child may. */
#define MU_WATCHDOG_FIRST_MS 250u
#define MU_WATCHDOG_MOST_MS  120000u

/* Runs kernels that take a quarter of a second, twice as long, and so on up to most_ms, each in a process of its own,
 * until the system ends one; prints a line for each, and leaves what was found in the chip's measurements and profile.
 * MU_UNSUPPORTED for a CPU; the errors of mu_probe_chip. */
void mu_probe_watchdog_find(const struct mu_device_info *info, const struct mu_probe_options *asked, uint32_t most_ms,
                            struct mu_error *err);

#endif
