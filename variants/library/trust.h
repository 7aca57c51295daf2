/* The self-test of a device in a process of its own, which a driver may take down. */
#ifndef MU_VARIANTS_LIBRARY_TRUST_H
#define MU_VARIANTS_LIBRARY_TRUST_H

#include "base/error.h"
#include "variants/library/team.h"

#include <stdbool.h>

/* The environment's variable that, set to "here", says that the self-test belongs into this process. */
#define MU_TRUST_WHERE "MUSTER_TEAM_TRUST"

/* Runs the helper (variants/library/helper.c) for a device and settings that leave nothing open. False where there is
 * no helper, or it cannot tell which device is meant: nothing is known then. Else true, and err has what it found:
 * MU_CRASH when it died, MU_DEADLINE when it did not end. */
bool mu_trust_elsewhere(cl_device_id device, const struct mu_team_settings *settings, struct mu_error *err);

#endif
