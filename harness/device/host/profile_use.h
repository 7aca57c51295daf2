/* Finds the profile that holds for a device: that of its chip, unless it is of another driver. */
#ifndef MU_HARNESS_DEVICE_PROFILE_USE_H
#define MU_HARNESS_DEVICE_PROFILE_USE_H

#include "base/error.h"
#include "harness/device/device.h"
#include "records/profile.h"

/* The profile of the device's chip under the results' folder. Where there is none, or it is of another driver, platform
 * or device, *profile is all zero; then note, when not empty, says what was not used and why. */
int mu_profile_find(const struct mu_device_info *info, struct mu_profile *profile, char note[512],
                    struct mu_error *err);

/* Puts what the profile says of a watchdog into *info, whatever units the profile is for: where a long kernel was
 * ended, the time of the longest one that was not, unless a shorter time is known. Does nothing for a CPU, and where
 * there is no profile that can be read. */
void mu_profile_take_watchdog(struct mu_device_info *info);

#endif
