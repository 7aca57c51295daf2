/* What is made of all published records: sums, and pages. */
#ifndef MU_HARNESS_COMMANDS_CHIP_REFRESH_H
#define MU_HARNESS_COMMANDS_CHIP_REFRESH_H

#include "base/error.h"

/* Makes the sums of a checkout's folder of results anew, by build-aux/datapackage beside it, and fills in the pages
 * that are made of records: README.md beside it, and those in it. What is not there is left out. MU_IO. */
int mu_refresh(const char *results, struct mu_error *err);

#endif
