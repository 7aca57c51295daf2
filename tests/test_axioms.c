/* Roll calls, barriers and work queues in every execution that the memory model of C11 and OpenCL C allows
 * (MEMORY_WEAK of tests/host/memory.h), and what each of their orders is good for.
 *
 * The barrier is that of the paper's appendix: a master and two slaves of two work-items, and two calls of the barrier.
 * What a work-item wrote before the first call must happen before what all others do behind it, in four cases: in its
 * own group, from the master to a slave, from a slave to the master, and between slaves. Then each order that the
 * sources have is taken away in turn: there must be an execution that is wrong, or it is listed below why there is
 * none. */
#include "tests/host/explore.h"
#include "tests/host/queues.h"
#include "tests/host/sync.h"
#include "tests/tap.h"

#include <string.h>

#define FOR_EVER 0x00fffe00u
#define MOST     3000000ul
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* Orders without which no execution is wrong, and why.
 *
 * Those with READ_BEFORE_WRITE stand between the last read of a slot and the next write to it by another group. Without
 * them the read could find that write, if values came out of thin air, or as hardware does that lets a later write
 * overtake a read (load buffering). The executions here have no such cycle, so that they cannot tell. */
#define HANDED_ON         "it is by unlocking that a holder hands on what it did"
#define READ_BEFORE_WRITE "it keeps a write behind a read, which these executions do anyway"
static const struct {
    const char *of, *function;
    enum host_operation operation;
    enum host_order order; /* either half */
    const char *reason;
} unneeded[] = {
    {"atomic", "mu_await", HOST_LOAD, HOST_ACQUIRE, "the word that is awaited is all that a member learns"},
    {"atomic", "mu_watch_poll", HOST_COMPARE_EXCHANGE, HOST_ACQ_REL,
     "the word that is exchanged is all that it learns"},
    {"ticket", "ticket_lock", HOST_ADD, HOST_ACQ_REL, "a ticket says nothing of what the lock protects"},
    {"lobe", "ticket_lock", HOST_ADD, HOST_ACQ_REL, "a ticket says nothing of what the lock protects"},
    {"ticket-destruct", "destruct_lock", HOST_ADD, HOST_ACQ_REL, "a ticket says nothing of what the lock protects"},
    {"spin", "spin_lock", HOST_COMPARE_EXCHANGE, HOST_RELEASE, HANDED_ON},
    {"locked", "locked_lock", HOST_COMPARE_EXCHANGE, HOST_RELEASE, HANDED_ON},
    {"locked", "mu_give_up", HOST_COMPARE_EXCHANGE, HOST_ACQ_REL,
     "the report is for the host, when the launch is over"},
    {"ring", "ring_pop", HOST_COMPARE_EXCHANGE, HOST_ACQ_REL, "a claim says nothing of the slot"},
    {"ring", "ring_push", HOST_COMPARE_EXCHANGE, HOST_ACQ_REL, "a claim says nothing of the slot"},
    {"ring", "ring_pop", HOST_STORE, HOST_RELEASE, READ_BEFORE_WRITE},
    {"ring", "ring_push", HOST_LOAD, HOST_ACQUIRE, READ_BEFORE_WRITE},
    {"steal", "steal_pop", HOST_COMPARE_EXCHANGE, HOST_ACQUIRE, "what stood before the push came with the tail"},
    {"steal", "steal_pop", HOST_COMPARE_EXCHANGE, HOST_RELEASE, READ_BEFORE_WRITE},
    {"steal", "steal_push", HOST_LOAD, HOST_ACQUIRE, READ_BEFORE_WRITE},
};

/* ---- What is run ---- */

struct subject {
    const char *name;
    const struct host_sync_case sync; /* of a roll call or a barrier … */
    const struct host_flow_case flow; /* … or of a queue */
};

static void judge_sync(const struct host_sync_case *what, const struct host_sync_result *result)
{
    const bool whole = result->members >= 1 && result->members == result->size && result->size <= what->groups &&
                       result->crossed == 2 * what->rounds;
    if (result->phase != MU_PHASE_NONE || !result->ranks_differ || result->wrong != 0 || !whole)
        explore_fault("a team of %u with %u members, %u of %u barriers, %u wrong words, phase %u", result->size,
                      result->members, result->crossed, 2 * what->rounds, result->wrong, result->phase);
}

static void judge_flow(const struct host_flow_case *what, const struct host_flow_result *result)
{
    (void)what;
    const bool ended = result->phase == MU_PHASE_NONE;
    if (result->twice + result->wrong != 0 || (ended && result->lost + result->unfinished != 0))
        explore_fault("%u lost, %u twice, %u wrong, %u unfinished, phase %u", result->lost, result->twice,
                      result->wrong, result->unfinished, result->phase);
}

static bool explore(const struct subject *subject, struct weakening weakened, struct explore_result *result)
{
    const bool bounded = subject->flow.queue != NULL && subject->flow.spin_limit != FOR_EVER;
    const struct explore_setup setup = {.model = MEMORY_WEAK,
                                        .bounded = bounded,
                                        .turns = subject->flow.queue != NULL ? 2 * subject->flow.rings : 1,
                                        .most = MOST,
                                        .weakened = weakened};
    struct host_sync_result last_sync;
    struct host_flow_result last_flow;
    explore_begin(&setup);
    const int status = subject->flow.queue != NULL ? host_flow_run(&subject->flow, &last_flow)
                                                   : host_sync_run(&subject->sync, &last_sync);
    explore_end(result, false);
    return status == 0;
}

/* ---- Tests ---- */

static const char *reason_for(const struct subject *subject, const struct site *site, enum host_order lost)
{
    for (size_t i = 0; i < COUNT(unneeded); i++)
        if (strcmp(subject->name, unneeded[i].of) == 0 && strcmp(site->function, unneeded[i].function) == 0 &&
            site->operation == unneeded[i].operation && (lost & unneeded[i].order) != 0)
            return unneeded[i].reason;
    return NULL;
}

static void test_without(const struct subject *subject, const struct site *site, enum host_order lost)
{
    struct explore_result result;
    if ((site->order & lost) == 0) return;
    const bool ran = explore(subject, (struct weakening){site, lost}, &result);
    const char *const reason = reason_for(subject, site, lost);
    const bool wrong = result.fault[0] != '\0';
    CHECK(ran && (wrong ? reason == NULL : result.complete && reason != NULL), "%s: without %s in %s (%s:%d): %s%s%s",
          subject->name, lost == HOST_ACQUIRE ? "acquire" : "release", site->function, site->file, site->line,
          wrong ? result.fault : "nothing is wrong", reason != NULL ? ", since " : "", reason != NULL ? reason : "");
}

static void test_subject(const struct subject *subject)
{
    struct explore_result result;
    const bool ran = explore(subject, (struct weakening){NULL, HOST_RELAXED}, &result);
    const struct site_list sites = *explore_sites();
    const bool right = ran && result.complete && result.executions > 0;
    CHECK(right,
          "%s: %lu states, %lu executions; happens-before %lu times in a group, %lu from the master, %lu to it, %lu "
          "between slaves%s%s",
          subject->name, result.states, result.executions, result.ordered[MEMORY_SAME_GROUP],
          result.ordered[MEMORY_FROM_MASTER], result.ordered[MEMORY_TO_MASTER], result.ordered[MEMORY_BETWEEN_SLAVES],
          right ? "" : "; ", result.fault);
    for (uint i = 0; i < sites.count; i++) {
        test_without(subject, &sites.sites[i], HOST_ACQUIRE);
        test_without(subject, &sites.sites[i], HOST_RELEASE);
    }
}

int main(void)
{
    for (const struct host_barrier *barrier = host_barriers; barrier->name != NULL; barrier++)
        test_subject(&(struct subject){barrier->name, .sync = {.rollcall = &host_native,
                                                               .barrier = barrier,
                                                               .groups = 3,
                                                               .workgroup = 2,
                                                               .expected = 3,
                                                               .rounds = 1,
                                                               .spin_limit = FOR_EVER,
                                                               .judge = judge_sync}});
    for (const struct host_rollcall *rollcall = host_rollcalls; rollcall->name != NULL; rollcall++)
        test_subject(&(struct subject){rollcall->name, .sync = {.rollcall = rollcall,
                                                                .barrier = &host_barriers[0],
                                                                .groups = 2,
                                                                .workgroup = 1,
                                                                .expected = 2,
                                                                .wait = 1,
                                                                .spin_limit = FOR_EVER,
                                                                .judge = judge_sync}});
    for (const struct host_queue *queue = host_queues; queue->name != NULL; queue++) {
        const bool locked = strcmp(queue->name, "locked") == 0;
        if (!locked || tap_in_full()) /* for long */
            test_subject(&(struct subject){queue->name, .flow = {.queue = queue,
                                                                 .groups = 2,
                                                                 .rings = queue->one_owner ? 2 : 1,
                                                                 .slots = 2,
                                                                 .total = locked ? 2 : 3,
                                                                 .spin_limit = locked ? 1 : FOR_EVER,
                                                                 .judge = judge_flow}});
    }
    return tap_done();
}
