#include "tests/host/sync.h"

#include <stdlib.h>
#include <string.h>

/* ---- The sources, each with names of its own for what several define ---- */

#define mu_roll_call atomic_roll_call
#include "variants/rollcalls/atomic.clh"
#undef mu_roll_call

#define mu_lock      ticket_lock
#define mu_unlock    ticket_unlock
#define mu_delay     ticket_delay
#define mu_roll_call ticket_roll_call
#include "variants/rollcalls/mutex_ticket.clh"

#include "variants/rollcalls/mutex_delay.clh"

#include "variants/rollcalls/mutex.clh"
#undef mu_roll_call
#define mu_roll_call lobe_roll_call
#include "variants/rollcalls/lobe.clh"
#undef mu_lock
#undef mu_unlock
#undef mu_delay
#undef mu_roll_call

#define mu_lock      spin_lock
#define mu_unlock    spin_unlock
#define mu_delay     spin_delay
#define mu_roll_call spin_roll_call
#include "variants/rollcalls/mutex_spin.clh"

#include "variants/rollcalls/mutex_delay.clh"

#include "variants/rollcalls/mutex.clh"
#undef mu_lock
#undef mu_unlock
#undef mu_delay
#undef mu_roll_call

#define mu_lock      destruct_lock
#define mu_unlock    destruct_unlock
#define mu_roll_call destruct_roll_call
#include "variants/rollcalls/destruct.clh"
#undef mu_lock
#undef mu_unlock
#undef mu_roll_call

const struct host_rollcall host_rollcalls[] = {
    {"atomic", atomic_roll_call, true}, {"ticket", ticket_roll_call, false},
    {"spin", spin_roll_call, false},    {"ticket-destruct", destruct_roll_call, false},
    {"lobe", lobe_roll_call, false},    {NULL, NULL, false},
};

#include "variants/barriers/one_word.clh"

#define mu_barrier counter_barrier
#include "variants/barriers/counter.clh"
#undef mu_barrier

#define mu_barrier tree_barrier
#include "variants/barriers/tree.clh"
#undef mu_barrier

#define mu_barrier xf_barrier
#include "variants/barriers/xf.clh"
#undef mu_barrier

#define cl_intel_split_work_group_barrier 1 /* as a compiler says that has it */
#include "variants/teams/group_halves.clh"

#include "variants/barriers/halves.clh"

#define mu_barrier split_barrier
#include "variants/barriers/split.clh"
#undef mu_barrier

const struct host_barrier host_barriers[] = {
    {"counter", counter_barrier, NULL, NULL},
    {"tree", tree_barrier, NULL, NULL},
    {"xf", xf_barrier, NULL, NULL},
    {"split", split_barrier, mu_barrier_arrive, mu_barrier_wait},
    {NULL, NULL, NULL, NULL},
};

/* ---- The kernel ---- */

/* A word that one work-item writes and others read without atomic operations. Each has a line of its own, so that the
 * thread sanitizer, which remembers the last few accesses to each eight bytes, forgets none of them. */
struct cell {
    uint round;
    uint padding[15];
};

#define CELLS 3 /* of a work-item */

/* What one work-item has found out. */
struct finding {
    uint rank, size; /* of its group; size 0 if that had to leave */
    uint crossed, wrong;
};

/* What the work-items of a launch share. */
struct shared {
    const struct host_sync_case *what;
    struct host_sync_result *result;
    uint *sync;
    struct cell *cells;       /* three for each work-item of the largest team, by rank: see sync_kernel */
    struct finding *findings; /* one for each work-item of the launch */
};

static void native_roll_call(uint *sync, uint *words, uint expected, uint wait)
{
    words[MU_LOCAL_RANK] = wait + (uint)get_group_id(0);
    words[MU_LOCAL_SIZE] = expected;
}

const struct host_rollcall host_native = {"native", native_roll_call, true};

/* As in variants/teams/persistent.clh. False for a group that must leave. */
static bool join(const struct shared *shared, struct mu_team *T)
{
    const struct host_sync_case *what = shared->what;
    uint *words = host_item->group->local;
    if (get_local_id(0) == 0) {
        words[MU_LOCAL_CROSSED] = 0;
        words[MU_LOCAL_VERDICT] = 1;
        words[MU_LOCAL_LIMIT] = UINT32_MAX;
        what->rollcall->run(shared->sync, words, what->expected, what->wait);
    }
    GROUP_BARRIER();
    const uint rank = words[MU_LOCAL_RANK], size = words[MU_LOCAL_SIZE];
    *T = (struct mu_team){.rank = rank,
                          .size = size,
                          .first = rank * MU_WORKGROUP + (uint)get_local_id(0),
                          .stride = size * MU_WORKGROUP,
                          .sync = shared->sync,
                          .words = words};
    return T->rank != MU_NO_RANK;
}

/* Counts the words that are not of the round, where a barrier has been crossed. */
static uint count_wrong(struct mu_team T, const struct cell *cells, uint round)
{
    uint wrong = 0;
    for (uint item = 0; MU_CROSSED(T) && item < T.stride; item++) wrong += cells[item].round != round;
    return wrong;
}

/* The first cell of a work-item is for what is written before a barrier and read behind it. Of the other two, which
 * take turns, one is for what is written between the halves of that barrier, where there are halves, and read behind
 * the next one. */
static void sync_kernel(void *argument)
{
    const struct shared *shared = argument;
    const struct host_barrier *barrier = shared->what->barrier;
    struct finding finding = {0, 0, 0, 0};
    struct mu_team T;
    if (!join(shared, &T)) return;
    finding.rank = T.rank;
    finding.size = T.size;
    for (uint round = 1; round <= shared->what->rounds; round++) {
        struct cell *between = shared->cells + (1 + round % 2) * T.stride;
        shared->cells[T.first].round = round;
        if (barrier->arrive != NULL) {
            barrier->arrive(T);
            if (MU_CROSSED(T)) between[T.first].round = round; /* as steps ask */
            barrier->wait(T);
        } else
            barrier->cross(T);
        finding.crossed += MU_CROSSED(T);
        finding.wrong += count_wrong(T, shared->cells, round);
        if (shared->what->once) break;
        barrier->cross(T);
        finding.crossed += MU_CROSSED(T);
        if (barrier->arrive != NULL) finding.wrong += count_wrong(T, between, round);
    }
    shared->findings[get_global_id(0)] = finding;
}

/* ---- A launch and what came of it ---- */

static size_t largest_team(const struct host_sync_case *what)
{
    return what->groups > what->expected ? what->groups : what->expected;
}

static void begin(void *argument)
{
    const struct shared *shared = argument;
    const struct host_sync_case *what = shared->what;
    const size_t team = largest_team(what);
    memset(shared->sync, 0, MU_SYNC_WORDS(team) * sizeof *shared->sync);
    memset(shared->cells, 0, CELLS * team * what->workgroup * sizeof *shared->cells);
    memset(shared->findings, 0, (size_t)what->groups * what->workgroup * sizeof *shared->findings);
    if (what->prepare != NULL) what->prepare(shared->sync);
}

static void judge(void *argument)
{
    const struct shared *shared = argument;
    const struct host_sync_case *what = shared->what;
    struct host_sync_result *result = shared->result;
    bool seen[HOST_SYNC_MAX_GROUPS] = {false}, sizes_agree = true;
    *result = (struct host_sync_result){.ranks_differ = true, .crossed = 2 * what->rounds};
    for (uint i = 0; i < what->groups * what->workgroup; i++) {
        const struct finding *finding = &shared->findings[i];
        if (finding->size == 0) continue;
        if (result->size == 0) result->size = finding->size;
        sizes_agree &= finding->size == result->size;
        if (finding->crossed < result->crossed) result->crossed = finding->crossed;
        result->wrong += finding->wrong;
        if (i % what->workgroup != 0) continue;
        result->members++;
        result->ranks_differ &=
            finding->rank < finding->size && finding->rank < HOST_SYNC_MAX_GROUPS && !seen[finding->rank];
        seen[finding->rank % HOST_SYNC_MAX_GROUPS] = true;
    }
    if (!sizes_agree) result->size = 0;
    if (result->members == 0) result->crossed = 0;
    result->phase = shared->sync[MU_SYNC_ABORT];
    result->rank = shared->sync[MU_REPORT_RANK];
    result->barrier = shared->sync[MU_REPORT_BARRIER];
    result->arrived = shared->sync[MU_REPORT_ARRIVED];
    result->team = shared->sync[MU_REPORT_TEAM];
    if (what->judge != NULL) what->judge(what, result);
}

int host_sync_run(const struct host_sync_case *what, struct host_sync_result *result)
{
    const size_t team = largest_team(what);
    struct shared shared = {
        .what = what,
        .result = result,
        .sync = calloc(MU_SYNC_WORDS(team), sizeof(uint)),
        .cells = calloc(CELLS * team * what->workgroup, sizeof(struct cell)),
        .findings = calloc((size_t)what->groups * what->workgroup, sizeof(struct finding)),
    };
    const struct host_launch launch = {.groups = what->groups,
                                       .workgroup = what->workgroup,
                                       .spin_limit = what->spin_limit,
                                       .local_bytes = MU_LOCAL_WORDS * sizeof(uint),
                                       .kernel = sync_kernel,
                                       .argument = &shared,
                                       .begin = begin,
                                       .end = judge};
    int status = -1;
    if (shared.sync != NULL && shared.cells != NULL && shared.findings != NULL)
        status = what->together ? host_launch_together(&launch, shared.sync) : host_machine->launch(&launch);
    free(shared.sync);
    free(shared.cells);
    free(shared.findings);
    return status;
}
