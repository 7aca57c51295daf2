/* plans: the host's part. The plans are those of tests/host/plans.h, which tests/variants/test_plans explores, but for
 * those that break a rule. */
#include "plans.state.h"

#define APP_OPTIONS(X)                                                                                                 \
    X(plans, uint, .argument = "N", .is = MU_OPTION_INPUT, .min = 1, .max = 1000, .otherwise = "20",                   \
      .help = "So many random plans, one behind the other")                                                            \
    X(from, uint, .argument = "SEED", .is = MU_OPTION_INPUT, .min = 1, .max = 1u << 20, .otherwise = "1",              \
      .help = "The seed of the first of them")
#include "apps/host.h"
#include "plans.plan.h"

#include "base/memory.h"
#include "tests/host/plan_meaning.c"

/* What flags of one plan are told is above that of the plans before it, so that it means what it does alone. */
#define APART 32

enum { MOST_STEPS = 60000 };

_Static_assert((int)PLAN_STAMP == PLANS_STAMP && (int)PLAN_COUNT == PLANS_COUNT && (int)PLAN_ADD == PLANS_ADD &&
                   (int)PLAN_STAMPED == PLANS_STAMPED && (int)PLAN_COUNTED == PLANS_COUNTED,
               "both number the kinds alike");

/* The next plan that breaks no rule and begins with a step. Steps that are not on have no elements. */
static struct plan next_plan(uint64_t *seed)
{
    for (;;) {
        struct plan plan = plan_random((*seed)++);
        for (uint32_t i = 0; i < plan.ops; i++) {
            plan.op[i].left_out = false;
            plan.op[i].ahead = 0;
        }
        if (plan.op[0].kind <= PLAN_PASS && !plan_meaning(&plan).refused) return plan;
    }
}

static uint32_t word_of(const struct plan *plan, const struct plan_op *op, uint32_t round)
{
    const uint32_t elements = bits_of(op->elements[round], plan->slots);
    const bool begins = op == plan->op && round == 0;
    return (uint32_t)op->kind | op->flag << 3 | (op->on >> round & 1) << 4 | (op->if_odd ? 1u : 0u) << 5 |
           (begins ? 1u : 0u) << 6 | elements << 8 | plan->slots << 12;
}

/* Appends a plan, of which `number` are before it. */
static void append(struct app_state *S, const struct plan *plan, uint32_t number)
{
    for (uint32_t round = 0; round < plan->rounds; round++)
        for (const struct plan_op *op = plan->op; op < plan->op + plan->ops; op++) {
            const uint32_t word = word_of(plan, op, round), told = plan->number[round] + APART * number;
            if (op->kind <= PLAN_PASS) {
                S->step[S->steps] = word;
                S->told[S->steps++] = told;
            } else {
                S->question[S->questions] = word;
                S->asked[S->questions++] = told;
            }
            S->behind[S->steps] = S->questions;
        }
}

static int prepare(struct mu_instance *instance, struct mu_error *err)
{
    struct app_state *S = instance->state;
    uint64_t seed = S->option.from;
    S->step = mu_calloc(MOST_STEPS, sizeof *S->step, "steps", err);
    S->told = mu_calloc(MOST_STEPS, sizeof *S->told, "steps", err);
    S->behind = mu_calloc(MOST_STEPS + 1, sizeof *S->behind, "steps", err);
    S->question = mu_calloc(MOST_STEPS, sizeof *S->question, "questions", err);
    S->asked = mu_calloc(MOST_STEPS, sizeof *S->asked, "questions", err);
    for (uint32_t i = 0; i < S->option.plans && err->status == MU_OK; i++) {
        const struct plan plan = next_plan(&seed);
        if (S->steps + PLAN_MOST_STEPS >= MOST_STEPS || S->questions + PLAN_MOST_STEPS >= MOST_STEPS)
            return mu_fail(err, MU_LIMIT, "more than %d steps", MOST_STEPS);
        append(S, &plan, i);
    }
    return err->status;
}

static int check(struct mu_instance *instance, struct mu_error *err)
{
    const struct app_state *S = instance->state;
    uint64_t seed = S->option.from;
    uint32_t all = PLANS_TAKE(0, 0);
    for (uint32_t i = 0; i < S->option.plans; i++) {
        const struct plan plan = next_plan(&seed);
        const uint32_t read = plan_meaning(&plan).read;
        all = PLANS_TAKE(all, read);
    }
    if (S->read[0] != all) return mu_fail(err, MU_WRONG, "the plans have read %u instead of %u", S->read[0], all);
    for (uint32_t i = 0; i < PLANS_SLOTS; i++) {
        uint32_t own = i;
        for (uint32_t at = 0; at < S->steps; at++) own = PLANS_TAKE(own, at);
        if (S->own[i] != own) return mu_fail(err, MU_WRONG, "beside the steps %u became %u", i, S->own[i]);
    }
    return MU_OK;
}

const struct mu_app mu_app_own_plans = {
    .suite = "own",
    .name = "plans",
    .purpose = "random plans of flags, counters and sums, with work beside their barriers",
    .result = "own",
    .needs = MU_NEEDS_HALVES,
    .prepare = prepare,
    .check = check,
    MU_APP_TABLES,
};
