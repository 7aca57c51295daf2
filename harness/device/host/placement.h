/* Placement: which cores the threads of a CPU device's driver run on.
 *
 * Workgroups that wait for one another lose milliseconds whenever two of their threads share a core, or one shares it
 * with another program. So each thread gets a core of its own. Where other programs leave fewer idle cores than there
 * are threads, the threads share the idle ones. Two campaigns that did so at once would choose the same cores; so only
 * the first one places its threads. The system's scheduler does the rest. */
#ifndef MU_HARNESS_DEVICE_HOST_PLACEMENT_H
#define MU_HARNESS_DEVICE_HOST_PLACEMENT_H

#include "harness/device/device.h"
#include "records/implementations.h"

#define MU_PLACEMENT_BYTES 96

/* Returns true if the child may place threads as `asked`; for the parent. MU_PLACEMENT_AUTO is MU_PLACEMENT_CORES,
 * unless another process of muster, which has not ended, does so already. If not, `text` says why, for the record; else
 * it is empty. What the user has told the driver in the environment stays as it is. */
bool mu_placement_allow(uint32_t asked, const struct mu_device_info *info, char text[MU_PLACEMENT_BYTES]);

/* Looks for some milliseconds which cores are idle, and places the threads of this process; for the child, as soon as
 * the device is open, while its threads have nothing to do. `workers` is the number of threads that the driver should
 * have made, one for each compute unit; threads that it makes later share the cores of the calling one. `text` gets
 * what was done. Returns true if each thread has a core of its own now. */
bool mu_placement_place(uint32_t workers, char text[MU_PLACEMENT_BYTES]);

/* Puts all threads of this process on the first core that it may use, for experiments. Returns false if that is
 * refused. */
bool mu_placement_gather(void);

/* Decides for mu_placement_place, for any numbers. Returns true if each thread gets an idle core of its own. If not,
 * `text` says what is done instead, and *share whether the threads share the idle cores. */
bool mu_placement_decide(uint32_t workers, uint32_t threads, uint32_t idle, uint32_t cores, bool *share,
                         char text[MU_PLACEMENT_BYTES]);

#endif
