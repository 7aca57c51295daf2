/* What the parts of the self-test share. */
#ifndef MU_HARNESS_DEVICE_TRUST_SELFTEST_PRIVATE_H
#define MU_HARNESS_DEVICE_TRUST_SELFTEST_PRIVATE_H

#include "harness/device/trust/selftest.h"

#define MU_SELFTEST_GROUP 8 /* workgroup size */

/* Sets the verdict "refused" and its reason. Returns MU_OK. */
__attribute__((format(printf, 2, 3))) int mu_selftest_refuse(struct mu_selftest *result, const char *format, ...);

/* Runs the persistent kernel of harness/device/trust/selftest_plan.cl, for a result that has its yield and spin limit,
 * and sets the verdict. Errors as mu_selftest_run. */
int mu_selftest_plan(const struct mu_target *target, const struct mu_device_info *info, struct mu_selftest *result,
                     struct mu_error *err);

#endif
