/* The laboratory: a program without an app, that joins a team and crosses barriers, and nothing else.
 *
 * It measures the cost and the recall of roll calls and the cost of barriers, and is what the search for occupancy
 * bounds tries. A lab is built once for a choice of roll call, barrier, atomics, workgroup size and bound of spins, and
 * then run as often as needed; the number of groups, the local memory that each occupies, and the rest are arguments of
 * a run. It is built from the same sources as every app. Beware: a run of more groups than fit, joined as specialised,
 * waits until its spins run out, and says so as a verdict. */
#ifndef MU_HARNESS_PROBE_LAB_H
#define MU_HARNESS_PROBE_LAB_H

#include "base/error.h"
#include "harness/device/device.h"
#include "variants/launch/opencl.h"
#include "variants/variant.h"

#include <stdbool.h>
#include <stdint.h>

/* What the program is built for. */
struct mu_lab_spec {
    enum mu_variant join; /* MU_PORTABLE: by roll call; MU_SPECIALISED: the launch is the team */
    enum mu_rollcall rollcall;
    enum mu_barrier barrier; /* not MU_BARRIER_AUTO: mu_barrier_choose */
    enum mu_atomics atomics; /* mu_device_info.atomics for the device's own */
    enum mu_yield yield;
    uint32_t yield_polls;   /* with a yield: polls between two of them */
    uint32_t workgroup;     /* any size, from 1 to the device's largest: neither roll calls nor barriers need more */
    uint32_t spin_limit;    /* polls before a wait is a deadlock; mu_polls_in */
    bool cache;             /* look for the program in the cache */
    const char *kernel_dir; /* NULL: the embedded sources */
};

/* What one run does. */
struct mu_lab_run {
    uint32_t groups;   /* workgroups launched */
    uint32_t expected; /* roll calls that know it: the size at which the poll closes at once; 0 for `groups` */
    uint32_t patience; /* roll call atomic: unchanged reads after which the poll closes */
    uint32_t delay;  /* the other roll calls: times the mutex is taken between polling and closing (OOPSLA 2016, 5.4) */
    uint32_t rounds; /* barriers to cross after joining; 0 for a roll call alone */
    uint32_t local_bytes; /* local memory that each group occupies in all; less than the program's own needs adds
                             nothing. More than the device has is MU_UNSUPPORTED */
};

enum mu_lab_verdict { MU_LAB_COMPLETED, MU_LAB_DEADLOCKED };

struct mu_lab_result {
    enum mu_lab_verdict verdict;
    uint32_t team;      /* workgroups in the team; 0 when a deadlock came before anybody knew */
    uint32_t crossed;   /* barriers crossed: `rounds` of the run when completed */
    uint64_t host_ns;   /* monotonic clock from the launch until the device has finished */
    uint64_t device_ns; /* events, from the kernel's start to its end; 0 where they say nothing */
    char report[256];   /* deadlocked: who waited where, with how many of how many arrived; else empty */
};

struct mu_lab;

/* Builds the program. The target, opened with event times where device_ns is wanted, and info must outlive the lab.
 * MU_UNSUPPORTED for what the device cannot do, MU_BUILD, MU_DEVICE, MU_NO_MEMORY. */
int mu_lab_open(const struct mu_target *target, const struct mu_device_info *info, const struct mu_lab_spec *spec,
                struct mu_lab **lab, struct mu_error *err);

/* Returns the local memory that the program itself needs, per workgroup, in bytes. */
uint64_t mu_lab_own_local_bytes(const struct mu_lab *lab);

/* Launches the kernel once. A deadlock is a verdict, not an error. With rounds, every member of the team says at its
 * end what it saw, so that a driver that ends kernels early is found out: MU_WRONG; MU_CRASH without a team. MU_USAGE
 * for no groups or more than 2^24 work-items, MU_UNSUPPORTED for too much local memory, MU_DEVICE. */
int mu_lab_run(struct mu_lab *lab, const struct mu_lab_run *run, struct mu_lab_result *result, struct mu_error *err);

/* Accepts NULL. */
void mu_lab_close(struct mu_lab *lab);

#endif
