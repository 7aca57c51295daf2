/* variants/teams/sums.clh and variants/teams/worklist.clh on the host's threads, several workgroups at once: sums over
 * a group in both of their forms, edges shared out so that each has one owner, and pushes that arrive once each. Built
 * with the thread sanitizer where the compiler has it: a group barrier that is missing is then a race, and the program
 * fails. */
#include "tests/host/kernel.h"
#include "tests/tap.h"

#include <stdlib.h>
#include <string.h>

#include "variants/teams/sums.clh"

#include "variants/teams/worklist.clh"

#define MU_CHUNKS
#define mu_add_up    chunked_add_up
#define mu_sum_up_to chunked_sum_up_to
#define mu_sums      chunked_sums
#include "variants/teams/sums.clh"
#undef mu_add_up
#undef mu_sum_up_to
#undef mu_sums

#define GROUPS     3
#define MAX_ITEMS  (GROUPS * 8)
#define PUSHES     7 /* by each work-item, one by one and as many at a time: more than the group's queue holds */
#define MAX_DEGREE 5
#define ROUNDS     3

struct shared {
    uint wrong[MAX_ITEMS];                       /* by work-item */
    uint owners[MAX_ITEMS * MAX_DEGREE];         /* of each edge */
    uint count, entries[2 * PUSHES * MAX_ITEMS]; /* the global list */
};

static uint degree_of(uint item)
{
    return item * 7 % (MAX_DEGREE + 1);
}

static struct mu_team team_here(void)
{
    struct mu_team T = {.rank = (uint)get_group_id(0), .size = GROUPS};
    T.first = (uint)get_global_id(0);
    T.stride = GROUPS * MU_WORKGROUP;
    T.scratch = host_item->group->local;
    return T;
}

static uint check_sums(struct mu_team T)
{
    ulong up_to = 0, all = 0, squares = 0;
    for (uint lid = 0; lid < MU_WORKGROUP; lid++) {
        const ulong value = lid + T.rank;
        if (lid <= get_local_id(0)) up_to += value;
        all += value;
        squares += value * value;
    }
    const ulong mine = get_local_id(0) + T.rank;
    const ulong2 pair = {mine, mine * mine};
    ulong2 sums = mu_sums(T, pair);
    uint wrong = sums.x != all || sums.y != squares;
    sums = chunked_sums(T, pair);
    wrong += sums.x != all || sums.y != squares;
    wrong += mu_sum_up_to(T, mine) != up_to;
    return wrong + (chunked_sum_up_to(T, mine) != up_to);
}

/* Edges MAX_DEGREE * item and on are the item's. */
static void share_edges(struct mu_team T, struct mu_worklist list, struct shared *shared)
{
    const uint item = T.first;
    const offset edges = mu_share(list, item * MAX_DEGREE, degree_of(item));
    for (offset i = (offset)get_local_id(0); i < edges; i += MU_WORKGROUP) shared->owners[mu_shared_edge(list, i)]++;
}

/* Entries 2 * PUSHES * item and on are the item's. */
static void push(struct mu_team T, struct mu_worklist list, struct shared *shared)
{
    const uint first = 2 * PUSHES * T.first;
    for (uint i = 0; i < PUSHES; i++) mu_push(list, shared->entries, &shared->count, first + i);
    const struct mu_places places = mu_reserve(list, &shared->count, PUSHES);
    for (uint i = 0; i < PUSHES; i++) mu_place(list, shared->entries, places, i, first + PUSHES + i);
    mu_flush(list, shared->entries, &shared->count);
    mu_flush(list, shared->entries, &shared->count); /* which finds the queue empty */
}

static void worklist_kernel(void *argument)
{
    struct shared *shared = argument;
    const struct mu_team T = team_here();
    shared->wrong[T.first] = check_sums(T);
    GROUP_BARRIER();
    const struct mu_worklist list = mu_worklist_open(T);
    GROUP_BARRIER();
    share_edges(T, list, shared);
    push(T, list, shared);
}

/* How many edges have not exactly one owner, and how many entries are not there exactly once. */
static uint judge(const struct shared *shared, uint items)
{
    uint seen[2 * PUSHES * MAX_ITEMS] = {0}, wrong = shared->count != 2 * PUSHES * items;
    for (uint item = 0; item < items; item++) {
        wrong += shared->wrong[item];
        for (uint i = 0; i < MAX_DEGREE; i++) wrong += shared->owners[item * MAX_DEGREE + i] != (i < degree_of(item));
    }
    for (uint i = 0; wrong == 0 && i < shared->count; i++) wrong += seen[shared->entries[i]]++ != 0;
    return wrong;
}

static void test_workgroup(uint workgroup)
{
    static struct shared shared;
    const struct host_launch launch = {.groups = GROUPS,
                                       .workgroup = workgroup,
                                       .local_bytes = 16 * workgroup * sizeof(ulong) + 64,
                                       .kernel = worklist_kernel,
                                       .argument = &shared};
    uint wrong = 0;
    for (uint round = 0; round < ROUNDS; round++) {
        memset(&shared, 0, sizeof shared);
        wrong += host_machine->launch(&launch) != 0 || judge(&shared, GROUPS * workgroup) != 0;
    }
    CHECK(wrong == 0, "%u groups of %u: %u of %u launches wrong", GROUPS, workgroup, wrong, ROUNDS);
}

int main(void)
{
    for (uint workgroup = 1; workgroup * GROUPS <= MAX_ITEMS; workgroup *= 2) test_workgroup(workgroup);
    return tap_done();
}
