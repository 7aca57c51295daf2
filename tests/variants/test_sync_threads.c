/* Every roll call with every barrier on the host's threads: the team's members agree on its size, no rank is there
 * twice, what was written before a barrier is read behind it, and a member that is missing is reported. */
#include "tests/host/sync.h"
#include "tests/tap.h"
#include "variants/variant.h"

#include <string.h>
#include <unistd.h>

#define PATIENT 0xffffffffu /* beyond any wait that a test could have */
#define ROUNDS  4
#ifndef SPIN_LIMIT
#define SPIN_LIMIT (1u << 24) /* a quarter of a minute or more; tests/mutants/mutants.sh has less patience */
#endif

static const uint team_sizes[] = {1, 2, 3, 4, 9}; /* 9: as many as roll call atomic publishes copies for, and one */
static const uint workgroups[] = {1, 2, 4};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* What must hold of every run that ends by itself. */
static bool is_right(const struct host_sync_case *what, const struct host_sync_result *result)
{
    return result->phase == MU_PHASE_NONE && result->members >= 1 && result->members == result->size &&
           result->size <= what->groups && result->ranks_differ && result->crossed == 2 * what->rounds &&
           result->wrong == 0;
}

static bool is_whole(const struct host_sync_case what)
{
    struct host_sync_result result = {0};
    if (host_sync_run(&what, &result) == 0 && is_right(&what, &result) && result.size == what.groups) return true;
    printf("# %u groups of %u: team of %u, %u members, ranks %s, %u of %u barriers, %u wrong words, phase %u\n",
           what.groups, what.workgroup, result.size, result.members, result.ranks_differ ? "differ" : "do not differ",
           result.crossed, 2 * what.rounds, result.wrong, result.phase);
    return false;
}

static void test_pair(const struct host_rollcall *rollcall, const struct host_barrier *barrier)
{
    uint wrong = 0, cases = 0;
    for (size_t t = 0; t < COUNT(team_sizes); t++)
        for (size_t w = 0; w < COUNT(workgroups); w++, cases++)
            wrong += !is_whole((struct host_sync_case){.rollcall = rollcall,
                                                       .barrier = barrier,
                                                       .groups = team_sizes[t],
                                                       .workgroup = workgroups[w],
                                                       .expected = team_sizes[t],
                                                       .wait = rollcall->waits_for_all ? PATIENT : 3,
                                                       .rounds = ROUNDS,
                                                       .spin_limit = SPIN_LIMIT,
                                                       .together = true});
    CHECK(wrong == 0, "%s, %s: %u of %u shapes wrong", rollcall->name, barrier->name, wrong, cases);
}

/* Teams of whatever size chance gives them, most of them smaller than the launch. */
static void test_chance(const struct host_rollcall *rollcall)
{
    struct host_sync_case what = {.rollcall = rollcall,
                                  .barrier = &host_barriers[0],
                                  .groups = 8,
                                  .workgroup = 2,
                                  .expected = 8,
                                  .rounds = ROUNDS,
                                  .spin_limit = SPIN_LIMIT};
    struct host_sync_result result = {0};
    uint wrong = 0, smallest = what.groups;
    for (what.wait = 0; what.wait < 32; what.wait++) {
        wrong += host_sync_run(&what, &result) != 0 || !is_right(&what, &result);
        if (result.size < smallest) smallest = result.size;
    }
    CHECK(wrong == 0, "%s, without patience: %u of 32 runs wrong (the smallest team has %u of 8)", rollcall->name,
          wrong, smallest);
}

/* More launched than are expected. */
static void test_expected(void)
{
    const struct host_sync_case what = {.rollcall = &host_rollcalls[0],
                                        .barrier = &host_barriers[0],
                                        .groups = 8,
                                        .workgroup = 2,
                                        .expected = 3,
                                        .wait = PATIENT,
                                        .rounds = ROUNDS,
                                        .spin_limit = SPIN_LIMIT};
    struct host_sync_result result = {0};
    CHECK(host_sync_run(&what, &result) == 0 && is_right(&what, &result) && result.size == 3,
          "%s: of 8 groups, the 3 that are expected", what.rollcall->name);
}

/* The groups with the lowest ids poll last. */
static uint late_access(const struct host_access *access)
{
    if (access->operation == HOST_ADD && get_group_id(0) < 3) usleep(2000);
    return host_threads.access(access);
}

/* Others than those of the lowest ids are the expected ones: nobody's rank is its native id. */
static void test_outsiders(void)
{
    static struct host_machine machine;
    const struct host_sync_case what = {.rollcall = &host_rollcalls[0],
                                        .barrier = &host_barriers[0],
                                        .groups = 8,
                                        .workgroup = 1,
                                        .expected = 3,
                                        .wait = PATIENT,
                                        .rounds = ROUNDS,
                                        .spin_limit = SPIN_LIMIT};
    uint right = 0;
    machine = host_threads;
    machine.access = late_access;
    host_machine = &machine;
    for (uint i = 0; i < 10; i++) {
        struct host_sync_result result = {0};
        right += host_sync_run(&what, &result) == 0 && is_right(&what, &result) && result.size == 3;
    }
    host_machine = &host_threads;
    CHECK(right == 10, "%s: the 3 that are expected have high ids: %u of 10 runs right", what.rollcall->name, right);
}

/* A launch that cannot come to an end by itself, with ever longer spins until one is given up so late that `arrived`
 * groups have come: on a busy machine some begin late. False if that never happens. */
static bool run_stuck(struct host_sync_case *what, uint arrived, struct host_sync_result *result)
{
    for (what->spin_limit = 1u << 10; what->spin_limit <= 1u << 22; what->spin_limit *= 4) {
        if (host_sync_run(what, result) != 0 || result->phase == MU_PHASE_NONE || result->crossed != 0) return false;
        if (result->arrived == arrived) return true;
    }
    return false;
}

/* A team that lacks its last rank, or its first one. The report of `tree` and `xf` counts rank 0 as present, since it
 * has no word of its own. */
static void test_missing_rank(const struct host_barrier *barrier, uint launched, uint workgroup, bool first)
{
    struct host_sync_case what = {.rollcall = &host_native,
                                  .barrier = barrier,
                                  .groups = launched,
                                  .workgroup = workgroup,
                                  .expected = launched + 1,
                                  .wait = first ? 1 : 0,
                                  .rounds = ROUNDS};
    struct host_sync_result result = {0};
    const bool counts_rank_0 = first && strcmp(barrier->name, "counter") != 0 && strcmp(barrier->name, "split") != 0;
    const bool stuck = run_stuck(&what, launched + counts_rank_0, &result);
    CHECK(stuck && result.phase == MU_PHASE_BARRIER && result.barrier == 1 && result.team == launched + 1 &&
              result.rank >= what.wait && result.rank < what.wait + launched,
          "%s without rank %u: rank %u waits at barrier %u, where %u of %u have arrived", barrier->name,
          first ? 0 : launched, result.rank, result.barrier, result.arrived, result.team);
}

/* The first ticket is taken, or the spin lock. */
static void hold_lock(uint *sync)
{
    sync[MU_SYNC_POLL] = 1;
}

/* A member that never comes (atomic), or a lock that is never given back. */
static void test_stuck_roll_call(const struct host_rollcall *rollcall)
{
    const bool atomic = rollcall->waits_for_all;
    struct host_sync_case what = {.rollcall = rollcall,
                                  .barrier = &host_barriers[0],
                                  .groups = 3,
                                  .workgroup = 1,
                                  .expected = 4,
                                  .wait = atomic ? PATIENT : 0,
                                  .rounds = 1,
                                  .prepare = atomic ? NULL : hold_lock};
    struct host_sync_result result = {0};
    const bool stuck = run_stuck(&what, atomic ? 3 : 0, &result);
    CHECK(stuck && result.members == 0 && result.phase == (atomic ? MU_PHASE_CLOSE : MU_PHASE_LOCK),
          "%s: group or rank %u waits in the roll call, where %u have been served", rollcall->name, result.rank,
          result.arrived);
}

/* Somebody takes a ticket after the first that the group draws, and never serves it. */
static uint lost_ticket_access(const struct host_access *access)
{
    const uint drawn = host_threads.access(access);
    if (access->operation == HOST_ADD && drawn == 0) host_threads.access(access);
    return drawn;
}

/* Whoever polls, and then gives up the wait for the lock that closes the poll, is in no team. */
static void test_stuck_close(const struct host_rollcall *rollcall)
{
    static struct host_machine machine;
    const struct host_sync_case what = {.rollcall = rollcall,
                                        .barrier = &host_barriers[0],
                                        .groups = 1,
                                        .workgroup = 1,
                                        .expected = 1,
                                        .rounds = 1,
                                        .spin_limit = 1u << 10};
    struct host_sync_result result = {0};
    machine = host_threads;
    machine.access = lost_ticket_access;
    host_machine = &machine;
    const bool ran = host_sync_run(&what, &result) == 0;
    host_machine = &host_threads;
    CHECK(ran && result.members == 0 && result.phase == MU_PHASE_LOCK,
          "%s: a group that cannot close the poll is in no team (%u members, phase %u)", rollcall->name, result.members,
          result.phase);
}

/* ---- Waits on a machine where a yield lasts long ---- */

static uint pauses;
static ulong now, tick; /* the time, and what a look at the clock adds to it */

static void count_pause(void)
{
    __atomic_fetch_add(&pauses, 1u, __ATOMIC_RELAXED);
    host_threads.pause();
}

static ulong late_ticks(void)
{
    return __atomic_add_fetch(&now, tick, __ATOMIC_RELAXED);
}

/* One group on a machine whose clock goes on by `step` at each look; false where it cannot run. */
static bool run_alone(const struct host_sync_case *what, ulong step, struct host_sync_result *result)
{
    static struct host_machine machine;
    machine = host_threads;
    machine.pause = count_pause;
    machine.ticks = late_ticks;
    host_machine = &machine;
    pauses = 0;
    tick = step;
    const bool ran = host_sync_run(what, result) == 0;
    host_machine = &host_threads;
    return ran;
}

/* A rank that waits for another in vain, with a bound in polls: how many it makes, or 0 where that is no deadlock. */
static uint polls_in_vain(uint bound, ulong step)
{
    const struct host_sync_case what = {.rollcall = &host_native,
                                        .barrier = &host_barriers[0],
                                        .groups = 1,
                                        .workgroup = 1,
                                        .expected = 2,
                                        .rounds = 1,
                                        .spin_limit = bound};
    struct host_sync_result result = {0};
    return run_alone(&what, step, &result) && result.phase == MU_PHASE_BARRIER ? pauses : 0;
}

/* A rank 0 that waits for another with patience: how many polls it makes until it is a team of one, or 0 where it is
 * none. */
static uint polls_with_patience(uint patience, ulong step)
{
    const struct host_sync_case what = {.rollcall = &host_rollcalls[0],
                                        .barrier = &host_barriers[0],
                                        .groups = 1,
                                        .workgroup = 1,
                                        .expected = 2,
                                        .wait = patience,
                                        .rounds = 1,
                                        .spin_limit = 1u << 31};
    struct host_sync_result result = {0};
    return run_alone(&what, step, &result) && result.phase == MU_PHASE_NONE && result.size == 1 ? pauses : 0;
}

/* Looks are 1024 polls apart, the first takes the time, and each later one spends a poll for 8 ticks since. */
static void test_time(void)
{
    const uint bound = 1u << 16;
    CHECK(polls_in_vain(bound, 0) == bound, "where no time passes, a wait is one of as many polls as its bound");
    CHECK(polls_in_vain(bound, 8 * 1023) == bound, "time in which the polls were made is not spent twice");
    CHECK(polls_in_vain(bound, 8 * 1024) == bound / 2 + 1024u, "as much time again halves the polls");
    CHECK(polls_in_vain(bound, 8ul << 14) == 6 * 1024u, "a quarter of the bound at each look");
    CHECK(polls_in_vain(bound, (ulong)8 << 40) == 3 * 1024u,
          "an hour at each look: the wait still makes its last polls");
}

/* The same of patience, of which a look spends a read for 64 ticks, and 1/64 of the whole at the most. */
static void test_patience(void)
{
    const uint patience = 1u << 16, most = 1u << 26, turn = patience / 64;
    CHECK(polls_with_patience(patience, 0) == patience, "where no time passes, patience is so many reads");
    CHECK(polls_with_patience(patience, 64ul * turn) == patience / 2 + 1, "as much time again halves the reads");
    CHECK(polls_with_patience(patience, (ulong)64 << 40) == patience / 2 + 1, "an hour at each look does no more");
    const uint closed = polls_with_patience(most, (ulong)64 << 40), given_up = polls_in_vain(1u << 31, (ulong)64 << 40);
    CHECK(closed != 0 && 4 * closed < given_up,
          "a roll call is closed after %u polls, where those that wait for it give up after %u", closed, given_up);
}

/* Whoever adds a roll call or a barrier adds it here too. */
static void test_tables(void)
{
    uint missing = 0;
    for (const struct mu_choice *choice = mu_rollcalls; choice->name != NULL; choice++) {
        const struct host_rollcall *found = host_rollcalls;
        while (found->name != NULL && strcmp(found->name, choice->name) != 0) found++;
        missing += found->name == NULL;
    }
    for (const struct mu_choice *choice = mu_barriers; choice->name != NULL; choice++) {
        const struct host_barrier *found = host_barriers;
        while (found->name != NULL && strcmp(found->name, choice->name) != 0) found++;
        /* A rule, which picks another; and the runtime's own, whose code is not here. */
        const bool elsewhere = choice == &mu_barriers[MU_BARRIER_AUTO] || choice == &mu_barriers[MU_BARRIER_NATIVE];
        missing += found->name == NULL && !elsewhere;
    }
    CHECK(missing == 0, "%u roll calls and barriers of the program are not compiled for the host", missing);
}

int main(void)
{
    test_tables();
    for (const struct host_rollcall *rollcall = host_rollcalls; rollcall->name != NULL; rollcall++)
        for (const struct host_barrier *barrier = host_barriers; barrier->name != NULL; barrier++)
            test_pair(rollcall, barrier);
    for (const struct host_rollcall *rollcall = host_rollcalls; rollcall->name != NULL; rollcall++)
        test_chance(rollcall);
    test_expected();
    test_outsiders();
    for (const struct host_barrier *barrier = host_barriers; barrier->name != NULL; barrier++) {
        test_missing_rank(barrier, 1, 1, false);
        test_missing_rank(barrier, 3, 4, false);
        test_missing_rank(barrier, 3, 2, true);
        if (barrier->arrive == NULL) continue;
        const struct host_barrier whole = {barrier->name, barrier->cross, NULL, NULL};
        test_missing_rank(&whole, 3, 4, false);
    }
    for (const struct host_rollcall *rollcall = host_rollcalls; rollcall->name != NULL; rollcall++)
        test_stuck_roll_call(rollcall);
    for (const struct host_rollcall *rollcall = host_rollcalls; rollcall->name != NULL; rollcall++)
        if (strcmp(rollcall->name, "ticket-destruct") == 0) test_stuck_close(rollcall);
    test_time();
    test_patience();
    return tap_done();
}
