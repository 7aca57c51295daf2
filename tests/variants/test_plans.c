/* Random plans in every interleaving of their accesses (tests/host/plans.h): each slot of the team reads what the plan
 * means, and a plan that breaks a rule is refused, whoever is fast, slow or parked. The protocols that were tried
 * before are mutants, of which some plan must find each. */
#include "tests/host/explore.h"
#include "tests/host/plans.h"
#include "tests/tap.h"

#include <string.h>

#define MOST        20000ul /* states of a plan */
#define SOME_PLANS  50      /* of `make check` */
#define ALL_PLANS   1000
#define MOST_MUTANT 600 /* plans until a mutant is found */

static void say_fault(const char *what)
{
    explore_fault("%s", what);
}

static int explore(const struct plan *plan, enum plan_mutant mutant, struct explore_result *result)
{
    const struct explore_setup setup = {.model = MEMORY_INTERLEAVED, .bounded = true, .most = MOST};
    explore_begin(&setup);
    const int status = plan_run(plan, mutant, say_fault);
    explore_end(result, mutant == PLAN_RIGHT);
    return status;
}

static void print_plan(const struct plan *plan)
{
    static const char *const names[PLAN_KINDS] = {"STAMP", "COUNT", "ADD", "PASS", "stamped", "counted", "sum"};
    printf("# %u slots, %u rounds, told %u %u %u, teams", plan->slots, plan->rounds, plan->number[0], plan->number[1],
           plan->number[2]);
    for (uint step = 0; step <= plan->ops * plan->rounds; step++) printf(" %u", plan->size[step]);
    printf("\n");
    for (const struct plan_op *op = plan->op; op < plan->op + plan->ops; op++)
        printf("#   %s %u, on %u%s%s, elements %u %u %u, ahead %u\n", names[op->kind], op->flag, op->on,
               op->if_odd ? " if odd" : "", op->left_out ? ", left out" : "", op->elements[0], op->elements[1],
               op->elements[2], op->ahead);
}

static void test_right(void)
{
    const uint plans = tap_in_full() ? ALL_PLANS : SOME_PLANS;
    unsigned long states = 0, executions = 0;
    uint wrong = 0, cut = 0, refused = 0;
    for (uint seed = 1; seed <= plans; seed++) {
        const struct plan plan = plan_random(seed);
        struct explore_result result;
        const int status = explore(&plan, PLAN_RIGHT, &result);
        states += result.states;
        executions += result.executions;
        refused += plan_meaning(&plan).refused;
        cut += !result.complete && result.fault[0] == '\0';
        /* What a plan reads that breaks a rule is of no use, and may change meanwhile. */
        const bool raced = strstr(result.fault, " races with ") != NULL && plan_meaning(&plan).refused;
        if (status == 0 && (result.fault[0] == '\0' || raced)) continue;
        wrong++;
        printf("# plan %u: %s\n", seed, result.fault);
        print_plan(&plan);
    }
    CHECK(wrong == 0 && executions > 0,
          "%u plans: %lu states, %lu executions; %u break a rule; of %u the first %lu states", plans, states,
          executions, refused, cut, MOST);
    CHECK(refused > 0 && refused < plans / 2 && cut < plans / 4,
          "most plans are right, and most are explored to their end");
}

static void test_mutant(enum plan_mutant mutant, const char *what)
{
    struct explore_result result = {.complete = true};
    uint seed = 0;
    while (seed < MOST_MUTANT && result.fault[0] == '\0') {
        const struct plan plan = plan_random(++seed);
        if (!plan_meaning(&plan).refused) explore(&plan, mutant, &result);
    }
    CHECK(result.fault[0] != '\0', "%s: %s (plan %u)", what, result.fault, seed);
}

int main(void)
{
    test_right();
    test_mutant(PLAN_LATEST, "one word, compared with >=");
    test_mutant(PLAN_PARITY, "two words by parity of the round");
    test_mutant(PLAN_BARRIERS, "two words by parity of the step");
    test_mutant(PLAN_ROUND, "words that take turns, and hold rounds");
    test_mutant(PLAN_IDLE, "steps without elements that stamp");
    test_mutant(PLAN_PARKED, "parked slots that stamp");
    return tap_done();
}
