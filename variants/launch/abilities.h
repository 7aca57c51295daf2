/* What a device's compiler and memory can do for synchronisation: which OpenCL C, and which atomics path. */
#ifndef MU_VARIANTS_LAUNCH_ABILITIES_H
#define MU_VARIANTS_LAUNCH_ABILITIES_H

#include "records/implementations.h"
#include "variants/launch/opencl.h"

#include <stdbool.h>

struct mu_abilities {
    char c_standard[8];      /* what kernels are compiled as: "CL1.2", "CL2.0", "CL3.0" */
    bool available[3];       /* which of enum mu_atomics the device can do */
    enum mu_atomics atomics; /* the path that applies … */
    char reason[160];        /* … and why */
    bool ptx_fences;         /* Nvidia before sm_70: PTX with membar.gl */
    unsigned subgroups;      /* the subgroups paths that it reports: bit 1 << enum mu_subgroups for each */
};

bool mu_device_has_extension(cl_device_id device, const char *name);

/* Asks the device, whose CL_DEVICE_VERSION is `version`. What it does not answer it cannot do. */
void mu_abilities_find(cl_device_id device, const char *version, struct mu_abilities *abilities);

#endif
