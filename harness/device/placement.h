/* Placement: whether the threads of a CPU device's driver get a core each.
 *
 * A driver that pins its threads keeps the system from moving them while they wait for one another. Two processes that
 * do so at once would share core 0 and leave others idle, and a pinned thread cannot flee from a stranger's; so threads
 * are placed only by the one campaign that got there first, on a machine where nobody else is running. */
#ifndef MU_HARNESS_DEVICE_PLACEMENT_H
#define MU_HARNESS_DEVICE_PLACEMENT_H

#include "harness/device/device.h"
#include "harness/device/settings.h"
#include "records/ways.h"

#define MU_PLACEMENT_BYTES 96

/* Adds to `settings` what makes a CPU's driver pin its threads, where `asked` (MU_PLACEMENT_AUTO: where it is wise)
 * says so; what the user has set stays. `text` gets what was done, and why, for the record. For the parent, once for
 * every child; the first that places threads keeps other processes of muster from it until it ends. */
void mu_placement_choose(uint32_t asked, const struct mu_device_info *info, struct mu_settings *settings,
                         char text[MU_PLACEMENT_BYTES]);

#endif
