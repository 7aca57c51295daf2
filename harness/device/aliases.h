/* Names that a user gives to chips, in a file of the user's own folder of results: aliases.json, an object with a
 * member for each name, whose value tells the chip: its `vendor`, `name`, `platform` and `compute_units`, and its
 * `chip`, the short name that it has without one; and where they are not those that it tells, its `units`. */
#ifndef MU_HARNESS_DEVICE_ALIASES_H
#define MU_HARNESS_DEVICE_ALIASES_H

#include "harness/device/device.h"

#define MU_ALIASES_FILE "aliases.json"

/* Gives the devices the names and units that the file has for them; without a file, none. MU_INPUT for a file that is
 * no such object, or has a name that cannot be a folder's; MU_IO, MU_LIMIT. */
int mu_aliases_apply(struct mu_device_info *infos, uint32_t count, struct mu_error *err);

/* Gives a device the name and, unless they are 0, the units (mu_device_info.resident), and keeps that in the file.
 * MU_USAGE where the name cannot be a folder's, or is another chip's; else as above. */
int mu_alias_keep(struct mu_device_info *info, const char *name, uint32_t units, struct mu_error *err);

#endif
