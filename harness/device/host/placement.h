/* Placement: which cores the threads of a CPU device's driver run on.
 *
 * Workgroups that wait for one another lose milliseconds whenever the system puts two of their threads on one core, or
 * one of them on a core that a stranger keeps busy. So the threads get a core each; or, where strangers leave fewer
 * idle cores than there are threads, the idle cores together. Two campaigns that did so at once would choose the same
 * cores, hence only the one that got there first places its threads. The system's scheduler does the rest. */
#ifndef MU_HARNESS_DEVICE_HOST_PLACEMENT_H
#define MU_HARNESS_DEVICE_HOST_PLACEMENT_H

#include "harness/device/device.h"
#include "records/implementations.h"

#define MU_PLACEMENT_BYTES 96

/* The parent's part: may the child place threads as `asked` (MU_PLACEMENT_AUTO: as MU_PLACEMENT_CORES, unless another
 * process of muster does so already, which keeps its right until it ends)? If not, `text` says why, for the record;
 * else it is empty. What the user has told the driver in the environment stays as it is. */
bool mu_placement_allow(uint32_t asked, const struct mu_device_info *info, char text[MU_PLACEMENT_BYTES]);

/* The child's part, as soon as the device is open, while its threads have nothing to do: looks for some milliseconds at
 * which cores are idle, and places the threads of this process. `workers` threads are what the driver should have made,
 * one for each compute unit; threads that it makes later share the cores of this one. `text` gets what was done. True
 * where each thread has a core of its own now. */
bool mu_placement_place(uint32_t workers, char text[MU_PLACEMENT_BYTES]);

/* Puts all threads of this process on the first core that it may use, for experiments. False where that is refused. */
bool mu_placement_gather(void);

/* What mu_placement_place decides, for any numbers: true where each thread gets a core of its own among those that are
 * idle; false where `text` says what else was done, and *share whether the threads are to share the idle cores. */
bool mu_placement_decide(uint32_t workers, uint32_t threads, uint32_t idle, uint32_t cores, bool *share,
                         char text[MU_PLACEMENT_BYTES]);

#endif
