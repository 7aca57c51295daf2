/* The page of a chip: tables of its records. */
#ifndef MU_HARNESS_COMMANDS_CHIP_PAGE_H
#define MU_HARNESS_COMMANDS_CHIP_PAGE_H

#include "base/error.h"

#include <limits.h>

#define MU_CHIP_PAGE "README.md"

/* Writes <root>/<chip>/README.md, filled in from the records under the root, in place of an older one. `path` gets its
 * name. Fails with MU_IO, MU_LIMIT, MU_NO_MEMORY, or as reading the records does. */
int mu_chip_page_write(const char *root, const char *chip, char path[PATH_MAX], struct mu_error *err);

#endif
