/* Launches of kernels whose workgroups form a team: the words through which they synchronise, the arguments with which
 * they join, and what a launch leaves behind for the host. One way for all: apps, the laboratory, the self-test and
 * forward-progress tests. The kernel's side is variants/teams/kernel.clh.
 *
 * A struct mu_team_launch serves any number of launches, one after another. Either prepare, run, report: each is waited
 * for, and the host clears the words of synchronisation. Or reserve, go: what a sample is made of. */
#ifndef MU_VARIANTS_LAUNCH_TEAM_LAUNCH_H
#define MU_VARIANTS_LAUNCH_TEAM_LAUNCH_H

#include "variants/launch/asker.h"
#include "variants/launch/opencl.h"
#include "variants/launch/readback.h"
#include "variants/launch/report.h"
#include "variants/promise.h"
#include "variants/variant.h"

#include <stdbool.h>
#include <stdint.h>

/* A load beside a cooperative kernel (load.h): a request is for so many workgroups; 0: none. */
struct mu_load {
    uint64_t period_ns; /* 0: nothing is asked for */
    uint32_t groups;
    uint32_t side, repeats; /* products of matrices of so many rows and columns, at most 512 */
};

/* How to launch. */
struct mu_launch {
    uint32_t groups;   /* workgroups launched */
    uint32_t expected; /* with a roll call: the team size at which it closes at once; `groups` when nothing is known */
    uint32_t patience; /* roll call atomic: unchanged reads after which the poll closes */
    uint32_t delay;    /* the other roll calls: times a group takes the mutex between polling and closing */
    uint32_t limit;    /* barriers that a kernel may cross; 0: any number */
    uint32_t seed;     /* of perturb.clh, for kernels that are built with it; else 0 */
    uint32_t resizing; /* cooperative: enum mu_resizing … */
    uint32_t stress;   /* … and a seed of the team's sizes; 0: the team keeps its size */
    struct mu_load load;
};

/* What the host knows of two sets of words that take turns. */
struct mu_turns {
    uint32_t turn;          /* the set of the last launch */
    uint32_t zeroed_for[2]; /* for launches of how many groups each is zeros; 0: it is not known to be */
};

/* Begins the next launch, of so many groups, which uses set turns->turn. Returns true if that must be cleared first.
 * Behind it nothing is known of the sets, unless mu_turns_end says that the launch has ended well, with a team that has
 * zeroed the other. */
bool mu_turns_begin(struct mu_turns *turns, uint32_t groups);
void mu_turns_end(struct mu_turns *turns, uint32_t groups);

struct mu_team_launch {
    const struct mu_target *target; /* borrowed */
    enum mu_variant variant;        /* what follows is as the kernel was built */
    enum mu_rollcall rollcall;
    uint32_t workgroup, spin_limit;
    const struct mu_promise *native; /* with barrier native: how its launches are made; else NULL */
    struct mu_places places;         /* for the message of a deadlock; nobody's, unless set after opening */
    struct mu_launch launch;         /* the present one */
    bool load;                       /* … with a load beside it */
    enum mu_asking asking;           /* how the host asks for requests of it … */
    struct mu_asker *asker;          /* … which is tried out before the first run; NULL: not yet */
    uint64_t asking_ns; /* how long it was from there until a kernel that saw it had ended; 0: by schedule */
    enum mu_load_clock clock;
    double clock_rate;    /* … its ticks in a nanosecond, which are found before the first run; 0: not yet */
    bool events;          /* the queue takes event times */
    cl_mem sync;          /* sync_layout.clh */
    uint32_t sync_groups; /* how many groups sync has room for */
    bool takes_turns;     /* two sets of words are to take turns, where a mode can tell of them; set after opening */
    size_t distance;      /* from one set to the other, in words; 0: there is one */
    struct mu_turns turns;
    const struct mu_pinned *pinned; /* how reports are read; borrowed, NULL: into `told` */
    cl_uint told[MU_REPORT_READ];   /* the report */
    cl_uint tells[8];               /* what a cooperative kernel is told: cooperative.c, and behind it load.c */
};

/* A kernel that ends in MU_TEAM_PARAMETERS, and how many arguments, which the caller sets, it has before them. */
struct mu_team_kernel {
    cl_kernel kernel;
    uint32_t own_arguments;
    const char *name; /* for messages */
};

struct mu_team_times {
    uint64_t host_ns;   /* monotonic clock: run, from the launch until the device has finished; go, all of it */
    uint64_t device_ns; /* events, from the kernel's start to its end; 0 where they say nothing */
};

/* Prepares launches of kernels built for `build`. The target must outlive it; nothing is allocated yet. MU_DEVICE. */
int mu_team_launch_open(struct mu_team_launch *team, const struct mu_target *target, const struct mu_build *build,
                        struct mu_error *err);

/* Makes room for the groups of one launch. MU_USAGE for no groups or more than 2^24 work-items, MU_NO_MEMORY,
 * MU_DEVICE. */
int mu_team_launch_reserve(struct mu_team_launch *team, const struct mu_launch *launch, struct mu_error *err);

/* Runs the kernel, from the host's wish to run it until it knows that it has run well: makes the words ready, sets the
 * arguments of MU_TEAM_PARAMETERS, launches, and reads the report, with one wait. Adds what that took to *times. The
 * mode is 0, MU_ROLL_CALL_ONLY or another one of the kernel. Fails as mu_team_launch_report, also MU_NO_MEMORY,
 * MU_DEVICE. */
int mu_team_launch_go(struct mu_team_launch *team, const struct mu_team_kernel *kernel, uint32_t mode,
                      struct mu_team_times *times, struct mu_report *report, struct mu_error *err);

/* Makes ready for one launch: room for its groups, every word of the first set 0. What the caller changes in team->sync
 * or enqueues before the run is done when the run begins. Fails as mu_team_launch_reserve. */
int mu_team_launch_prepare(struct mu_team_launch *team, const struct mu_launch *launch, struct mu_error *err);

/* Launches the kernel, waits for its end, and adds to *times. The mode is 0 or MU_ROLL_CALL_ONLY. MU_DEVICE. */
int mu_team_launch_run(struct mu_team_launch *team, const struct mu_team_kernel *kernel, uint32_t mode,
                       struct mu_team_times *times, struct mu_error *err);

/* Reads what the run left. MU_DEADLOCK when a bounded spin ran out: the message is that of mu_report_read, and *report
 * is filled all the same; MU_LIMIT when a work queue was full. MU_DEVICE. */
int mu_team_launch_report(const struct mu_team_launch *team, struct mu_report *report, struct mu_error *err);

/* Checks a report: there must be a team (else MU_CRASH), of groups that were launched, of all of them in variant
 * specialised (else MU_WRONG). mu_team_launch_judge_ends, after a run that was not a roll call alone, checks that every
 * rank came to the end, once, behind as many barriers as rank 0 (else MU_WRONG). MU_DEVICE, MU_NO_MEMORY. */
int mu_team_launch_judge_team(const struct mu_team_launch *team, const struct mu_report *report, struct mu_error *err);
int mu_team_launch_judge_ends(const struct mu_team_launch *team, const struct mu_report *report, struct mu_error *err);

/* Has the next launch clear its words: for callers that have found a fault in the last one. */
void mu_team_launch_forget(struct mu_team_launch *team);

/* Returns where the words of the last launch begin in team->sync. */
size_t mu_team_launch_set(const struct mu_team_launch *team);

/* Releases what a launch that was opened, or is all zeros, holds. */
void mu_team_launch_close(struct mu_team_launch *team);

#endif
