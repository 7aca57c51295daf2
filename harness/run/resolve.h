/* From what was asked to what runs: the one place where defaults, the chip's profile and the device's promises decide
 * what nobody asked for, and where a test is refused. */
#ifndef MU_HARNESS_RUN_RESOLVE_H
#define MU_HARNESS_RUN_RESOLVE_H

#include "harness/device/device.h"
#include "harness/device/trust/selftest.h"
#include "harness/run/asked.h"
#include "harness/run/run.h"
#include "records/profile.h"

/* What is known of a chip before a test runs on it. */
struct mu_facts {
    const struct mu_device_info *info;
    struct mu_profile profile;   /* zeros: there is none */
    struct mu_selftest selftest; /* of the device with the atomics path that the test uses */
    const json_t *strategies; /* kept of the chip (records/optimisations/stored.h); NULL: none, or none was asked for */
};

/* Resolves: finds the facts (the self-test may have to run), decides, and refuses what the chip cannot do, for roll
 * call lobe after progress tests if need be. MU_USAGE, MU_UNSUPPORTED, MU_INTERRUPTED. *test is filled also after a
 * failure, as far as that is possible. */
int mu_resolve(const struct mu_asked *asked, const struct mu_device_info *info, struct mu_test *test,
               struct mu_error *err);

/* Does the same without a device, from facts. *untested gets whether the facts leave a promise open: that of roll call
 * lobe. */
int mu_resolve_by(const struct mu_asked *asked, const struct mu_facts *facts, struct mu_test *test, bool *untested,
                  struct mu_error *err);

/* Does the first step: takes what was asked, and the defaults that depend on nothing. */
void mu_resolve_defaults(const struct mu_asked *asked, struct mu_test *test);

/* Returns the atomics path that the test will use on this device, as far as what was asked decides it. */
enum mu_atomics mu_resolve_atomics(const struct mu_asked *asked, const struct mu_device_info *info);

#endif
