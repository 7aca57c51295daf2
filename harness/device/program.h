/* OpenCL programs: built from sources, or from the binary that an earlier build left in the cache. */
#ifndef MU_HARNESS_DEVICE_PROGRAM_H
#define MU_HARNESS_DEVICE_PROGRAM_H

#include "harness/device/device.h"
#include "variants/launch/opencl.h"
#include "variants/variant.h"

#include <stdbool.h>
#include <stdint.h>

struct mu_built {
    cl_program program; /* the caller's, released with clReleaseProgram */
    uint64_t build_ns;  /* compile or load time */
    bool cached;
};

/* Builds the sources for the device. use_cache: looks in the cache, keyed by sources, options, device and driver, and
 * leaves the binary there. It has no effect where the driver has a cache of its own. MU_BUILD with the compiler's log,
 * whose lines name the app's own files; MU_DEVICE. */
int mu_program_build(const struct mu_target *target, const struct mu_device_info *info,
                     const struct mu_sources *sources, bool use_cache, struct mu_built *built, struct mu_error *err);

/* Builds the sources for the device, unless err holds a failure already, and frees them. Returns the program, which is
 * the caller's, or NULL. For programs whose time of building does not matter. */
cl_program mu_program_make(const struct mu_target *target, const struct mu_device_info *info,
                           struct mu_sources *sources, bool use_cache, struct mu_error *err);

/* Returns true if the cache holds what is built of the sources for the device, which need not be open. */
bool mu_program_is_cached(const struct mu_device_info *info, const struct mu_sources *sources);

/* Returns true if what is built for the device goes into the cache; false if its driver has a cache of its own. */
bool mu_program_is_kept(const struct mu_device_info *info);

#endif
