/* The list of devices: what the parent and its child share. */
#ifndef MU_HARNESS_DEVICE_DEVICE_LIST_PRIVATE_H
#define MU_HARNESS_DEVICE_DEVICE_LIST_PRIVATE_H

#include "harness/device/device.h"

#include <stdbool.h>
#include <stddef.h>

#define MU_MAX_ICDS 32

/* Fills in the vendor files, sorted: what OCL_ICD_VENDORS names, or all of its folder, or all of the system's. Returns
 * their number. *more tells whether there are others, which do not fit; it may be NULL. */
size_t mu_vendor_files(char files[MU_MAX_ICDS][MU_NAME_BYTES], bool *more);

#endif
