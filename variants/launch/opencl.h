/* OpenCL as the rest of the program sees it: one include, statuses by name, and the target that work is sent to. */
#ifndef MU_VARIANTS_LAUNCH_OPENCL_H
#define MU_VARIANTS_LAUNCH_OPENCL_H

/* clCreateCommandQueue exists in drivers of every version; its successor does not. */
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

#include "base/error.h"

#include <stdint.h>

/* Returns "CL_OUT_OF_RESOURCES" for -5, and so on; never NULL. */
const char *mu_cl_name(cl_int status);

/* Records that the OpenCL call or object named by `what` failed with `status`: MU_NO_MEMORY for statuses that say so,
 * MU_UNSUPPORTED for a workgroup that a kernel cannot have, MU_DEVICE otherwise. Returns err's status; MU_OK, recording
 * nothing, for CL_SUCCESS. */
int mu_cl_check(cl_int status, const char *what, struct mu_error *err);

/* A device made ready: an in-order queue. Owned by harness/device/device.c. */
struct mu_target {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
};

/* Returns the monotonic time in nanoseconds. */
uint64_t mu_now_ns(void);

#endif
