/* Flows of items through work queues among the workgroups of a launch (variants/queues/flow.clh): what a queue costs,
 * and whether it loses items. A launch holds one flow or many side by side, each with a queue and a team of its own. */
#ifndef MU_HARNESS_PROBE_FLOW_H
#define MU_HARNESS_PROBE_FLOW_H

#include "base/error.h"
#include "harness/device/device.h"
#include "variants/launch/opencl.h"
#include "variants/launch/queue.h"

#include <stdint.h>

/* What the program is built for. */
struct mu_flow_spec {
    enum mu_queue_kind kind;
    enum mu_yield yield;
    uint32_t yield_polls; /* with a yield: polls between two of them */
    uint32_t workgroup, spin_limit;
};

struct mu_flow_run {
    uint32_t flows;              /* side by side */
    uint32_t groups;             /* of each flow */
    struct mu_queue_shape shape; /* of each flow's queue */
    uint32_t items;              /* of each flow, in all */
    uint32_t lost_rank;          /* this group, of flow lost_rank / groups, … */
    uint32_t lost_after;         /* … is lost with the item that it takes as so manyeth; 0: no group is */
};

struct mu_flow;

/* Opens a flow. The target, opened with event times where the device's own are wanted, and info must outlive it.
 * MU_BUILD, MU_DEVICE, MU_NO_MEMORY. */
int mu_flow_open(const struct mu_target *target, const struct mu_device_info *info, const struct mu_flow_spec *spec,
                 struct mu_flow **flow, struct mu_error *err);

/* Returns how many flows like this one, whose `flows` does not matter, a launch may hold side by side. Each group has a
 * compute unit, no buffer is larger than the device allows, and all take at most a quarter of its memory; 1 at least.
 * But 0 when there are fewer units than one flow has groups. */
uint32_t mu_flow_most(const struct mu_device_info *info, const struct mu_flow_run *run);

/* Launches the kernel once. *ns gets the device's time, or where it tells none the host's. Each flow is judged alone;
 * of several, the message has the number of the first that failed. MU_WRONG when an item was lost, was taken twice or
 * was not as its parent had left it; MU_LIMIT when a ring was full; MU_DEADLOCK when a group waited in vain; MU_USAGE,
 * MU_NO_MEMORY, MU_DEVICE. */
int mu_flow_run(struct mu_flow *flow, const struct mu_flow_run *run, uint64_t *ns, struct mu_error *err);

/* Accepts NULL. */
void mu_flow_close(struct mu_flow *flow);

#endif
