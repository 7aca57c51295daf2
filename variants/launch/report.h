/* What a persistent kernel leaves behind for the host: the report of sync_layout.clh, read and put into words. */
#ifndef MU_VARIANTS_LAUNCH_REPORT_H
#define MU_VARIANTS_LAUNCH_REPORT_H

#include "base/error.h"
#include "variants/launch/opencl.h"
#include "variants/launch/plan_step.h"

#include <stdbool.h>
#include <stdint.h>

struct mu_report {
    uint32_t team;    /* workgroups in the team; 0 when there was none */
    uint32_t crossed; /* barriers that rank 0 crossed, as it said at the end */
    uint32_t rank;    /* whose bounded spin ran out, or who found its queue full; 0 where nobody did */
    bool native;      /* roll call atomic: the ranks are the native ids */
};

/* Who can say where a barrier stands, from its line in the source that calls it: `say` writes a part of a sentence,
 * such as " behind step decide (apps/pannotia/mis/mis.plan.h:7)". NULL: nobody. */
struct mu_places {
    void (*say)(const void *owner, uint32_t line, char *text, size_t bytes);
    int (*rule)(const void *owner, const struct mu_broken_rule *broken, struct mu_error *err); /* mu_report_rule */
    const void *owner;
};

/* Where a report lies: the words of a launch begin at element `set` of `sync`. And what the message of a deadlock says
 * beside it: launched groups, the bound of spins, and places. */
struct mu_report_context {
    cl_command_queue queue;
    cl_mem sync;
    size_t set;
    uint32_t groups, spin_limit;
    struct mu_places places;
};

/* Words from MU_SYNC_ABORT to the end of the report. */
#define MU_REPORT_READ 42

/* Reads the report of the launch that the queue has finished. MU_DEADLOCK when a bounded spin ran out, and *report is
 * filled all the same. The message names barrier or phase, step or line, rank and arrivals, and at a barrier, who was
 * missing (mu_report_ranks). MU_DEADLOCK also when as many barriers were crossed as a plan may have. MU_LIMIT in the
 * same way when a work queue was full, MU_USAGE when a rule of a buffer was broken. MU_DEVICE. */
int mu_report_read(const struct mu_report_context *context, struct mu_report *report, struct mu_error *err);

/* Does the same with the MU_REPORT_READ words from MU_SYNC_ABORT on, which have been read. */
int mu_report_judge(const struct mu_report_context *context, const uint32_t *words, struct mu_report *report,
                    struct mu_error *err);

/* Writes where a barrier stands, in the words of `places`; nothing if that is not known. */
void mu_report_place(const struct mu_places *places, uint32_t line, char *text, size_t bytes);

/* A barrier at which a rank waited in vain. */
struct mu_report_barrier {
    uint32_t number, place, team;
    uint32_t arrived; /* how many ranks, as it saw */
};

/* Writes what became of the ranks of the team when one of them had waited at `barrier` in vain, as part of a sentence:
 * who was missing, and who waited at another place. `ended` and `waited` are the team's words at MU_SYNC_ENDED and
 * MU_SYNC_WAITED. Empty when none was missing. */
void mu_report_ranks(const struct mu_places *places, const struct mu_report_barrier *barrier, const uint32_t *ended,
                     const uint32_t *waited, char *text, size_t bytes);

/* Computes the time between two that events tell, 0 if they say nothing or the wrong order. MU_DEVICE if it cannot
 * be. */
int mu_times_apart(cl_ulong from, cl_ulong to, uint64_t *ns, struct mu_error *err);

/* Reads the device time of a finished launch in nanoseconds, 0 if events say nothing. The event is released.
 * MU_DEVICE. */
int mu_event_time(cl_event event, uint64_t *device_ns, struct mu_error *err);

#endif
