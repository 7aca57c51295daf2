/* The orders of roll calls and barriers, under the thread sanitizer on the host: with the sources as they are it has
 * nothing to report, and with any one of their acquires or releases made relaxed it reports a race.
 *
 * Between its barriers each work-item reads what all others have written plainly, so that every barrier has to order
 * them. What the roll calls keep under a lock (MU_SYNC_TEAM and MU_SYNC_COUNT) is accessed plainly here as well: then
 * the sanitizer also judges whether the lock orders it. */
#include "tests/host/sync.h"
#include "tests/tap.h"

#include <fcntl.h>
#include <pthread.h>
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
#define MAX_SITES    64
#define TRIES        10 /* launches in which a weakened order must show */
#ifndef SPIN_LIMIT
#define SPIN_LIMIT (1u << 24)
#endif

/* Orders without which no race shows, in which roll call or barrier, and why that is so. */
static const struct {
    const char *of, *function;
    enum host_operation operation;
    enum host_order order; /* either half */
    const char *reason;
} unneeded[] = {
    {"atomic", "mu_await", HOST_LOAD, HOST_ACQUIRE, "the word that is awaited is all that a member learns"},
    {"ticket", "ticket_lock", HOST_ADD, HOST_ACQ_REL, "a ticket says nothing of what the lock protects"},
    {"lobe", "ticket_lock", HOST_ADD, HOST_ACQ_REL, "a ticket says nothing of what the lock protects"},
    {"ticket-destruct", "destruct_lock", HOST_ADD, HOST_ACQ_REL, "a ticket says nothing of what the lock protects"},
    {"spin", "spin_lock", HOST_COMPARE_EXCHANGE, HOST_RELEASE, "it is by unlocking that a holder hands on what it did"},
};

/* ---- What the sanitizer calls ---- */

static uint reports; /* races that it has found so far */

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

/* ---- The machine: threads, with one order weakened ---- */

/* The accesses of one kind and order in a function of the sources; the line is that of one of them. */
struct site {
    const char *file, *function;
    int line;
    enum host_operation operation;
    enum host_order order;
};

/* Changed between launches only, but for the sites, which are collected under the mutex. */
static bool collecting;
static pthread_mutex_t sites_mutex = PTHREAD_MUTEX_INITIALIZER;
static struct site sites[MAX_SITES];
static uint site_count;
static const struct site *weakened; /* this site loses … */
static enum host_order lost;        /* … this part of its order */
static uint *sync_words;            /* of the launch */

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
        sites[site_count++] =
            (struct site){access->file, access->function, access->line, access->operation, access->order};
    pthread_mutex_unlock(&sites_mutex);
}

/* Loads and stores, the only accesses to words that are under a lock. */
static uint access_plainly(const struct host_access *access)
{
    uint *word = (uint *)access->word;
    if (access->operation == HOST_STORE) return *word = access->operand;
    return *word;
}

static uint races_access(const struct host_access *access)
{
    if (access->word == sync_words + MU_SYNC_TEAM || access->word == sync_words + MU_SYNC_COUNT)
        return access_plainly(access);
    if (collecting && access->order != HOST_RELAXED) collect(access);
    if (weakened == NULL || !is_at(access, weakened)) return host_threads.access(access);
    struct host_access weaker = *access;
    weaker.order &= ~lost;
    return host_threads.access(&weaker);
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
    const uint before = __atomic_load_n(&reports, __ATOMIC_RELAXED);
    if (host_sync_run(&what, &result) != 0 || result.phase != MU_PHASE_NONE)
        CHECK(false, "%s, %s: the launch failed", pair.rollcall->name, barrier_name(pair));
    return __atomic_load_n(&reports, __ATOMIC_RELAXED) - before;
}

static void test_as_it_is(struct pair pair)
{
    static const uint shapes[][2] = {{1, 2}, {2, 1}, {3, 2}, {4, 3}, {8, 1}};
    uint races = 0;
    for (size_t i = 0; i < COUNT(shapes); i++) races += count_races(pair, shapes[i][0], shapes[i][1]);
    CHECK(races == 0, "%s, %s: %u races", pair.rollcall->name, barrier_name(pair), races);
}

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

static const char *reason_for(struct pair pair, const struct site *site)
{
    const char *const name = pair.barrier != NULL ? pair.barrier->name : pair.rollcall->name;
    for (size_t i = 0; i < COUNT(unneeded); i++)
        if (strcmp(name, unneeded[i].of) == 0 && strcmp(site->function, unneeded[i].function) == 0 &&
            site->operation == unneeded[i].operation && (lost & unneeded[i].order) != 0)
            return unneeded[i].reason;
    return NULL;
}

static void test_without(struct pair pair, const struct site *site, enum host_order order)
{
    uint races = 0;
    if ((site->order & order) == 0) return;
    weakened = site;
    lost = order;
    const char *const reason = reason_for(pair, site);
    hide_reports(true);
    for (int try = 0; try < TRIES && races == 0; try++) races = count_races(pair, 3, 2);
    hide_reports(false);
    weakened = NULL;
    CHECK((races != 0) == (reason == NULL), "%s, %s: without %s in %s (%s:%d): %s%s%s", pair.rollcall->name,
          barrier_name(pair), order == HOST_ACQUIRE ? "acquire" : "release", site->function, site->file, site->line,
          races != 0 ? "a race" : "no race", reason != NULL ? ", since " : "", reason != NULL ? reason : "");
}

/* Each order that the pair's sources have, in turn. */
static void test_orders(struct pair pair)
{
    site_count = 0;
    collecting = true;
    for (int try = 0; try < TRIES; try++) count_races(pair, 3, 2);
    collecting = false;
    CHECK(site_count > 0 && site_count < MAX_SITES, "%s, %s: %u kinds of access have an order", pair.rollcall->name,
          barrier_name(pair), site_count);
    for (uint i = 0; i < site_count; i++) {
        test_without(pair, &sites[i], HOST_ACQUIRE);
        test_without(pair, &sites[i], HOST_RELEASE);
    }
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
