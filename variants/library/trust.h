/* The self-test of a device in a process of its own, which a driver may take down. */
#ifndef MU_VARIANTS_LIBRARY_TRUST_H
#define MU_VARIANTS_LIBRARY_TRUST_H

#include "base/error.h"
#include "variants/library/team.h"

#include <stdbool.h>

/* The environment's variable that, set to "here", says that the self-test belongs into this process, and, set to
 * "again", that a verdict on disk does not count. */
#define MU_TRUST_WHERE "MUSTER_TEAM_TRUST"

/* What the helper sets it to: this process is there for the self-test, and may be lost. */
#define MU_TRUST_HELPER "helper"

/* Verdicts on disk (base/files/cache.h), of a device with its driver, this library and the options and settings that a
 * kernel is built and launched with. Only trust is kept: what was refused is asked anew. */
bool mu_trust_known(cl_device_id device, const struct mu_team_settings *settings, const char *options);
void mu_trust_keep(cl_device_id device, const struct mu_team_settings *settings, const char *options);

/* Runs the helper (variants/library/helper.c) for a device and settings that leave nothing open. False where there is
 * no helper, or it cannot tell which device is meant: nothing is known then. Else true, and err has what it found:
 * MU_CRASH when it died, MU_DEADLINE when it did not end. */
bool mu_trust_elsewhere(cl_device_id device, const struct mu_team_settings *settings, struct mu_error *err);

#endif
