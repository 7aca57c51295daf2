/* muster/team.h: the host's side of muster/team.clh, whose kernels have workgroups that synchronise.
 *
 * In short: mu_team_new for a queue; build a program of mu_team_source and your own source with mu_team_options;
 * mu_team_run as often as you like. doc/library.md is a ten-minute introduction.
 *
 * Every wait of one workgroup for another is bounded, but with the setting `native`: a mistake ends in a message and
 * not in a hang. What a workgroup waits for within itself is not: where some of its work-items reach a barrier and
 * others do not, because of a `return` or a branch that differs between them, a driver may hang, or the message may
 * name another workgroup.
 *
 * An object belongs to one thread at a time; different objects share nothing. The queue is borrowed, everything else is
 * the object's. A function that can fail returns MU_TEAM_OK or another of enum mu_team_status, and leaves status and
 * message in *error, which must not be NULL; nothing of an earlier call stays there. */
#ifndef MUSTER_TEAM_H
#define MUSTER_TEAM_H

#include <CL/cl.h>

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum mu_team_status {
    MU_TEAM_OK = 0,
    MU_TEAM_WRONG = -1,     /* the device did not do what a kernel says: it cannot be trusted */
    MU_TEAM_USAGE = -2,     /* a call that makes no sense */
    MU_TEAM_NO_MEMORY = -5, /* of the host or of the device */
    MU_TEAM_DEVICE = -6,    /* an OpenCL call failed */
    MU_TEAM_BUILD = -7,     /* the self-test's kernel does not compile; the message is the compiler's */
    MU_TEAM_DEADLOCK = -9,  /* a workgroup waited in vain: the message says which, at which barrier, for how many */
    MU_TEAM_CRASH = -11     /* the kernel ended without a team, or the process of the self-test died */
};

struct mu_team_error {
    int status;
    char message[1024];
};

/* What to build for and how to launch. Zeros stand for defaults. */
struct mu_team_settings {
    uint32_t workgroup; /* a power of two; 256 on a CPU, else 128 */
    uint32_t groups;    /* workgroups launched; more than fit, or with `specialised`, on a CPU, as many as cores */
    uint32_t expected;  /* the size of the team at which the roll call closes at once; on a CPU, the cores */
    uint32_t patience;  /* reads without news after which it closes in any case; on a CPU 2^26, some tenths of a second,
                           since a busy system may keep a worker waiting for as long */
    uint32_t spin_limit; /* polls after which a wait is a deadlock; 2^28, which is seconds */
    int specialised;     /* no roll call: you know that `groups` of your kernel are on the device at the same time */
    int yield;  /* on a CPU under Linux: a workgroup that waits gives its core away now and then, by a system call
                   in inline assembly, of which some compilers of PoCL 5.0 and 6.0 die */
    int large;  /* barriers for teams of more than a few hundred workgroups */
    int native; /* with `specialised`: the runtime's own barrier of all workgroups of a launch, on devices that report
                   cl_intel_concurrent_dispatch. Nothing bounds a wait in it: where a workgroup does not come to a
                   barrier, mu_team_run never returns. So mu_team_run refuses (MU_TEAM_USAGE) unless a trial has passed
                   on this device and driver, with these sizes: mu_team_trust of this object, or one on record */
};

/* What a run was like. */
struct mu_team_report {
    uint32_t team;     /* workgroups that took part */
    uint32_t barriers; /* that each of them crossed, reductions included */
    uint64_t host_ns;  /* from the launch until the device had finished */
    uint32_t expected; /* workgroups that were to take part: what the settings expect, or on a CPU its cores; 0 where
                          nobody knows how many fit. Fewer in `team` is no error: some came too late */
};

struct mu_team;

/* Makes a team for kernels that run on this in-order queue. The caller frees *team with mu_team_free. */
int mu_team_new(cl_command_queue queue, const struct mu_team_settings *settings, struct mu_team **team,
                struct mu_team_error *error);

/* Return the text of muster/team.clh, to stand before your own source, and the compiler's options. The options live as
 * long as the team, the text for ever. Instead of the text you may write #include "muster/team.clh", and add -I for
 * it. */
const char *mu_team_source(void);
const char *mu_team_options(const struct mu_team *team);

/* Return how many workgroups a run launches, and their size. A reduction's buffer has two elements for each
 * workgroup. */
uint32_t mu_team_groups(const struct mu_team *team);
uint32_t mu_team_workgroup(const struct mu_team *team);

/* Counts the words (cl_uint) of a work queue's buffer: `rings` is mu_team_groups for MU_TEAM_QUEUE_STEAL, and 1 for the
 * other kinds. */
#define MU_TEAM_QUEUE_WORDS(rings, slots) ((size_t)32 + (size_t)(rings) * (96 + 2 * (size_t)(slots)))

/* Tells whether the device can be trusted: runs a kernel of a hundred barriers and as many reductions, once for each
 * team. It runs in a process of its own (muster-team/trust beside the library), so that a driver that dies of it does
 * not take the caller down. Where that program is not there, or the environment has MUSTER_TEAM_TRUST=here, it runs in
 * this process; with `native` it fails with MU_TEAM_USAGE instead, since a trial may not end.
 * Returns MU_TEAM_OK, or what it found: MU_TEAM_WRONG or MU_TEAM_DEADLOCK for a device that ends kernels early, loses
 * barriers, or shows stale memory. */
int mu_team_trust(struct mu_team *team, struct mu_team_error *error);

/* Launches the kernel, whose first `own_arguments` arguments the caller has set, and waits for its end. The report is
 * filled as far as it is known, also after a deadlock; it may be NULL. */
int mu_team_run(struct mu_team *team, cl_kernel kernel, cl_uint own_arguments, struct mu_team_report *report,
                struct mu_team_error *error);

/* Frees the team; accepts NULL. */
void mu_team_free(struct mu_team *team);

/* Returns the version of the library; MU_TEAM_VERSION is that of this header. What begins with the same number before
 * the first dot has the same interface, which later ones only add to; 0 promises nothing yet. */
#define MU_TEAM_VERSION "0.1.0"
const char *mu_team_version(void);

#ifdef __cplusplus
}
#endif

#endif
