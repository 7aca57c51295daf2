/* Finds a watchdog of the system, for `muster probe --watchdog`. */
#ifndef MU_HARNESS_COMMANDS_WATCHDOG_H
#define MU_HARNESS_COMMANDS_WATCHDOG_H

#include "base/error.h"
#include "harness/probe/probe.h"

/* Duration of the first kernel, and the longest that is allowed, which is below the deadline of a child. */
#define MU_WATCHDOG_FIRST_MS 250u
#define MU_WATCHDOG_MOST_MS  120000u

/* Runs kernels of a quarter of a second, twice as long, and so on up to `most_ms`, each in a process of its own, until
 * the system ends one. Prints a line for each, and writes the result into the chip's measurements and profile. Fails
 * with MU_UNSUPPORTED on a CPU, or as mu_probe_chip does. */
void mu_probe_watchdog_find(const struct mu_device_info *info, const struct mu_probe_options *asked, uint32_t most_ms,
                            struct mu_error *err);

#endif
