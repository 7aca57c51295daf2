/* Sets of words that take turns, over sequences of launches: good ones, ones that fail in the roll call or at a
 * barrier, ones of more and of fewer groups. The host's rule (mu_turns_begin) is the real one, and so are roll calls,
 * barriers and the first and last line of a kernel; work-items are threads. */
#include "variants/launch/team_launch.h"

#include "tests/host/turns.h"
#include "tests/tap.h"

#include <string.h>

#define MOST_GROUPS 6
#define PATIENT     (1u << 30)
#define LONG        (1u << 30) /* polls */
#define SHORT       (1u << 12)

/* What becomes of a launch. */
enum fate { GOOD, STUCK_IN_ROLL_CALL, STUCK_AT_BARRIER };

static const struct step {
    uint groups;
    enum fate fate;
} steps[] = {
    {3, GOOD},
    {3, GOOD},
    {3, STUCK_IN_ROLL_CALL},
    {3, GOOD},
    {2, GOOD}, /* fewer */
    {2, GOOD},
    {MOST_GROUPS, GOOD}, /* more than either set was zeroed for */
    {MOST_GROUPS, GOOD},
    {3, STUCK_AT_BARRIER},
    {MOST_GROUPS, GOOD},
    {3, STUCK_IN_ROLL_CALL},
    {3, STUCK_IN_ROLL_CALL},
    {3, GOOD},
    {3, GOOD},
};
enum { STEPS = sizeof steps / sizeof steps[0] };

/* How a host errs that must be found out. */
enum mistake { NONE, FORGETS_FAILURES, IGNORES_SIZES, NEVER_CLEARS };

static struct host_turn_case case_of(const struct step *step, const struct host_rollcall *rollcall,
                                     const struct host_barrier *barrier)
{
    const bool patient = rollcall->waits_for_all, native = rollcall == &host_native;
    struct host_turn_case what = {.rollcall = rollcall,
                                  .barrier = barrier,
                                  .groups = step->groups,
                                  .workgroup = 2,
                                  .expected = step->groups,
                                  .wait = patient && !native ? PATIENT : 0,
                                  .rounds = 5,
                                  .spin_limit = step->fate == GOOD ? LONG : SHORT};
    if (step->fate == GOOD) return what;
    what.expected = step->groups + (patient || native); /* somebody who never comes */
    what.locked = step->fate == STUCK_IN_ROLL_CALL && !patient;
    if (step->fate != STUCK_AT_BARRIER || native) return what;
    what.rollcall = &host_native;
    what.expected = step->groups + 1;
    what.wait = 0;
    return what;
}

/* Runs one launch as the host would. Returns whether it came out as it should. */
static bool run(struct host_sets *sets, struct mu_turns *turns, struct host_turn_case what, enum fate fate,
                enum mistake mistake)
{
    struct host_turn_result result = {0};
    const bool clears = mu_turns_begin(turns, mistake == IGNORES_SIZES ? 1 : what.groups);
    what.set = turns->turn;
    if (clears && mistake != NEVER_CLEARS) host_sets_clear(sets, what.set, what.groups);
    if (host_turn_run(sets, &what, &result) != 0) return false;
    const bool well = result.phase == MU_PHASE_NONE && result.team != 0;
    if (well || mistake == FORGETS_FAILURES) mu_turns_end(turns, what.groups);
    return fate == GOOD ? well && result.is_right && result.dirty == 0 : !well;
}

/* How many launches of the sequence did not come out as they should. */
static uint wrong_launches(const struct host_rollcall *rollcall, const struct host_barrier *barrier,
                           enum mistake mistake)
{
    struct host_sets sets;
    struct mu_turns turns = {0};
    uint wrong = 0;
    if (host_sets_make(&sets, MOST_GROUPS) != 0) return STEPS;
    for (size_t i = 0; i < STEPS; i++) {
        struct host_turn_case what = case_of(&steps[i], rollcall, barrier);
        if (mistake != NONE && what.spin_limit == LONG) what.spin_limit = 1u << 16;
        wrong += !run(&sets, &turns, what, steps[i].fate, mistake);
    }
    host_sets_free(&sets);
    return wrong;
}

static void test_rule(void)
{
    struct mu_turns turns = {0};
    CHECK(mu_turns_begin(&turns, 4), "the first set is cleared");
    mu_turns_end(&turns, 4);
    CHECK(!mu_turns_begin(&turns, 4) && turns.turn == 1, "the team has zeroed the second set");
    mu_turns_end(&turns, 4);
    CHECK(mu_turns_begin(&turns, 5) && turns.turn == 0, "more groups: it was zeroed for fewer");
    CHECK(mu_turns_begin(&turns, 1), "behind a failure nothing is known to be zeros");
    mu_turns_end(&turns, 1);
    CHECK(!mu_turns_begin(&turns, 1), "… until a launch has ended well");
}

int main(void)
{
    test_rule();
    for (const struct host_rollcall *rollcall = host_rollcalls; rollcall->name != NULL; rollcall++)
        CHECK(wrong_launches(rollcall, &host_barriers[0], NONE) == 0, "%s: good launches between failed ones",
              rollcall->name);
    for (const struct host_barrier *barrier = host_barriers; barrier->name != NULL; barrier++)
        CHECK(wrong_launches(&host_native, barrier, NONE) == 0, "%s: good launches between failed ones", barrier->name);
    CHECK(wrong_launches(&host_rollcalls[1], &host_barriers[0], FORGETS_FAILURES) > 0,
          "a host that does not clear behind a failure is found out");
    CHECK(wrong_launches(&host_rollcalls[0], &host_barriers[2], IGNORES_SIZES) > 0,
          "… and one that does not look at the number of groups");
    CHECK(wrong_launches(&host_rollcalls[0], &host_barriers[0], NEVER_CLEARS) > 0, "… and one that never clears");
    return tap_done();
}
