/* variants/launch/report_ranks and plan_step: what a deadlock's message says of steps and ranks, from the words that a
 * launch leaves. tests/variants/deadlock.sh has the same of real kernels. */
#include "variants/launch/plan_step.h"
#include "variants/launch/report.h"

#include "tests/tap.h"
#include "variants/embedded.h"
#include "variants/teams/sync_layout.clh"

#include <string.h>

#define TEAM 40u

static const char plan[] = "/* A PLAN with STEP in a comment. */\n" /* 1 */
                           "PLAN(app)\n"
                           "{\n"
                           "    STEP(init, S.vertices, 0);\n" /* 4 */
                           "    do {\n"
                           "        STEP2 (hook_all, S.size,\n" /* 6 */
                           "               round, 1);\n"
                           "        MYSTEP(none, 0);\n" /* 8 */
                           "    } while (READ(flag, 0));\n"
                           "    STEP_SPLIT(edge, S.rim, 0, inner, S.size, 0);\n" /* 10 */
                           "    STEP_OTHER(none, 0);\n"
                           "}\n";

static void test_steps(void)
{
    static const struct {
        uint32_t line;
        const char *name;
    } cases[] = {{4, "init"},     {5, "init"},  {6, "hook_all"}, {7, "hook_all"},
                 {8, "hook_all"}, {10, "edge"}, {1000, "edge"}};
    char name[16];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        CHECK(mu_step_of_line(plan, cases[i].line, name, sizeof name) && strcmp(name, cases[i].name) == 0,
              "the step of line %u is %s", cases[i].line, cases[i].name);
    CHECK(!mu_step_of_line(plan, 3, name, sizeof name) && !mu_step_of_line("", 1, name, sizeof name),
          "no step has begun before the first one");
    CHECK(!mu_step_of_line(plan, 7, name, sizeof "hook_all" - 1), "a name without room is none");
}

static void test_place(void)
{
    char text[200], wanted[200];
    const struct mu_plan_source bfs = {.path = "apps/lonestar/bfs/bfs.plan.h"}, none = {.path = "apps/none.plan.h"};
    const char *source = mu_embedded_find(bfs.path)->text, *init = strstr(source, "STEP(init");
    uint32_t line = 1;
    for (const char *c = source; init != NULL && c < init; c++) line += *c == '\n';
    mu_plan_place(&bfs, line, text, sizeof text);
    snprintf(wanted, sizeof wanted, " behind step init (%s:%u)", bfs.path, line);
    CHECK(init != NULL && strcmp(text, wanted) == 0, "a place in a plan:%s", text);
    mu_plan_place(&none, 7, text, sizeof text);
    CHECK(strcmp(text, " (apps/none.plan.h:7)") == 0, "a place in a plan that is not there:%s", text);
}

/* Words for the line. */
static void say(const void *owner, uint32_t line, char *text, size_t bytes)
{
    snprintf(text, bytes, " %s %u", (const char *)owner, line);
}

/* All ranks wait at barrier 5 on line 9. */
static struct mu_report_barrier at = {.number = 5, .place = 9, .team = TEAM, .arrived = 2};
static const struct mu_places places = {say, NULL, "at"};
static uint32_t ended[TEAM], waited[2 * TEAM];

static void all_arrived(void)
{
    for (uint32_t rank = 0; rank < TEAM; rank++) {
        ended[rank] = MU_ENDED(TEAM, 5);
        waited[2 * rank] = 5;
        waited[2 * rank + 1] = 9;
    }
}

static void set(uint32_t rank, uint32_t end, uint32_t barrier, uint32_t place)
{
    ended[rank] = end;
    waited[2 * rank] = barrier;
    waited[2 * rank + 1] = place;
}

static void expect(const char *what, const char *wanted)
{
    char text[1024];
    mu_report_ranks(&places, &at, ended, waited, text, sizeof text);
    if (!CHECK(strcmp(text, wanted) == 0, "%s", what)) printf("# '%s'\n", text);
}

static void test_ranks(void)
{
    all_arrived();
    expect("all are there", "");
    set(3, MU_ENDED(TEAM, 4), 0, 0);
    expect("a rank ended before", "; missing: rank 3, which ended behind 4 barriers");
    set(3, MU_ENDED(TEAM, 1), 0, 0);
    expect("… behind one", "; missing: rank 3, which ended behind 1 barrier");
    for (uint32_t rank = 36; rank < TEAM; rank++) set(rank, MU_ENDED(TEAM, 6), 6, 10 | MU_WAITED_LATE);
    set(30, MU_ENDED(TEAM, 5), 5, 9 | MU_WAITED_LATE);
    expect("ranges, and several fates",
           "; missing: rank 3, which ended behind 1 barrier; ranks 30, 36-39, which came later");
    all_arrived();
    set(0, MU_ENDED(TEAM, 5), 5, 12);
    set(1, MU_ENDED(TEAM, 4), 4, 8);
    set(2, 0, 0, 0);
    expect("other places, and nothing at all",
           "; missing: rank 0, which waited at barrier 5 at 12; rank 1, which waited at barrier 4 at 8; rank 2, of "
           "which nothing is known");
    set(3, MU_ENDED(TEAM, 4), 0, 0);
    set(4, MU_ENDED(TEAM, 3), 0, 0);
    expect("no more than four fates",
           "; missing: rank 0, which waited at barrier 5 at 12; rank 1, which waited at barrier 4 at 8; rank 2, of "
           "which nothing is known; rank 3, which ended behind 4 barriers; and others");
    all_arrived();
    for (uint32_t rank = 0; rank < TEAM; rank += 2) set(rank, 0, 0, 0);
    expect("no more than eight ranges",
           "; missing: ranks 0, 2, 4, 6, 8, 10, 12, 14 and more, 20 in all, of which nothing is known");
}

/* Two had arrived, of whom rank 0 waited to the end. */
static void test_late(void)
{
    all_arrived();
    for (uint32_t rank = 1; rank < TEAM; rank++) set(rank, MU_ENDED(TEAM, 5), 5, 9 | MU_WAITED_LATE);
    expect("one of those that hardly waited had arrived",
           "; missing: ranks 1-39, of which 1 came at the last moment, and the others later");
    at.arrived = TEAM - 1;
    set(1, MU_ENDED(TEAM, 4), 0, 0);
    expect("all of them had",
           "; missing: rank 1, which ended behind 4 barriers; ranks 2-39, which came at the last moment");
    at.arrived = 2;
}

static void test_room(void)
{
    char text[24];
    memset(text, 'x', sizeof text);
    all_arrived();
    set(3, 0, 0, 0);
    mu_report_ranks(&places, &at, ended, waited, text, sizeof text);
    CHECK(strcmp(text, "; missing: rank 3, of w") == 0, "a text with little room is cut off: %s", text);
}

int main(void)
{
    test_steps();
    test_place();
    test_ranks();
    test_late();
    test_room();
    return tap_done();
}
