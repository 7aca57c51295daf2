/* Roll calls, barriers, work queues, subteams and the idioms in use in every execution that the memory model of C11 and
 * OpenCL C allows (MEMORY_WEAK of tests/host/memory.h), and what each of their orders is good for.
 *
 * The barrier is that of the paper's appendix: a master and two slaves of two work-items, and two calls of the barrier.
 * What a work-item wrote before the first call must happen before what all others do behind it, in four cases: in its
 * own group, from the master to a slave, from a slave to the master, and between slaves. Then each order that the
 * sources have is taken away in turn: there must be an execution that is wrong, or it is listed below why there is
 * none. */
#include "harness/litmus/idioms.clh"
#include "tests/host/explore.h"
#include "tests/host/idioms.h"
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
#define ALL_IT_SAYS       "the word that is awaited is all that is said"
#define FOR_THE_HOST      "the count is for the host, when the launch is over"
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
    {"scan", "scan_speak", HOST_STORE, HOST_RELEASE, ALL_IT_SAYS},
    {"scan", "mu_await", HOST_LOAD, HOST_ACQUIRE, ALL_IT_SAYS},
    {"mutex-and-one-way", "progress_turn", HOST_COMPARE_EXCHANGE, HOST_RELEASE, HANDED_ON},
    {"mutex-and-one-way", "both_speak", HOST_STORE, HOST_RELEASE, ALL_IT_SAYS},
    {"mutex-and-one-way", "mu_await", HOST_LOAD, HOST_ACQUIRE, ALL_IT_SAYS},
    {"within-mutex", "progress_turn", HOST_COMPARE_EXCHANGE, HOST_RELEASE, HANDED_ON},
    {"within-mutex", "idiom_within_mutex", HOST_ADD, HOST_RELEASE, FOR_THE_HOST},
    {"within-one-way", "within_one_way", HOST_STORE, HOST_RELEASE, ALL_IT_SAYS},
    {"within-one-way", "mu_await", HOST_LOAD, HOST_ACQUIRE, ALL_IT_SAYS},
    {"within-one-way", "idiom_within_one_way", HOST_ADD, HOST_RELEASE, FOR_THE_HOST},
    {"within-two-way", "within_two_way", HOST_STORE, HOST_RELEASE, ALL_IT_SAYS},
    {"within-two-way", "mu_await", HOST_LOAD, HOST_ACQUIRE, ALL_IT_SAYS},
    {"within-two-way", "idiom_within_two_way", HOST_ADD, HOST_RELEASE, FOR_THE_HOST},
};

/* ---- What is run ---- */

struct subject {
    const char *name;
    const struct host_sync_case sync;   /* of a roll call or a barrier … */
    const struct host_flow_case flow;   /* … or of a queue … */
    const struct host_idiom_case idiom; /* … or of an idiom, or a subteam */
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

static void judge_idiom(const struct host_idiom_case *what, const struct host_idiom_result *result)
{
    (void)what;
    if (result->wrong != 0 || result->phase != MU_PHASE_NONE)
        explore_fault("%u wrong words, phase %u", result->wrong, result->phase);
}

/* The run of a subject, on the exploring machine. */
static int run(const struct subject *subject)
{
    struct host_sync_result last_sync;
    struct host_flow_result last_flow;
    struct host_idiom_result last_idiom;
    if (subject->flow.queue != NULL) return host_flow_run(&subject->flow, &last_flow);
    if (subject->idiom.idiom != NULL) return host_idiom_run(&subject->idiom, &last_idiom);
    return host_sync_run(&subject->sync, &last_sync);
}

static bool explore(const struct subject *subject, struct weakening weakened, struct explore_result *result)
{
    const bool bounded = subject->flow.queue != NULL && subject->flow.spin_limit != FOR_EVER;
    const struct explore_setup setup = {.model = MEMORY_WEAK,
                                        .bounded = bounded,
                                        .turns = subject->flow.queue != NULL ? 2 * subject->flow.rings : 1,
                                        .most = MOST,
                                        .weakened = weakened};
    explore_begin(&setup);
    const int status = run(subject);
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
    if (ran && !wrong && reason == NULL && !result.saw_plain) {
        tap_skip("an order that only plain accesses show", "the compiler does not put calls before them");
        return;
    }
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

/* ---- Idioms and subteams ---- */

#define PARTS                 3
#define ELEMENT(value, place) ((uint)(value) << MU_IDIOM_SHIFT | (place))

static uint zeros[2 * PARTS * 2 + MU_WITHIN_FLAGS];

static void test_idiom(struct host_idiom_case what)
{
    if (what.groups == 0) what.groups = PARTS;
    if (what.workgroup == 0) what.workgroup = 1;
    if (what.parts == 0) what.parts = PARTS;
    what.spin_limit = FOR_EVER;
    what.begin_anew = true;
    what.judge = judge_idiom;
    test_subject(&(struct subject){what.idiom->name, .idiom = what});
}

/* Each part of three, of a group of one work-item, brings MU_IDIOM_EACH elements. */
static void test_idioms(void)
{
    static const uint one_to_twelve[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    static const uint sums[] = {1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 66, 78}, sum[] = {78};
    static uint out[PARTS * MU_IDIOM_EACH];
    for (uint ids = MU_IDIOM_NATIVE; ids <= MU_IDIOM_TICKETED; ids++)
        test_idiom((struct host_idiom_case){.idiom = host_idiom_find("scan"),
                                            .ids = ids,
                                            .in = one_to_twelve,
                                            .state = zeros,
                                            .state_count = PARTS,
                                            .out = out,
                                            .out_count = COUNT(sums),
                                            .expected = sums});
    test_idiom((struct host_idiom_case){.idiom = host_idiom_find("last-group"),
                                        .in = one_to_twelve,
                                        .state = zeros,
                                        .state_count = PARTS + 1,
                                        .out = out,
                                        .out_count = 1,
                                        .expected = sum});

    /* One row of all three parts, where 5 stood before. */
    static const uint matrix[] = {ELEMENT(1, 0), 0, 0, 0, ELEMENT(2, 1), 0, 0, 0, ELEMENT(3, 0), 0, 0, ELEMENT(1, 1)};
    static const uint rows[] = {0, 0, 0, 7, 11}, product[] = {15 + 7 + 22 + 21 + 11};
    static uint scaled[] = {5};
    test_idiom((struct host_idiom_case){.idiom = host_idiom_find("spmv"),
                                        .in = matrix,
                                        .first = rows,
                                        .state = zeros,
                                        .state_count = PARTS,
                                        .out = scaled,
                                        .out_count = 1,
                                        .expected = product});

    /* Each row waits for those before it. */
    static const uint columns[] = {ELEMENT(2, 1), ELEMENT(3, 2), ELEMENT(4, 2)}, first[] = {0, 2, 3, 3};
    static uint waits[] = {0, 1, 2}, right_side[] = {4, 15, 100};
    static const uint solution[] = {4, 7, 100 - 12 - 28};
    test_idiom((struct host_idiom_case){.idiom = host_idiom_find("triangular"),
                                        .in = columns,
                                        .first = first,
                                        .state = waits,
                                        .state_count = PARTS,
                                        .out = right_side,
                                        .out_count = PARTS,
                                        .expected = solution});

    static const uint turns[] = {PARTS};
    static uint none[] = {0};
    test_idiom((struct host_idiom_case){.idiom = host_idiom_find("mutex-and-one-way"),
                                        .state = zeros,
                                        .state_count = PARTS,
                                        .out = none,
                                        .out_count = 1,
                                        .expected = turns});
}

/* One group of three work-items, each of which takes part. */
static void test_within(void)
{
    static const struct {
        const char *name;
        uint words[MU_WITHIN_FLAGS + PARTS];
    } idioms[] = {
        {"within-mutex", {3, 3}}, {"within-one-way", {3, 0, 0, 0, 1, 1, 1}}, {"within-two-way", {3, 0, 0, 0, 1, 1, 1}}};
    for (uint i = 0; i < COUNT(idioms); i++)
        test_idiom((struct host_idiom_case){.idiom = host_idiom_find(idioms[i].name),
                                            .groups = 1,
                                            .workgroup = PARTS,
                                            .step = 1,
                                            .out = zeros,
                                            .out_count = COUNT(idioms[i].words),
                                            .expected = idioms[i].words});
}

/* A subteam of two groups of two work-items, which are all, and one of two of three groups. */
static void test_subteams(void)
{
    for (uint groups = 2; groups <= PARTS; groups++)
        test_idiom((struct host_idiom_case){.idiom = host_idiom_find("subteam"),
                                            .groups = groups,
                                            .workgroup = 4 - groups,
                                            .step = 2,
                                            .state = zeros,
                                            .state_count = COUNT(zeros),
                                            .out = zeros,
                                            .out_count = groups * (4 - groups),
                                            .expected = zeros});
}

int main(void)
{
    test_idioms();
    test_within();
    test_subteams();
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
