#include "tests/host/idioms.h"

#include <stdlib.h>
#include <string.h>

#include "tests/host/kernel.h"

/* ---- The sources ---- */

#undef MU_KERNEL
#define MU_KERNEL          static
#define MU_TEAM_PARAMETERS const struct mu_team *mu_given
#define MU_TEAM_BEGIN      const struct mu_team T = *mu_given
#define MU_TEAM_END        (void)T

#undef APP_SCRATCH_WORDS
#include "harness/litmus/idioms.clh"

#include "harness/device/trust/forward_progress_waits.clh"

#include "harness/litmus/idioms.cl"

#define mu_join idiom_join
#include "harness/litmus/idioms_join.clh"
#undef mu_join

#include "variants/teams/subteam.clh"

#include "variants/barriers/one_word.clh"

#include "variants/barriers/counter.clh"

/* ---- Kernels ---- */

/* What the work-items of a launch share. */
struct shared {
    const struct host_idiom_case *what;
    struct host_idiom_result *result;
    uint *sync, *state, *out;
};

/* Where scratch begins in local memory, behind the words of every kernel. */
#define SCRATCH 8

static struct mu_team join(const struct shared *shared)
{
    uint *words = host_item->group->local;
    if (get_local_id(0) == 0) {
        words[MU_LOCAL_CROSSED] = 0;
        words[MU_LOCAL_VERDICT] = 1;
        words[MU_LOCAL_LIMIT] = UINT32_MAX;
        idiom_join(shared->sync, words, shared->what->ids, 0);
    }
    GROUP_BARRIER();
    const uint rank = words[MU_LOCAL_RANK], size = words[MU_LOCAL_SIZE];
    return (struct mu_team){.rank = rank,
                            .size = size,
                            .first = rank * MU_WORKGROUP + (uint)get_local_id(0),
                            .stride = size * MU_WORKGROUP,
                            .sync = shared->sync,
                            .words = words,
                            .scratch = (ulong *)(words + SCRATCH)};
}

#define IDIOM_KERNEL(idiom)                                                                                            \
    static void idiom##_kernel(void *argument)                                                                         \
    {                                                                                                                  \
        const struct shared *shared = argument;                                                                        \
        const struct host_idiom_case *what = shared->what;                                                             \
        const struct mu_team T = join(shared);                                                                         \
        idiom_##idiom(what->in, what->first, shared->state, shared->out, what->step, what->parts, &T);                 \
    }

IDIOM_KERNEL(scan)
IDIOM_KERNEL(spmv)
IDIOM_KERNEL(triangular)
IDIOM_KERNEL(last)
IDIOM_KERNEL(both)
IDIOM_KERNEL(neighbours)

#define WITHIN(idiom)                                                                                                  \
    static void idiom##_kernel(void *argument)                                                                         \
    {                                                                                                                  \
        const struct shared *shared = argument;                                                                        \
        const struct mu_team T = join(shared);                                                                         \
        idiom_##idiom(shared->out, shared->what->step, shared->what->parts, &T);                                       \
    }

WITHIN(within_mutex)
WITHIN(within_one_way)
WITHIN(within_two_way)

/* ---- Subteams ---- */

#define MEETINGS 2 /* of each of two subteams */

/* What a group knows of its subteam, in local memory. */
struct subteam {
    uint *words, *mine, *told;
};

/* What a member tells at a meeting: at the first of all more than there is room for. */
static uint tells(uint rank, uint number)
{
    return number == 1 ? MU_SUBTEAM_VALUE + 1 + rank : 3 * number + rank;
}

/* Behind a meeting each member knows what all have told, and sees what their work-items wrote before it. Who is no
 * member hears of nobody but itself. */
static uint count_wrong(struct mu_team T, struct subteam subteam, const uint *cells, uint number)
{
    const uint size = subteam.words[0], heard = T.rank < size ? size : 0;
    uint wrong = 0;
    for (uint item = 0; item < heard * MU_WORKGROUP; item++) wrong += cells[item] != number;
    for (uint rank = 0; rank < MU_SUBTEAM_MOST; rank++) {
        const bool told = rank < heard || rank == T.rank;
        wrong += subteam.told[rank] != (told ? min(tells(rank, number), MU_SUBTEAM_VALUE) : 0);
    }
    return wrong;
}

/* As bfs_subteam_expand: what stands between meetings. */
static uint meet(struct mu_team T, struct subteam subteam, uint *cells, uint number)
{
    const uint lid = (uint)get_local_id(0);
    uint *turn = cells + number % 2 * T.stride;
    if (T.rank < subteam.words[0]) turn[T.first] = number;
    if (lid == 0) *subteam.mine = tells(T.rank, number);
    GROUP_BARRIER();
    mu_subteam_meet(T, subteam.words, subteam.mine, subteam.told, lid);
    GROUP_BARRIER();
    const uint wrong = MU_SUBTEAM_MET(T) ? count_wrong(T, subteam, turn, number) : 0;
    if (lid == 0) mu_subteam_leave(subteam.words);
    return wrong;
}

/* Two subteams, one after the other, with the team's barrier between them. */
static void subteam_kernel(void *argument)
{
    const struct shared *shared = argument;
    const struct mu_team T = join(shared);
    uint *scratch = (uint *)T.scratch;
    const struct subteam subteam = {scratch, scratch + 2, scratch + 3};
    uint wrong = 0, number = 1;
    for (uint turn = 0; turn < 2; turn++) {
        if (get_local_id(0) == 0) mu_subteam_open(T, subteam.words, shared->what->step);
        GROUP_BARRIER();
        for (uint i = 0; i < MEETINGS; i++) wrong += meet(T, subteam, shared->state, number++);
        GROUP_BARRIER();
        /* A subteam of one has not met. */
        wrong += T.rank < subteam.words[0] && subteam.words[1] != (subteam.words[0] > 1 ? number - 1 : 0);
        if (T.first == 0) mu_subteam_close(T, subteam.words);
        mu_barrier(T);
    }
    shared->out[T.first] += wrong;
}

const struct host_idiom host_idioms[] = {
    {"scan", scan_kernel},
    {"spmv", spmv_kernel},
    {"triangular", triangular_kernel},
    {"last-group", last_kernel},
    {"mutex-and-one-way", both_kernel},
    {"neighbours", neighbours_kernel},
    {"within-mutex", within_mutex_kernel},
    {"within-one-way", within_one_way_kernel},
    {"within-two-way", within_two_way_kernel},
    {"subteam", subteam_kernel},
    {NULL, NULL},
};

const struct host_idiom *host_idiom_find(const char *name)
{
    for (const struct host_idiom *idiom = host_idioms; idiom->name != NULL; idiom++)
        if (strcmp(idiom->name, name) == 0) return idiom;
    return NULL;
}

/* ---- A launch and what came of it ---- */

static void begin(void *argument)
{
    const struct shared *shared = argument;
    const struct host_idiom_case *what = shared->what;
    memset(shared->sync, 0, MU_SYNC_WORDS(what->groups) * sizeof *shared->sync);
    if (!what->begin_anew) return;
    memcpy(shared->state, what->state, what->state_count * sizeof *shared->state);
    memcpy(shared->out, what->out, what->out_count * sizeof *shared->out);
}

static void judge(void *argument)
{
    const struct shared *shared = argument;
    const struct host_idiom_case *what = shared->what;
    *shared->result = (struct host_idiom_result){.phase = shared->sync[MU_SYNC_ABORT]};
    for (uint i = 0; what->expected != NULL && i < what->out_count; i++)
        shared->result->wrong += shared->out[i] != what->expected[i];
    if (what->judge != NULL) what->judge(what, shared->result);
}

int host_idiom_run(const struct host_idiom_case *what, struct host_idiom_result *result)
{
    const size_t state_bytes = (what->state_count + 1) * sizeof(uint), out_bytes = (what->out_count + 1) * sizeof(uint);
    const bool anew = what->begin_anew;
    struct shared shared = {.what = what,
                            .result = result,
                            .sync = calloc(MU_SYNC_WORDS(what->groups), sizeof(uint)),
                            .state = anew ? malloc(state_bytes) : what->state,
                            .out = anew ? malloc(out_bytes) : what->out};
    const struct host_launch launch = {.groups = what->groups,
                                       .workgroup = what->workgroup,
                                       .spin_limit = what->spin_limit,
                                       .local_bytes = (SCRATCH + MU_SUBTEAM_MOST + 8 + what->workgroup) * sizeof(uint),
                                       .kernel = what->idiom->kernel,
                                       .argument = &shared,
                                       .begin = begin,
                                       .end = judge};
    int status = -1;
    if (shared.sync != NULL && shared.state != NULL && shared.out != NULL) status = host_machine->launch(&launch);
    free(shared.sync);
    if (anew) {
        free(shared.state);
        free(shared.out);
    }
    return status;
}
