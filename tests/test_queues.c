/* variants/queues/ on the host's threads: no item is lost and none is taken twice, what stood before a push stands
 * before the pop, the end is seen by all, and a lost group, a full ring and a lock that nobody gives back end as
 * reports. Built with the thread sanitizer where the compiler has it: then each order that the sources have is also
 * made relaxed in turn, and a race must show, or be known not to. */
#include "tests/host/queues.h"
#include "tests/tap.h"

#include "variants/queues/layout.clh"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <unistd.h>

#if defined(__SANITIZE_THREAD__)
#define HAVE_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define HAVE_TSAN 1
#endif
#endif

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define MAX_SITES    32
#define TRIES        300 /* launches in which a weakened order must show … */
#define FEW_TRIES    60  /* … and in which one that is not needed must not */
#define SPIN_LIMIT   (1u << 22)
#define SHORT_SPIN   (1u << 12)

/* Orders without which no race shows, in which function, and why that is so. */
static const struct {
    const char *function;
    enum host_operation operation;
    enum host_order order; /* either half */
    const char *reason;
} unneeded[] = {
    {"locked_lock", HOST_COMPARE_EXCHANGE, HOST_RELEASE, "it is by unlocking that a holder hands on what it did"},
    {"ring_push", HOST_LOAD, HOST_ACQUIRE, "an item that is overwritten too early is a wrong item, not a race"},
    {"ring_push", HOST_COMPARE_EXCHANGE, HOST_ACQ_REL, "a claim says nothing of the slot"},
    {"ring_pop", HOST_COMPARE_EXCHANGE, HOST_ACQ_REL, "a claim says nothing of the slot"},
    {"ring_pop", HOST_STORE, HOST_RELEASE, "an item that is overwritten too early is a wrong item, not a race"},
    {"steal_push", HOST_LOAD, HOST_ACQUIRE, "an item that is overwritten too early is a wrong item, not a race"},
    {"steal_pop", HOST_COMPARE_EXCHANGE, HOST_ACQ_REL,
     "an item that is overwritten too early is a wrong item, not a race"},
};

/* ---- What the sanitizer calls ---- */

static uint reports; /* races that it has found so far */

#ifdef HAVE_TSAN
/* NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): the sanitizer's own names. */
void __tsan_on_report(void *report);
void __tsan_on_report(void *report)
{
    (void)report;
    __atomic_fetch_add(&reports, 1u, __ATOMIC_RELAXED);
}

/* A race is to be reported each time, and judged here and not by the exit code. */
const char *__tsan_default_options(void);
const char *__tsan_default_options(void)
{
    return "suppress_equal_stacks=0:suppress_equal_addresses=0:exitcode=0:report_thread_leaks=0";
}
/* NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp) */
#endif

/* ---- The machine: threads, with one order weakened ---- */

/* The accesses of one kind and order in a function of the sources. */
struct site {
    const char *function;
    enum host_operation operation;
    enum host_order order;
};

/* Changed between launches only, but for the sites, which are collected under the mutex. */
static bool collecting;
static pthread_mutex_t sites_mutex = PTHREAD_MUTEX_INITIALIZER;
static struct site sites[MAX_SITES];
static uint site_count;
static const struct site *weakened; /* this site loses … */
static enum host_order lost_order;  /* … this part of its order */
static uint launches;               /* so far */

static bool is_at(const struct host_access *access, const struct site *site)
{
    return access->operation == site->operation && access->order == site->order &&
           strcmp(access->function, site->function) == 0;
}

static void collect(const struct host_access *access)
{
    uint known = 0;
    pthread_mutex_lock(&sites_mutex);
    while (known < site_count && !is_at(access, &sites[known])) known++;
    if (known == site_count && site_count < MAX_SITES)
        sites[site_count++] = (struct site){access->function, access->operation, access->order};
    pthread_mutex_unlock(&sites_mutex);
}

/* What queue `locked` does under its lock is accessed plainly here: then the sanitizer also judges whether the lock
 * orders it. */
static bool is_under_lock(const struct host_access *access)
{
    return access->order == HOST_RELAXED &&
           (strcmp(access->function, "locked_push") == 0 || strcmp(access->function, "locked_pop") == 0);
}

static uint access_plainly(const struct host_access *access)
{
    uint *word = (uint *)access->word;
    if (access->operation == HOST_STORE) return *word = access->operand;
    return *word;
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

static uint weak_access(const struct host_access *access)
{
    if (is_under_lock(access)) return access_plainly(access);
    if (weakened != NULL) perturb();
    if (collecting && access->order != HOST_RELAXED) collect(access);
    if (weakened == NULL || !is_at(access, weakened)) return host_threads.access(access);
    struct host_access weaker = *access;
    weaker.order &= ~lost_order;
    return host_threads.access(&weaker);
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
    const uint before = __atomic_load_n(&reports, __ATOMIC_RELAXED);
    while (bad == 0 && ran < repeats) {
        ran++;
        bad = host_flow_run(what, &result) != 0 || result.phase != MU_PHASE_NONE ||
              result.lost + result.twice + result.wrong + result.unfinished != 0;
    }
    const uint races = __atomic_load_n(&reports, __ATOMIC_RELAXED) - before;
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
        flows(&what, 20);
        if (!queue->one_owner) {
            what.rings = groups[i];
            flows(&what, 20);
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

/* The group of rank 0 disappears with an item. It may be that the other group has all others first. */
static void test_lost(const struct host_queue *queue)
{
    struct host_flow_case what = case_of(queue, 2, 500);
    struct host_flow_result result = {0};
    what.lost_after = 1;
    what.spin_limit = SHORT_SPIN;
    int status = 0;
    for (uint i = 0; i < 20 && status == 0 && result.phase == MU_PHASE_NONE; i++)
        status = host_flow_run(&what, &result);
    CHECK(status == 0 && result.phase == MU_PHASE_WORK && result.rank == 1 && result.open > 0 && result.twice == 0,
          "%s: a group that is lost with its item ends as a report: phase %u of rank %u, %u items open, %u not taken",
          queue->name, result.phase, result.rank, result.open, result.lost);
}

/* A lock that somebody holds for ever. */
static void test_stuck(const struct host_queue *queue)
{
    struct host_flow_case what = case_of(queue, 2, 500);
    struct host_flow_result result = {0};
    if (strcmp(queue->name, "locked") != 0) return;
    what.stuck = true;
    what.spin_limit = SHORT_SPIN;
    const int status = host_flow_run(&what, &result);
    CHECK(status == 0 && result.phase == MU_PHASE_QUEUE && result.open == 1 && result.lost == 500,
          "%s: a lock that nobody gives back ends as a report: phase %u of rank %u", queue->name, result.phase,
          result.rank);
}

/* ---- Orders ---- */

#ifdef HAVE_TSAN
/* Standard error goes nowhere, or back to where it went before. */
static void hide_reports(bool hidden)
{
    static int saved = -1;
    fflush(stderr);
    if (saved < 0) saved = dup(STDERR_FILENO);
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (saved >= 0 && nowhere >= 0) dup2(hidden ? nowhere : saved, STDERR_FILENO);
    if (nowhere >= 0) close(nowhere);
}

static uint count_races(const struct host_queue *queue)
{
    const struct host_flow_case what = case_of(queue, 4, 40);
    struct host_flow_result result;
    const uint before = __atomic_load_n(&reports, __ATOMIC_RELAXED);
    launches++;
    if (host_flow_run(&what, &result) != 0) CHECK(false, "%s: the launch failed", queue->name);
    return __atomic_load_n(&reports, __ATOMIC_RELAXED) - before;
}

static const char *reason_for(const struct site *site)
{
    for (size_t i = 0; i < COUNT(unneeded); i++)
        if (strcmp(site->function, unneeded[i].function) == 0 && site->operation == unneeded[i].operation &&
            (lost_order & unneeded[i].order) != 0)
            return unneeded[i].reason;
    return NULL;
}

static void test_without(const struct host_queue *queue, const struct site *site, enum host_order order)
{
    uint races = 0;
    if ((site->order & order) == 0) return;
    weakened = site;
    lost_order = order;
    const char *const reason = reason_for(site);
    hide_reports(true);
    for (int try = 0; try < (reason == NULL ? TRIES : FEW_TRIES) && races == 0; try++) races = count_races(queue);
    hide_reports(false);
    weakened = NULL;
    CHECK((races != 0) == (reason == NULL), "%s: without %s in %s: %s%s%s", queue->name,
          order == HOST_ACQUIRE ? "acquire" : "release", site->function, races != 0 ? "a race" : "no race",
          reason != NULL ? ", since " : "", reason != NULL ? reason : "");
}

static void test_orders(const struct host_queue *queue)
{
    site_count = 0;
    collecting = true;
    for (int try = 0; try < 40; try++) count_races(queue);
    collecting = false;
    CHECK(site_count > 0 && site_count < MAX_SITES, "%s: %u kinds of access have an order", queue->name, site_count);
    for (uint i = 0; i < site_count; i++) {
        test_without(queue, &sites[i], HOST_ACQUIRE);
        test_without(queue, &sites[i], HOST_RELEASE);
    }
}
#endif

int main(void)
{
    static struct host_machine machine;
    machine = host_threads;
    machine.access = weak_access;
    host_machine = &machine;
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
