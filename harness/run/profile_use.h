/* Finds the profile that holds for a device: that of its chip, unless it is of another driver. */
#ifndef MU_HARNESS_RUN_PROFILE_USE_H
#define MU_HARNESS_RUN_PROFILE_USE_H

#include "base/error.h"
#include "harness/device/device.h"
#include "records/profile.h"

/* The profile of the device's chip under the results' folder. Where there is none, or it is of another driver, platform
 * or device, *profile is all zero; then note, when not empty, says what was not used and why. */
int mu_profile_find(const struct mu_device_info *info, struct mu_profile *profile, char note[512],
                    struct mu_error *err);

#endif
