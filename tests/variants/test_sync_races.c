/* The orders of roll calls and barriers, under the thread sanitizer on the host: with the sources as they are it has
 * nothing to report, and with any one of their acquires or releases made relaxed it reports a race.
 *
 * Between its barriers each work-item reads what all others have written plainly, so that every barrier has to order
 * them. What the roll calls keep under a lock (MU_SYNC_TEAM and MU_SYNC_COUNT) is accessed plainly here as well: then
 * the sanitizer also judges whether the lock orders it. */
#include "tests/host/orders.h"
#include "tests/host/sync.h"
#include "tests/tap.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define TRIES        10  /* launches in which a weakened order must show */
#define MOST_TRIES   200 /* in which it must where cores are taken, and threads run one after another */
#ifndef SPIN_LIMIT
#define SPIN_LIMIT (1u << 24)
#endif

static const struct host_unneeded unneeded[] = {
    {"atomic", "mu_await", HOST_LOAD, HOST_ACQUIRE, "the word that is awaited is all that a member learns"},
    {"ticket", "ticket_lock", HOST_ADD, HOST_ACQ_REL, "a ticket says nothing of what the lock protects"},
    {"lobe", "ticket_lock", HOST_ADD, HOST_ACQ_REL, "a ticket says nothing of what the lock protects"},
    {"ticket-destruct", "destruct_lock", HOST_ADD, HOST_ACQ_REL, "a ticket says nothing of what the lock protects"},
    {"spin", "spin_lock", HOST_COMPARE_EXCHANGE, HOST_RELEASE, "it is by unlocking that a holder hands on what it did"},
    {0},
};

static uint *sync_words; /* of the launch */

static uint races_access(const struct host_access *access)
{
    if (access->word == sync_words + MU_SYNC_TEAM || access->word == sync_words + MU_SYNC_COUNT)
        return host_access_plainly(access);
    return host_weak_access(access);
}

static void note_sync_words(uint *sync)
{
    sync_words = sync;
}

/* ---- Tests ---- */

/* A roll call and a barrier; NULL for the barrier where the roll call alone is meant. */
struct pair {
    const struct host_rollcall *rollcall;
    const struct host_barrier *barrier;
};

static const char *barrier_name(struct pair pair)
{
    return pair.barrier != NULL ? pair.barrier->name : "no barrier";
}

/* How many races a launch shows. */
static uint count_races(struct pair pair, uint groups, uint workgroup)
{
    const bool native = pair.rollcall == &host_native;
    const struct host_sync_case what = {.rollcall = pair.rollcall,
                                        .barrier = pair.barrier,
                                        .groups = groups,
                                        .workgroup = workgroup,
                                        .expected = groups,
                                        .wait = native                         ? 0
                                                : pair.rollcall->waits_for_all ? 0xffffffffu
                                                                               : 2,
                                        .rounds = pair.barrier != NULL ? 4 : 0,
                                        .spin_limit = SPIN_LIMIT,
                                        .together = true,
                                        .prepare = note_sync_words};
    struct host_sync_result result;
    const uint before = host_races();
    if (host_sync_run(&what, &result) != 0 || result.phase != MU_PHASE_NONE)
        CHECK(false, "%s, %s: the launch failed", pair.rollcall->name, barrier_name(pair));
    return host_races() - before;
}

static void test_as_it_is(struct pair pair)
{
    static const uint shapes[][2] = {{1, 2}, {2, 1}, {3, 2}, {4, 3}, {8, 1}};
    uint races = 0;
    for (size_t i = 0; i < COUNT(shapes); i++) races += count_races(pair, shapes[i][0], shapes[i][1]);
    CHECK(races == 0, "%s, %s: %u races", pair.rollcall->name, barrier_name(pair), races);
}

static uint count_few_races(const void *subject)
{
    return count_races(*(const struct pair *)subject, 3, 2);
}

static void tell(bool right, const char *what)
{
    CHECK(right, "%s", what);
}

/* Each order that the pair's sources have, in turn. */
static void test_orders(struct pair pair)
{
    char title[64];
    snprintf(title, sizeof title, "%s, %s", pair.rollcall->name, barrier_name(pair));
    const struct host_orders_test test = {.title = title,
                                          .of = pair.barrier != NULL ? pair.barrier->name : pair.rollcall->name,
                                          .count_races = count_few_races,
                                          .subject = &pair,
                                          .tell = tell,
                                          .unneeded = unneeded,
                                          .collecting = TRIES,
                                          .tries = MOST_TRIES,
                                          .few_tries = TRIES};
    host_test_orders(&test);
}

int main(void)
{
#ifdef HAVE_TSAN
    static struct host_machine machine;
    machine = host_threads;
    machine.access = races_access;
    host_machine = &machine;
    for (const struct host_rollcall *rollcall = host_rollcalls; rollcall->name != NULL; rollcall++)
        for (const struct host_barrier *barrier = host_barriers; barrier->name != NULL; barrier++)
            test_as_it_is((struct pair){rollcall, barrier});
    for (const struct host_rollcall *rollcall = host_rollcalls; rollcall->name != NULL; rollcall++)
        test_orders((struct pair){rollcall, NULL});
    for (const struct host_barrier *barrier = host_barriers; barrier->name != NULL; barrier++)
        test_orders((struct pair){&host_native, barrier});
#else
    tap_skip("races of roll calls and barriers", "the compiler has no thread sanitizer that works here");
#endif
    return tap_done();
}
