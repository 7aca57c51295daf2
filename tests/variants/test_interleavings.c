/* Roll calls, barriers and work queues under every interleaving of their atomic accesses (tests/host/explore.h): no
 * deadlock, no two ranks alike, nobody left behind, no item lost or taken twice, and no race between plain accesses.
 * Once with loops that wait for ever, and once with loops that give up at ever smaller bounds. */
#include "tests/host/explore.h"
#include "tests/host/queues.h"
#include "tests/host/sync.h"
#include "tests/host/turns.h"
#include "tests/tap.h"

#include <string.h>

#define FOR_EVER 0x00fffe00u /* no multiple of MU_ABORT_CHECK is near */
#define MOST     90000ul     /* states, a little more than the largest case has that is finished */
#define FEW      5000ul      /* of a case that is larger than one with more than MOST */

static double all_interleavings;
static unsigned long all_executions, all_states;
static bool saw_plain;

/* The size of a case. A case is larger if no number is smaller, and what does not grow is the same. */
struct extent {
    const void *rollcall, *barrier; /* or the queue */
    uint late;                      /* groups that are not expected */
    bool bounded;
    uint sizes[5]; /* groups, work-items, wait, rounds and polls; or groups, items, rings and polls */
};

/* Cases that had more than MOST states. Of larger ones few are gone through: they cannot be finished either. */
static struct extent cut_cases[256];
static size_t cut_count;

static bool is_larger(const struct extent *extent, const struct extent *cut)
{
    bool larger = extent->rollcall == cut->rollcall && extent->barrier == cut->barrier && extent->late == cut->late &&
                  extent->bounded == cut->bounded;
    for (size_t i = 0; larger && i < sizeof cut->sizes / sizeof cut->sizes[0]; i++)
        larger = extent->sizes[i] >= cut->sizes[i];
    return larger;
}

/* Returns how many states of a case are gone through. */
static unsigned long states_of(const struct extent *extent)
{
    for (size_t i = 0; i < cut_count; i++)
        if (is_larger(extent, &cut_cases[i])) return FEW;
    return MOST;
}

/* Ends an exploration and judges it. Those that only `make check-long` tries may have more than `most` states. */
static void finish(struct explore_result *result, int status, const struct extent *extent, unsigned long most,
                   const char *what)
{
    explore_end(result, true);
    all_executions += result->executions;
    all_states += result->states;
    all_interleavings += result->interleavings;
    saw_plain |= result->saw_plain;
    const bool cut = !result->complete && result->fault[0] == '\0' && result->states >= most;
    char reason[100];
    if (cut && extent != NULL && cut_count < sizeof cut_cases / sizeof cut_cases[0]) cut_cases[cut_count++] = *extent;
    if (result->fault[0] != '\0') printf("# %s\n", result->fault);
    snprintf(reason, sizeof reason, "there are more than %lu states, and the first %lu of these are right", MOST, most);
    if (status == 0 && cut && tap_in_full())
        tap_skip(what, reason);
    else
        CHECK(status == 0 && result->complete && result->executions > 0,
              "%s: %lu states, %lu executions, %.4g interleavings", what, result->states, result->executions,
              result->interleavings);
}

/* ---- Roll calls and barriers ---- */

static void judge_sync(const struct host_sync_case *what, const struct host_sync_result *result)
{
    const bool ended = result->phase == MU_PHASE_NONE;
    const bool whole = result->members >= 1 && result->members == result->size && result->size <= what->groups &&
                       result->crossed == 2 * what->rounds;
    if (!result->ranks_differ || result->wrong != 0 || (ended && !whole))
        explore_fault("%u groups: a team of %u with %u members, ranks %s, %u of %u barriers, %u wrong words, phase %u",
                      what->groups, result->size, result->members, result->ranks_differ ? "differ" : "do not differ",
                      result->crossed, 2 * what->rounds, result->wrong, result->phase);
    if (!ended && what->spin_limit == FOR_EVER) explore_fault("a wait was given up in phase %u", result->phase);
}

static void sync_in_all_ways(struct host_sync_case what)
{
    /* There the work-items of a group give up one by one, and some see early that others did. */
    const bool may_race = strcmp(what.barrier->name, "xf") == 0 || strcmp(what.barrier->name, "tree") == 0;
    const struct extent extent = {what.rollcall,
                                  what.barrier,
                                  what.groups - what.expected,
                                  what.spin_limit != FOR_EVER,
                                  {what.groups, what.workgroup, what.wait, what.rounds, what.spin_limit}};
    const struct explore_setup setup = {.model = MEMORY_INTERLEAVED,
                                        .bounded = what.spin_limit != FOR_EVER,
                                        .may_race = may_race && what.spin_limit != FOR_EVER ? MU_LOCAL_VERDICT + 1 : 0,
                                        .most = states_of(&extent)};
    struct explore_result result;
    struct host_sync_result last;
    char bound[32] = "for ever", text[200];
    if (setup.bounded) snprintf(bound, sizeof bound, "for %u polls", what.spin_limit);
    what.judge = judge_sync;
    explore_begin(&setup);
    const int status = host_sync_run(&what, &last);
    snprintf(text, sizeof text, "%s, %s: %u groups of %u, %u expected, wait %u, %u rounds, spins %s",
             what.rollcall->name, what.barrier->name, what.groups, what.workgroup, what.expected, what.wait,
             what.rounds, bound);
    finish(&result, status, &extent, setup.most, text);
}

/* Whether a case is one of the sample: those that take longer are for `make check-long`. */
static bool is_small(uint size, uint most)
{
    return size <= most || tap_in_full();
}

static void test_roll_call(const struct host_rollcall *rollcall)
{
    struct host_sync_case what = {.rollcall = rollcall, .barrier = &host_barriers[0], .workgroup = 1};
    for (what.groups = 2; what.groups <= 4; what.groups++)
        for (what.wait = 0; what.wait <= 1; what.wait++) {
            /* Whom a roll call expects plays a part in `atomic` alone. */
            for (what.expected = what.groups; what.expected + rollcall->waits_for_all >= what.groups; what.expected--) {
                what.spin_limit = FOR_EVER;
                what.rounds = 0;
                if (is_small(what.groups + what.wait, 3)) sync_in_all_ways(what);
                what.rounds = 1;
                if (is_small(what.groups + what.wait, 2)) sync_in_all_ways(what);
                what.rounds = 0;
                for (what.spin_limit = 1; what.spin_limit <= 3 && what.groups <= 3; what.spin_limit++)
                    if (is_small(2 * what.groups + what.spin_limit + what.wait, 5 + rollcall->waits_for_all))
                        sync_in_all_ways(what);
            }
        }
}

static void test_barrier(const struct host_barrier *barrier)
{
    struct host_sync_case what = {.rollcall = &host_native, .barrier = barrier, .rounds = 1};
    for (what.groups = 1; what.groups <= 4; what.groups++)
        for (what.workgroup = 1; what.workgroup <= 2; what.workgroup++) {
            what.expected = what.groups;
            what.spin_limit = FOR_EVER;
            if (is_small(what.groups, 3)) sync_in_all_ways(what);
            for (what.spin_limit = 1; what.spin_limit <= 3 && what.groups <= 3; what.spin_limit++)
                if (is_small(what.groups + what.spin_limit, 3)) sync_in_all_ways(what);
        }
}

/* ---- Sets of words that take turns ---- */

static unsigned long left_out, given_up; /* executions with groups that came late, and with a wait given up */

/* By induction over launches: one that begins with zeros leaves zeros to the next one, unless it has failed; then the
 * host clears (test_turns.c). Groups that come late, even behind the team's end, take no part. */
static void judge_turn(const struct host_turn_case *what, const struct host_turn_result *result)
{
    const bool ended = result->phase == MU_PHASE_NONE;
    if (ended && (!result->is_right || result->dirty != 0))
        explore_fault(
            "%u groups: a team of %u, whose ranks %s all barriers once; %u words are left for the next launch",
            what->groups, result->team, result->is_right ? "crossed" : "did not all cross", result->dirty);
    if (!ended && what->spin_limit == FOR_EVER) explore_fault("a wait was given up in phase %u", result->phase);
    left_out += ended && result->team < what->groups;
    given_up += !ended;
}

/* From garbage in both sets, of which the host clears the one that is used. */
static void turn_in_all_ways(struct host_turn_case what)
{
    const bool may_race = strcmp(what.barrier->name, "xf") == 0 || strcmp(what.barrier->name, "tree") == 0;
    const struct explore_setup setup = {.model = MEMORY_INTERLEAVED,
                                        .bounded = what.spin_limit != FOR_EVER,
                                        .may_race = may_race && what.spin_limit != FOR_EVER ? MU_LOCAL_VERDICT + 1 : 0,
                                        .most = MOST};
    struct explore_result result;
    struct host_turn_result last;
    struct host_sets sets;
    char text[200];
    what.judge = judge_turn;
    int status = host_sets_make(&sets, what.groups);
    explore_begin(&setup);
    if (status == 0) host_sets_clear(&sets, what.set, what.groups);
    if (status == 0) status = host_turn_run(&sets, &what, &last);
    snprintf(text, sizeof text, "turns, %s, %s: %u groups, set %u%s", what.rollcall->name, what.barrier->name,
             what.groups, what.set, setup.bounded ? ", bounded" : "");
    finish(&result, status, NULL, setup.most, text);
    host_sets_free(&sets);
}

static void test_turns_of(const struct host_rollcall *rollcall, const struct host_barrier *barrier)
{
    struct host_turn_case what = {
        .rollcall = rollcall, .barrier = barrier, .groups = 2, .workgroup = 1, .expected = 2, .rounds = 1};
    for (what.set = 0; what.set <= 1; what.set++) {
        what.spin_limit = FOR_EVER;
        turn_in_all_ways(what);
        what.spin_limit = 2;
        if (is_small(what.set, 0)) turn_in_all_ways(what);
    }
    what.set = 0;
    what.groups = what.expected = 3;
    what.rounds = 0;
    what.spin_limit = FOR_EVER;
    if (is_small(3, 2)) turn_in_all_ways(what);
}

static void test_turns(void)
{
    for (const struct host_rollcall *rollcall = host_rollcalls; rollcall->name != NULL; rollcall++)
        test_turns_of(rollcall, &host_barriers[0]);
    for (const struct host_barrier *barrier = host_barriers; barrier->name != NULL; barrier++)
        test_turns_of(&host_native, barrier);
    CHECK(left_out > 0 && given_up > 0, "%lu executions had groups that came late, and %lu gave a wait up", left_out,
          given_up);
}

/* ---- Queues ---- */

static void judge_flow(const struct host_flow_case *what, const struct host_flow_result *result)
{
    const bool ended = result->phase == MU_PHASE_NONE;
    if (result->twice + result->wrong != 0 || (ended && result->lost + result->unfinished != 0))
        explore_fault("%u lost, %u twice, %u wrong, %u unfinished, phase %u", result->lost, result->twice,
                      result->wrong, result->unfinished, result->phase);
    if (!ended && what->spin_limit == FOR_EVER && what->lost_after == 0)
        explore_fault("a wait was given up in phase %u", result->phase);
}

static void flow_in_all_ways(struct host_flow_case what)
{
    const struct extent extent = {
        what.queue, NULL, 0, what.spin_limit != FOR_EVER, {what.groups, what.total, what.rings, what.spin_limit}};
    const struct explore_setup setup = {.model = MEMORY_INTERLEAVED,
                                        .bounded = what.spin_limit != FOR_EVER,
                                        .turns = 2 * what.rings,
                                        .most = states_of(&extent)};
    struct explore_result result;
    struct host_flow_result last;
    char bound[32] = "for ever", text[200];
    if (setup.bounded) snprintf(bound, sizeof bound, "for %u polls", what.spin_limit);
    what.judge = judge_flow;
    explore_begin(&setup);
    const int status = host_flow_run(&what, &last);
    snprintf(text, sizeof text, "%s: %u items, %u groups, %u rings of %u, spins %s", what.queue->name, what.total,
             what.groups, what.rings, what.slots, bound);
    finish(&result, status, &extent, setup.most, text);
}

/* Takers of a locked queue never stop to take the lock: only a bound makes their interleavings finitely many. And where
 * waiting groups look into many rings in turn, there are too many. */
static void test_queue(const struct host_queue *queue)
{
    struct host_flow_case what = {.queue = queue, .slots = 2};
    const bool has_bound = strcmp(queue->name, "locked") == 0;
    for (what.groups = 2; what.groups <= 3; what.groups++)
        for (what.total = 2; what.total <= 4; what.total++) {
            what.rings = queue->one_owner ? what.groups : 1;
            what.spin_limit = FOR_EVER;
            const bool is_finite = !has_bound && (what.rings < 3 || !queue->one_owner);
            if (is_finite && is_small(3 * what.groups + what.total, 9)) flow_in_all_ways(what);
            for (what.spin_limit = 1; what.spin_limit <= 2; what.spin_limit++)
                if (is_small(what.groups + what.total + what.spin_limit, 5)) flow_in_all_ways(what);
        }
}

/* ---- The reduction ---- */

/* What is reported as the number of interleavings is found to be that by going through them one by one. */
static void test_reduction(const struct host_rollcall *rollcall, uint spin_limit)
{
    struct explore_setup setup = {.model = MEMORY_INTERLEAVED, .bounded = true};
    struct explore_result merged, apart;
    struct host_sync_result last;
    const struct host_sync_case what = {.rollcall = rollcall,
                                        .barrier = &host_barriers[0],
                                        .groups = 2,
                                        .workgroup = 1,
                                        .expected = 2,
                                        .spin_limit = spin_limit,
                                        .judge = judge_sync};
    explore_begin(&setup);
    int status = host_sync_run(&what, &last);
    explore_end(&merged, true);
    setup.apart = true;
    explore_begin(&setup);
    status |= host_sync_run(&what, &last);
    explore_end(&apart, true);
    const double difference = merged.interleavings - (double)apart.executions;
    CHECK(status == 0 && merged.complete && apart.complete && difference > -0.5 && difference < 0.5,
          "%s: %.0f interleavings are counted, and there are %lu", rollcall->name, merged.interleavings,
          apart.executions);
}

int main(void)
{
    test_reduction(&host_rollcalls[0], 2);
    test_reduction(&host_rollcalls[1], 1);
    test_reduction(&host_rollcalls[2], 1);
    for (const struct host_rollcall *rollcall = host_rollcalls; rollcall->name != NULL; rollcall++)
        test_roll_call(rollcall);
    for (const struct host_barrier *barrier = host_barriers; barrier->name != NULL; barrier++) test_barrier(barrier);
    test_turns();
    for (const struct host_queue *queue = host_queues; queue->name != NULL; queue++) test_queue(queue);
    if (!saw_plain) tap_skip("races of plain accesses", "the compiler does not put calls before them");
    printf("# %lu states, %lu executions; they stand for %.4g interleavings\n", all_states, all_executions,
           all_interleavings);
    return tap_done();
}
