/* A pack as a folder of files, as folders of results have them. */
#ifndef MU_HARNESS_COMMANDS_CHIP_FOLDER_H
#define MU_HARNESS_COMMANDS_CHIP_FOLDER_H

#include "base/error.h"
#include "records/packs/pack.h"

#include <limits.h>
#include <stdbool.h>

/* Makes a new folder that nothing else knows, of the path with six random characters behind it. MU_IO, MU_LIMIT. */
int mu_folder_new(const char *beginning, char path[PATH_MAX], struct mu_error *err);

/* Removes a folder and all that is in it. Follows no link. */
void mu_folder_remove(const char *path);

/* Writes profile and sets of a pack into <root>/<chip>, which is made: a profile only where it can be read and is of
 * the pack's device, and as muster writes profiles; a set plain, or by xz where it is large and `small` is wanted.
 * MU_INPUT for a profile that is none; MU_IO, MU_LIMIT, MU_NO_MEMORY. */
int mu_folder_write(const char *root, const struct mu_pack *pack, bool small, struct mu_error *err);

#endif
