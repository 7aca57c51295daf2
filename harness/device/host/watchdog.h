/* Watchdogs: on a GPU with a display, and with some drivers on any, the system ends a kernel that takes too long, since
 * the screen would stand still. A wait that is bounded by more time than that never gets to its report. */
#ifndef MU_HARNESS_DEVICE_WATCHDOG_H
#define MU_HARNESS_DEVICE_WATCHDOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is known of a device before the system is asked. */
struct mu_watched_device {
    const char *vendor;
    bool nvidia_timeout; /* CL_DEVICE_KERNEL_EXEC_TIMEOUT_NV */
};

/* Returns the milliseconds after which the system ends a kernel of the device, as the drivers' parameters under `sys`
 * (usually "/sys") tell: those of xe and i915 for Intel's, of amdgpu for AMD's; and for Nvidia's, whose driver tells
 * that there is such a time and not how long it is, five seconds. Where several GPUs differ, the shortest. 0: none is
 * known. `from` gets where that is from. */
uint32_t mu_watchdog_find(const char *sys, const struct mu_watched_device *device, char *from, size_t bytes);

/* Returns the polls that a wait is bounded by where so many take `seconds` or more by default, as a power of two: half
 * of the watchdog's time where that is shorter. */
uint32_t mu_watchdog_polls(double poll_ns, double seconds, uint32_t watchdog_ms);

#endif
