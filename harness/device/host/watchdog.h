/* Watchdogs: on a GPU with a display, and with some drivers on any, the system ends a kernel that takes too long, since
 * the screen would stand still. A wait that is bounded by a longer time never comes to its report. */
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

/* Returns the milliseconds after which the system ends a kernel of the device; 0: no such time is known. They are what
 * drivers' parameters under `sys` (usually "/sys") tell: xe's and i915's for Intel, amdgpu's for AMD. For Nvidia, whose
 * driver tells only that there is such a time, they are five seconds. Where several GPUs differ, the shortest counts.
 * `from` gets the source. */
uint32_t mu_watchdog_find(const char *sys, const struct mu_watched_device *device, char *from, size_t bytes);

/* Returns the polls that bound a wait, as a power of two: by default as many as take `seconds` or more, but at most
 * half of the watchdog's time. */
uint32_t mu_watchdog_polls(double poll_ns, double seconds, uint32_t watchdog_ms);

#endif
