/* What a run is, as text: the same text means that the run is done already. */
#ifndef MU_HARNESS_IDENTITY_H
#define MU_HARNESS_IDENTITY_H

#include "base/error.h"
#include "harness/device.h"
#include "harness/test.h"

#include <stddef.h>

/* App, input (with the hash of its files, so that a file that changed is another input) and the app's options: the same
 * for all variants that are compared. mu_free it; NULL with MU_NO_MEMORY. */
char *mu_comparison_text(const struct mu_test *test, struct mu_error *err);

/* The comparison, the variant, how it synchronises, the driver and the schema: all that a test is but its workgroup and
 * team. Two lists of options that mean the same may give different texts, which costs a run, never a wrong reuse. */
char *mu_test_text(const struct mu_test *test, const struct mu_device_info *info, struct mu_error *err);

#endif
