/* variants/queues/ on the host's threads: no item is lost and none is taken twice, what stood before a push stands
 * before the pop, the end is seen by all, and a lost group, a full ring and a lock that nobody gives back end as
 * reports. Built with the thread sanitizer where the compiler has it: then each order that the sources have is also
 * made relaxed in turn, and a race must show, or be known not to. */
#include "tests/host/orders.h"
#include "tests/host/queues.h"
#include "tests/tap.h"

#include "variants/queues/layout.clh"

#include <sched.h>
#include <string.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#ifndef SPIN_LIMIT
#define SPIN_LIMIT (1u << 22)
#endif
#define SHORT_SPIN (1u << 12)
#define MANY       500u /* launches, at most, of which one must go as a test asks */

static uint launches; /* so far */
static bool restless; /* threads take turns between accesses, so that a wait ends soon where they are more than cores */

/* ---- The machine ---- */

/* What queue `locked` does under its lock is accessed plainly here: then the sanitizer also judges whether the lock
 * orders it. */
static bool is_under_lock(const struct host_access *access)
{
    return access->order == HOST_RELAXED &&
           (strcmp(access->function, "locked_push") == 0 || strcmp(access->function, "locked_pop") == 0);
}

/* Now and then another thread's turn, so that few accesses stand as close together in time as they do in the source. */
static void perturb(void)
{
    static _Thread_local uint state;
    if (state == 0) state = 2654435761u * ((uint)get_group_id(0) + 1) ^ launches;
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    if (state % 4 == 0) sched_yield();
    if (state % 64 == 0) usleep(50);
}

static uint queue_access(const struct host_access *access)
{
    if (is_under_lock(access)) return host_access_plainly(access);
    if (host_is_weakened() || restless) perturb();
    return host_weak_access(access);
}

/* ---- Tests ---- */

static struct host_flow_case case_of(const struct host_queue *queue, uint groups, uint total)
{
    return (struct host_flow_case){.queue = queue,
                                   .groups = groups,
                                   .rings = queue->one_owner ? groups : 1,
                                   .slots = 1024,
                                   .total = total,
                                   .spin_limit = SPIN_LIMIT};
}

static void flows(const struct host_flow_case *what, uint repeats)
{
    uint bad = 0, ran = 0;
    struct host_flow_result result = {0};
    const uint before = host_races();
    while (bad == 0 && ran < repeats) {
        ran++;
        bad = host_flow_run(what, &result) != 0 || result.phase != MU_PHASE_NONE ||
              result.lost + result.twice + result.wrong + result.unfinished != 0;
    }
    const uint races = host_races() - before;
    CHECK(bad == 0 && races == 0,
          "%s: %u items, %u groups, %u rings of %u: %u times; %u lost, %u twice, %u wrong, %u unfinished, phase %u, "
          "%u races",
          what->queue->name, what->total, what->groups, what->rings, what->slots, ran, result.lost, result.twice,
          result.wrong, result.unfinished, result.phase, races);
}

static void test_flows(const struct host_queue *queue)
{
    static const uint groups[] = {1, 2, 3, 8};
    for (size_t i = 0; i < COUNT(groups); i++) {
        struct host_flow_case what = case_of(queue, groups[i], 2000);
        const uint times = tap_in_full() ? 20 : 2;
        flows(&what, times);
        if (!queue->one_owner) {
            what.rings = groups[i];
            flows(&what, times);
        }
    }
    /* Slots are used again and again. */
    struct host_flow_case narrow = case_of(queue, 3, 4000);
    narrow.slots = 2048;
    flows(&narrow, 5);
}

/* A ring of few slots overflows, since items breed faster than they are taken. */
static void test_full(const struct host_queue *queue)
{
    struct host_flow_case what = case_of(queue, 2, 4000);
    struct host_flow_result result = {0};
    what.slots = 4;
    const int status = host_flow_run(&what, &result);
    CHECK(status == 0 && result.phase == MU_PHASE_FULL && result.twice + result.wrong == 0,
          "%s: a ring that is full ends as a report: phase %u, %u items open", queue->name, result.phase, result.open);
}

/* The group of rank 0 disappears with an item. It may be that the other group has all others first; or, on a busy
 * machine, that a group waits in vain for one that the system has not let run. Then they try again. */
static void test_lost(const struct host_queue *queue)
{
    struct host_flow_case what = case_of(queue, 2, 500);
    struct host_flow_result result = {0};
    what.lost_after = 1;
    what.spin_limit = SHORT_SPIN;
    int status = 0;
    for (uint i = 0; i < MANY && status == 0 && (result.phase != MU_PHASE_WORK || result.rank != 1); i++)
        status = host_flow_run(&what, &result);
    CHECK(status == 0 && result.phase == MU_PHASE_WORK && result.rank == 1 && result.open > 0 && result.twice == 0,
          "%s: a group that is lost with its item ends as a report: phase %u of rank %u, %u items open, %u not taken",
          queue->name, result.phase, result.rank, result.open, result.lost);
}

/* A lock that somebody holds for ever, and a slot that was claimed and is never handed back, at which a push arrives
 * when the ring has gone round. A ring is not full then: the push waits. */
static void test_stuck(const struct host_queue *queue)
{
    const bool locked = strcmp(queue->name, "locked") == 0;
    /* A second group could wait for items, and give up first. */
    struct host_flow_case what = case_of(queue, locked ? 2 : 1, 500);
    struct host_flow_result result = {0};
    if (queue->one_owner) return;
    what.stuck = true;
    what.spin_limit = SHORT_SPIN;
    if (!locked) what.slots = 4;
    const int status = host_flow_run(&what, &result);
    CHECK(status == 0 && result.phase == MU_PHASE_QUEUE && result.open > 0 && result.lost > 0 &&
              result.twice + result.wrong == 0 && (!locked || (result.open == 1 && result.lost == 500)),
          "%s: a %s that nobody gives back ends as a report: phase %u of rank %u", queue->name,
          locked ? "lock" : "slot", result.phase, result.rank);
}

/* ---- A team that shrinks and grows ---- */

/* Without a schedule nobody leaves; with one the team is what those that came and left make of it, and falls to one: on
 * a busy machine after more seeds than on a quiet one. */
static void test_offers(uint groups, uint seeds)
{
    uint bad = 0, off = 0, left = 0, least = groups;
    struct host_flow_case what = case_of(&host_offers, groups, 40);
    struct host_flow_result result = {0};
    const uint before = host_races();
    for (what.seed = 0; (what.seed <= seeds || least > 1) && what.seed < MANY && bad == 0; what.seed++) {
        bad = host_flow_run(&what, &result) != 0 || result.phase != MU_PHASE_NONE ||
              result.lost + result.twice + result.wrong + result.unfinished != 0;
        off += result.size + result.left != groups + result.came || result.least == 0 || result.size == 0 ||
               (what.seed == 0 && result.left + result.came != 0) || result.outside != 0;
        left += result.left;
        if (result.least < least) least = result.least;
    }
    CHECK(bad == 0 && host_races() == before, "offers: %u groups, %u seeds; %u lost, %u twice, %u wrong, phase %u",
          groups, what.seed, result.lost, result.twice, result.wrong, result.phase);
    CHECK(off == 0 && least == 1 && (left > 0) == (groups > 1),
          "offers: %u groups left in all, and the smallest team was of %u", left, least);
}

/* The group of rank 0 disappears, which draws the sizes: those that are parked report it as well as those that are not.
 * It may be that others have all items first; then they try again. */
static void test_lost_offers(void)
{
    uint phases = 0, ends = 0, seed = 0;
    while (seed == ends && (seed < 3 || (phases == 0 && seed < MANY))) {
        struct host_flow_case what = case_of(&host_offers, 3, 40);
        struct host_flow_result result = {0};
        what.lost_after = 2;
        what.seed = ++seed;
        what.spin_limit = SHORT_SPIN / 2;
        ends += host_flow_run(&what, &result) == 0 && result.twice == 0;
        phases += result.phase == MU_PHASE_WORK && result.open > 0;
    }
    CHECK(ends == seed && phases > 0, "offers: a group that is lost with its item ends as a report, %u times of %u",
          phases, seed);
}

/* ---- Orders ---- */

#ifdef HAVE_TSAN
static const struct host_unneeded unneeded[] = {
    {NULL, "locked_lock", HOST_COMPARE_EXCHANGE, HOST_RELEASE, "it is by unlocking that a holder hands on what it did"},
    {NULL, "ring_push", HOST_LOAD, HOST_ACQUIRE, "an item that is overwritten too early is a wrong item, not a race"},
    {NULL, "ring_push", HOST_COMPARE_EXCHANGE, HOST_ACQ_REL, "a claim says nothing of the slot"},
    {NULL, "ring_pop", HOST_COMPARE_EXCHANGE, HOST_ACQ_REL, "a claim says nothing of the slot"},
    {NULL, "ring_pop", HOST_STORE, HOST_RELEASE, "an item that is overwritten too early is a wrong item, not a race"},
    {NULL, "steal_push", HOST_LOAD, HOST_ACQUIRE, "an item that is overwritten too early is a wrong item, not a race"},
    {NULL, "steal_pop", HOST_COMPARE_EXCHANGE, HOST_ACQ_REL,
     "an item that is overwritten too early is a wrong item, not a race"},
    {0},
};

static uint count_races(const void *subject)
{
    const struct host_queue *queue = subject;
    const struct host_flow_case what = case_of(queue, 4, 40);
    struct host_flow_result result;
    const uint before = host_races();
    launches++;
    if (host_flow_run(&what, &result) != 0) CHECK(false, "%s: the launch failed", queue->name);
    return host_races() - before;
}

static void tell(bool right, const char *what)
{
    CHECK(right, "%s", what);
}

static void test_orders(const struct host_queue *queue)
{
    const struct host_orders_test test = {.title = queue->name,
                                          .of = queue->name,
                                          .count_races = count_races,
                                          .subject = queue,
                                          .tell = tell,
                                          .unneeded = unneeded,
                                          .collecting = 40,
                                          .tries = 3000,
                                          .few_tries = tap_in_full() ? 60 : 15};
    host_test_orders(&test);
}
#endif

int main(void)
{
    static struct host_machine machine;
    machine = host_threads;
    machine.access = queue_access;
    host_machine = &machine;
    restless = true;
    for (uint groups = 1; groups <= 4; groups *= 2) test_offers(groups, 10);
    test_lost_offers();
    restless = false;
    for (const struct host_queue *queue = host_queues; queue->name != NULL; queue++) {
        test_flows(queue);
        test_full(queue);
        test_lost(queue);
        test_stuck(queue);
#ifdef HAVE_TSAN
        test_orders(queue);
#endif
    }
#ifndef HAVE_TSAN
    tap_skip("races of work queues", "the compiler has no thread sanitizer that works here");
#endif
    return tap_done();
}
