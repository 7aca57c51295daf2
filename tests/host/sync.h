/* Every roll call and every barrier of variants/, compiled for the host, and a kernel that joins a team by the one and
 * crosses the other. */
#ifndef MU_TESTS_HOST_SYNC_H
#define MU_TESTS_HOST_SYNC_H

#include "tests/host/kernel.h"

struct host_rollcall {
    const char *name; /* of --rollcall */
    void (*run)(uint *sync, uint *words, uint expected, uint wait);
    bool waits_for_all; /* with enough patience its team is always the whole launch */
};

/* The table ends in a row without a name. */
extern const struct host_rollcall host_rollcalls[];

/* No roll call, as in variant specialised: every group of the launch is in the team, and its rank is its native id plus
 * `wait`. The size is `expected`, which may be more than were launched: then members are missing. */
extern const struct host_rollcall host_native;

struct host_barrier {
    const char *name; /* of --barrier */
    void (*cross)(struct mu_team T);
    void (*arrive)(struct mu_team T), (*wait)(struct mu_team T); /* its halves, or NULL */
};
extern const struct host_barrier host_barriers[];

struct host_sync_case;
struct host_sync_result;

/* What is run: groups × workgroup work-items join a team, and go through rounds. In each, every work-item writes a word
 * of its own without any atomic operation, crosses the barrier, reads those of all work-items, and crosses the
 * barrier again before it writes anew. Where the barrier has halves, the first is crossed by these, and between them a
 * work-item writes another word, which all read behind the second barrier. */
struct host_sync_case {
    const struct host_rollcall *rollcall;
    const struct host_barrier *barrier;
    uint groups, workgroup;
    uint expected, wait; /* what the roll call takes them for */
    uint rounds, spin_limit;
    bool once;     /* the second barrier of a round is left out, for a single round */
    bool together; /* no group closes the poll before all have polled: the team is the whole launch, where it would be a
                      matter of luck under a mutex */
    void (*prepare)(uint *sync); /* changes the zeroed synchronisation words before the launch; may be NULL */
    /* Sees the result of each run, of which the exploring machine does many. May be NULL. */
    void (*judge)(const struct host_sync_case *what, const struct host_sync_result *result);
};

/* What came of it. */
struct host_sync_result {
    uint members;      /* groups that found themselves in the team … */
    uint size;         /* … and of what size; 0 if they do not agree, or if there are none */
    bool ranks_differ; /* no rank was there twice, and each was below the size */
    uint crossed;      /* the fewest barriers that a work-item of the team crossed */
    uint wrong;        /* words that were not of the round, counted over all work-items */
    /* The report of a wait that was given up, as sync_layout.clh has it; the phase is MU_PHASE_NONE if none was. */
    uint phase, rank, barrier, arrived, team;
};

/* host_machine->launch, on a machine where all groups poll before one of them closes the poll; `sync` is what they poll
 * in. */
int host_launch_together(const struct host_launch *launch, const uint *sync);

#define HOST_SYNC_MAX_GROUPS 64

/* Groups and expected are at most HOST_SYNC_MAX_GROUPS. 0, or -1 without threads or memory. */
int host_sync_run(const struct host_sync_case *what, struct host_sync_result *result);

#endif
