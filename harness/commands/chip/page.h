/* The page of a chip: what was measured there, as tables of its records. */
#ifndef MU_HARNESS_COMMANDS_CHIP_PAGE_H
#define MU_HARNESS_COMMANDS_CHIP_PAGE_H

#include "base/error.h"

#include <limits.h>

#define MU_CHIP_PAGE "README.md"

/* Writes <root>/<chip>/README.md, filled in from the records under the root. `path` gets its name. What stood there is
 * replaced. MU_IO, MU_LIMIT, MU_NO_MEMORY, and what reading the records fails with. */
int mu_chip_page_write(const char *root, const char *chip, char path[PATH_MAX], struct mu_error *err);

#endif
