/* Makes what depends on all published records: checksums and pages. */
#ifndef MU_HARNESS_COMMANDS_CHIP_REFRESH_H
#define MU_HARNESS_COMMANDS_CHIP_REFRESH_H

#include "base/error.h"

/* Makes the checksums of a checkout's folder of results anew, by build-aux/datapackage beside it. Then fills in the
 * pages: README.md beside it, and those in it. `results` has no slash at its end. Files that are missing are skipped.
 * Fails with MU_IO. */
int mu_refresh(const char *results, struct mu_error *err);

#endif
