/* Writes a pack as a folder of files, as folders of results have them. */
#ifndef MU_HARNESS_COMMANDS_CHIP_FOLDER_H
#define MU_HARNESS_COMMANDS_CHIP_FOLDER_H

#include "base/error.h"
#include "records/packs/pack.h"
#include "records/profile.h"

#include <stdbool.h>

/* Returns true if a profile is of a pack's device (struct mu_pack). */
bool mu_folder_is_of(const struct mu_profile *profile, const json_t *device);

/* Writes profile and sets of a pack into a new folder <root>/<chip>. The profile is written only if it is valid and of
 * the pack's device, in muster's own form. A set is plain, or packed by xz if it is large and `small` is set. Fails
 * with MU_INPUT for an invalid profile, MU_IO, MU_LIMIT or MU_NO_MEMORY. */
int mu_folder_write(const char *root, const struct mu_pack *pack, bool small, struct mu_error *err);

#endif
