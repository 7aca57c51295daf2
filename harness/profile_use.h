/* What runs take from the profile of their chip. */
#ifndef MU_HARNESS_PROFILE_USE_H
#define MU_HARNESS_PROFILE_USE_H

#include "base/error.h"
#include "harness/device.h"
#include "harness/profile.h"
#include "harness/test.h"

#include <jansson.h>

/* The profile of the device's chip under the results' folder. Where there is none, or it is of another driver, platform
 * or device, *profile is all zero; then note, when not empty, says what was not used and why. */
int mu_profile_find(const struct mu_device_info *info, struct mu_profile *profile, char note[512],
                    struct mu_error *err);

/* What a test took from the profile: bits of mu_test.from_profile. mu_profile_from names them for a record: an object,
 * NULL for none. */
enum {
    MU_FROM_SPIN_LIMIT = 1,
    MU_FROM_PATIENCE = 2,
    MU_FROM_EXPECTED = 4,
    MU_FROM_BARRIER = 8,
    MU_FROM_READBACK = 16,
    MU_FROM_ROLLCALL = 32
};
json_t *mu_profile_from(unsigned from_profile);

/* Fills in the options that the user left open, from what the profile knows. A profile of zeros changes
 * nothing. MU_UNSUPPORTED where it refuses the device, the variant, or roll call lobe. */
int mu_profile_apply(const struct mu_profile *profile, const struct mu_device_info *info, struct mu_test *test,
                     struct mu_error *err);

/* The roll call that runs where none is asked for: the profile's, else `atomic`. */
enum mu_rollcall mu_profile_rollcall(const struct mu_profile *profile);

#endif
