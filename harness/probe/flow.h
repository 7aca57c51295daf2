/* A flow of items through a work queue among the workgroups of a launch (variants/queues/flow.clh): what a queue costs,
 * and whether it loses items. */
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
    uint32_t groups;
    struct mu_queue_shape shape;
    uint32_t items;      /* that flow, in all */
    uint32_t lost_after; /* the group of rank 0 is lost with the item that it takes as so manyeth; 0: no group is */
};

struct mu_flow;

/* The target, opened with event times where the device's own are wanted, and info must outlive the flow. MU_BUILD,
 * MU_DEVICE, MU_NO_MEMORY. */
int mu_flow_open(const struct mu_target *target, const struct mu_device_info *info, const struct mu_flow_spec *spec,
                 struct mu_flow **flow, struct mu_error *err);

/* One launch. *ns gets the device's time, or where it tells none the host's. MU_WRONG when an item was lost, was taken
 * twice or was not as its parent had left it; MU_LIMIT when a ring was full; MU_DEADLOCK when a group waited in vain;
 * MU_USAGE, MU_NO_MEMORY, MU_DEVICE. */
int mu_flow_run(struct mu_flow *flow, const struct mu_flow_run *run, uint64_t *ns, struct mu_error *err);

/* Accepts NULL. */
void mu_flow_close(struct mu_flow *flow);

#endif
