/* Watches the machine while a test is measured: the state of processor and device before and after, and what the
 * measurement took. What the system does not tell is left out, so that a record says only what was seen. */
#ifndef MU_HARNESS_DEVICE_HOST_WATCH_H
#define MU_HARNESS_DEVICE_HOST_WATCH_H

#include "base/json.h"
#include "harness/device/nvml.h"

#include <stdbool.h>
#include <stdint.h>

enum { MU_WATCH_PACKAGES = 16 };

/* The time of all processors of the system since it began. */
struct mu_processor_times {
    uint64_t used_ns, idle_ns; /* by all programs of the system, and by none */
    uint64_t steal_ns;         /* for other machines, which the host of a virtual machine let run */
};

/* Reads them now, from ROOT/proc/stat. Returns false, and zeros, if the system does not tell. */
bool mu_processors_read(const char *root, struct mu_processor_times *times);

/* Returns the time that was stolen between two readings, as a share of all the processors' time; 0 if none has
 * passed. */
double mu_steal_share(const struct mu_processor_times *before, const struct mu_processor_times *after);

/* The use of the processors between two readings, in cores. */
struct mu_processor_use {
    double used, idle; /* 0 of no time */
    unsigned cores;    /* of the system */
};
struct mu_processor_use mu_processor_use_of(const struct mu_processor_times *before,
                                            const struct mu_processor_times *after);

/* Returns true if that leaves too little for a device that needs so many cores: more than a third of a core is used,
 * which is more than two ticks of the clock in a look, and less is idle than the device needs. */
bool mu_processors_are_busy(const struct mu_processor_use *use, double needed);

/* Measures the use for a tenth of a second, in which the caller does nothing, so that all of it is by other programs.
 * Returns false if the system does not tell. */
bool mu_processors_look(const char *root, struct mu_processor_use *use);

struct mu_watch {
    struct mu_nvml nvml;
    const char *root;  /* stands before /sys and /proc: "" but in tests */
    uint64_t start_ns; /* on the monotonic clock */
    bool has_device_energy;
    uint64_t device_mj; /* counters at the beginning */
    uint64_t package_uj[MU_WATCH_PACKAGES];
    size_t packages;                 /* processor packages that tell their energy */
    uint64_t voluntary, involuntary; /* context switches of the process */
    bool has_processors;             /* whether the system tells what its processors did */
    struct mu_processor_times processors;
    uint64_t own_ns;     /* of what they were used, by the process */
    struct mu_json seen; /* what goes into the record's environment */
};

/* Begins to watch. `uuid` is the device's where `library` (NVML's) may know it, else NULL. */
void mu_watch_begin(const char *root, const char *library, const char *uuid, struct mu_watch *watch);

/* Ends the watch, and adds what was seen to `environment`; doc/results-format.md has the members. */
void mu_watch_end(struct mu_watch *watch, struct mu_json *environment);

#endif
