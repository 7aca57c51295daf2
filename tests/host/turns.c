#include "tests/host/turns.h"

#include <stdlib.h>
#include <string.h>

/* ---- The kernel ---- */

/* What the work-items of a launch share. */
struct shared {
    const struct host_turn_case *what;
    struct host_turn_result *result;
    struct host_sets *sets;
    uint *before; /* both sets as they were */
};

static const struct shared *present;

static void mu_join(uint *sync, uint *words, uint expected, uint wait)
{
    present->what->rollcall->run(sync, words, expected, wait);
}

#include "variants/teams/kernel.clh"

/* A workgroup's memory is the machine's. */
#undef MU_LOCAL_MEMORY
#define MU_LOCAL_MEMORY                                                                                                \
    uint *const mu_words = host_item->group->local;                                                                    \
    ulong *const mu_scratch = NULL

static uint mode_of(const struct shared *shared)
{
    const uint lines = (uint)(shared->sets->distance / MU_SYNC_LINE);
    return lines << MU_MODE_LINES_SHIFT | (shared->what->set != 0 ? MU_MODE_SECOND_SET : 0);
}

static void turn_kernel(void *argument)
{
    const struct shared *shared = argument;
    uint *const mu_sync = shared->sets->words;
    const uint mu_mode = mode_of(shared), mu_expected = shared->what->expected, mu_wait_for = shared->what->wait,
               mu_limit = UINT32_MAX;
    MU_TEAM_BEGIN;
    for (uint round = 0; round < shared->what->rounds; round++) shared->what->barrier->cross(T);
    MU_TEAM_END;
}

/* ---- The sets ---- */

#define GARBAGE 0xa5

int host_sets_make(struct host_sets *sets, uint most_groups)
{
    const size_t lines = (MU_SYNC_WORDS(most_groups) + MU_SYNC_LINE - 1) / MU_SYNC_LINE;
    *sets = (struct host_sets){.distance = lines * MU_SYNC_LINE, .most_groups = most_groups};
    sets->words = malloc(2 * sets->distance * sizeof *sets->words);
    if (sets->words == NULL) return -1;
    memset(sets->words, GARBAGE, 2 * sets->distance * sizeof *sets->words);
    return 0;
}

void host_sets_free(struct host_sets *sets)
{
    free(sets->words);
    *sets = (struct host_sets){0};
}

void host_sets_clear(struct host_sets *sets, uint set, uint groups)
{
    memset(sets->words + set * sets->distance, 0, MU_SYNC_WORDS(groups) * sizeof *sets->words);
}

/* ---- A launch and what came of it ---- */

static void begin(void *argument)
{
    const struct shared *shared = argument;
    const struct host_sets *sets = shared->sets;
    memcpy(sets->words, shared->before, 2 * sets->distance * sizeof *sets->words);
    if (shared->what->locked) sets->words[shared->what->set * sets->distance + MU_SYNC_POLL] = 1;
}

static void judge(void *argument)
{
    const struct shared *shared = argument;
    const struct host_turn_case *what = shared->what;
    struct host_turn_result *result = shared->result;
    const uint *sync = shared->sets->words + what->set * shared->sets->distance;
    const uint *other = shared->sets->words + (1 - what->set) * shared->sets->distance;
    *result = (struct host_turn_result){.phase = sync[MU_SYNC_ABORT], .team = sync[MU_REPORT_SIZE]};
    result->is_right = result->team >= 1 && result->team <= what->groups && sync[MU_REPORT_CROSSED] == what->rounds;
    for (uint rank = 0; rank < what->groups; rank++)
        result->is_right &= sync[MU_SYNC_ENDED(what->groups) + rank] ==
                            (rank < result->team ? MU_ENDED(result->team, what->rounds) : 0);
    for (size_t i = 0; i < MU_SYNC_WORDS(what->groups); i++) result->dirty += other[i] != 0;
    if (what->judge != NULL) what->judge(what, result);
}

int host_turn_run(struct host_sets *sets, const struct host_turn_case *what, struct host_turn_result *result)
{
    const size_t bytes = 2 * sets->distance * sizeof *sets->words;
    struct shared shared = {.what = what, .result = result, .sets = sets, .before = malloc(bytes)};
    const struct host_launch launch = {.groups = what->groups,
                                       .workgroup = what->workgroup,
                                       .spin_limit = what->spin_limit,
                                       .local_bytes = MU_LOCAL_WORDS * sizeof(uint),
                                       .kernel = turn_kernel,
                                       .argument = &shared,
                                       .begin = begin,
                                       .end = judge};
    if (shared.before == NULL) return -1;
    memcpy(shared.before, sets->words, bytes);
    present = &shared;
    const int status = host_machine->launch(&launch);
    free(shared.before);
    return status;
}
