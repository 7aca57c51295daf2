/* What a persistent kernel leaves behind for the host: the report of sync_layout.clh, read and put into words. */
#ifndef MU_VARIANTS_LAUNCH_REPORT_H
#define MU_VARIANTS_LAUNCH_REPORT_H

#include "base/error.h"
#include "variants/launch/opencl.h"

#include <stdbool.h>
#include <stdint.h>

struct mu_report {
    uint32_t team;    /* workgroups in the team; 0 when there was none */
    uint32_t crossed; /* barriers that rank 0 crossed, as it said at the end */
    bool native;      /* roll call atomic: the ranks are the native ids */
};

/* Launched groups and the bound of spins: what the message of a deadlock says beside the report. */
struct mu_report_context {
    uint32_t groups, spin_limit;
};

/* Reads the report of the launch that `queue` has finished from the synchronisation words. MU_DEADLOCK when a bounded
 * spin ran out: the message names barrier or phase, rank and arrivals, and *report is filled all the same. MU_DEVICE.
 */
int mu_report_read(cl_command_queue queue, cl_mem sync, struct mu_report_context context, struct mu_report *report,
                   struct mu_error *err);

/* Device time of a finished launch in nanoseconds, 0 where events say nothing. The event is released. MU_DEVICE. */
int mu_event_time(cl_event event, uint64_t *device_ns, struct mu_error *err);

#endif
