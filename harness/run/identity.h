/* What a run is: the same identity means that it is done already, and that samples of several processes are of one
 * test.
 *
 * It is known before the run, so that a campaign that was killed finds what it has done: it is made of the test as
 * resolved (every option of app and framework after defaults, profile and tuning), of the input's name and the hash of
 * its files, of the kernels' tokens, the driver, the schema, and the clock. What a run chooses for itself counts as the
 * word `auto` that left the choice to it: the barrier for the team that is found, the faster read-back, the first
 * vertex with an arc. So does what each process finds or a self-test calibrates (MU_OPTION_FOUND: the team, what to
 * expect, the spin limit), unless somebody named it. How long is measured (MU_OPTION_EFFORT) is no part of it. */
#ifndef MU_HARNESS_RUN_IDENTITY_H
#define MU_HARNESS_RUN_IDENTITY_H

#include "base/error.h"
#include "harness/device/device.h"
#include "harness/run/run.h"

/* Makes the text of app, input (with the hash of its files), seed and the app's options, which is the same for all
 * variants that are compared. mu_free it; NULL with MU_NO_MEMORY. */
char *mu_comparison_text(const struct mu_test *test, struct mu_error *err);

/* Makes the text of the settings that make the test another test: "variant=portable workgroup=256 …". mu_free it. */
char *mu_options_text(const struct mu_test *test, struct mu_error *err);

/* Computes the hash of both, "configuration_hash" of the record. */
int mu_configuration_hash(const struct mu_test *test, uint64_t *hash, struct mu_error *err);

/* Computes the hash of the kernels' tokens, "kernel_hash" of the record: of all sources that the test may be built
 * from. For barrier auto these are of each barrier that it may become. MU_IO when --kernel-dir lacks one. */
int mu_kernel_hash(const struct mu_test *test, uint64_t *hash, struct mu_error *err);

/* Makes the text of all of it, for a key. mu_free it. */
char *mu_test_text(const struct mu_test *test, const struct mu_device_info *info, struct mu_error *err);

#endif
