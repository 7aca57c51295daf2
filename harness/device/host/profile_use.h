/* Finds the profile that holds for a device: that of its chip, unless it is of another driver. */
#ifndef MU_HARNESS_DEVICE_PROFILE_USE_H
#define MU_HARNESS_DEVICE_PROFILE_USE_H

#include "base/error.h"
#include "harness/device/device.h"
#include "records/profile.h"

/* Finds the profile of the device's chip under the results' folder. *profile is all zero if there is none, or if it is
 * of another driver, platform or device; then `note`, when not empty, says what was not used and why. */
int mu_profile_find(const struct mu_device_info *info, struct mu_profile *profile, char note[512],
                    struct mu_error *err);

/* Takes the watchdog of the profile into *info, whatever units the profile is for: if a long kernel was ended, the time
 * of the longest one that was not, unless a shorter time is known. Does nothing for a CPU, and without a readable
 * profile. */
void mu_profile_take_watchdog(struct mu_device_info *info);

#endif
