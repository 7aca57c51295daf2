/* Random plans, and what they mean. */
#include "inputs/rng.h"
#include "tests/host/plans.h"

#define NEVER UINT32_MAX

/* ---- The meaning ---- */

struct flag {
    uint told; /* by the last step that stamped and had elements; NEVER */
    bool stamped, asked;
};

/* What a sequential run knows. */
struct state {
    const struct plan *plan;
    struct flag flag[2];
    uint counts, due, count; /* the round of the next step that counts; that behind the last one, and what it counted */
    uint steps, added, sum;  /* the last step; the last that added, and its sum */
    struct plan_meaning meaning;
};

static uint bits_of(uint bits, uint slots)
{
    return bits & ((1u << slots) - 1);
}

static void mean_step(struct state *state, const struct plan_op *op, uint round, bool on)
{
    const uint told = state->plan->number[round], bits = bits_of(op->elements[round], state->plan->slots);
    struct flag *flag = &state->flag[op->flag];
    state->steps++;
    if (op->kind == PLAN_STAMP && on) {
        if (told == 0 || (flag->told == told && !flag->asked)) state->meaning.refused = true;
        *flag = (struct flag){told, bits != 0, false};
    }
    if (op->kind == PLAN_COUNT && on) {
        state->due = ++state->counts;
        state->count = (uint)__builtin_popcount(bits);
    }
    if (op->kind == PLAN_ADD) {
        state->added = state->steps;
        state->sum = on ? bits : 0;
    }
}

static uint mean_question(struct state *state, const struct plan_op *op, uint round)
{
    const uint told = state->plan->number[round] + op->ahead, counted = state->counts + op->ahead;
    struct flag *flag = &state->flag[op->flag];
    switch (op->kind) {
    case PLAN_STAMPED:
        flag->asked = true;
        if (told == 0 || (flag->told != NEVER && flag->told > told)) state->meaning.refused = true;
        return flag->told == told && flag->stamped;
    case PLAN_COUNTED:
        if (counted == 0 || state->due != counted) state->meaning.refused = true;
        return state->count;
    default:
        if (state->added != state->steps) state->meaning.refused = true;
        return state->sum;
    }
}

struct plan_meaning plan_meaning(const struct plan *plan)
{
    struct state state = {.plan = plan, .flag = {{.told = NEVER}, {.told = NEVER}}};
    uint *read = &state.meaning.read;
    for (uint round = 0; round < plan->rounds; round++)
        for (uint i = 0; i < plan->ops && !state.meaning.refused; i++) {
            const struct plan_op *op = &plan->op[i];
            const bool on = (op->on >> round & 1) != 0 && (!op->if_odd || *read % 2 == 1);
            if (op->kind > PLAN_PASS) {
                if (on) *read = 5 * *read + mean_question(&state, op, round) + 1;
            } else if (on || !op->left_out)
                mean_step(&state, op, round, on);
        }
    return state.meaning;
}

/* ---- Random plans ---- */

struct dice {
    uint64_t stream, drawn;
};

static uint draw(struct dice *dice, uint below)
{
    return mu_random_below(dice->stream, dice->drawn++, below);
}

static bool one_in(struct dice *dice, uint chance)
{
    return draw(dice, chance) == 0;
}

static struct plan_op random_op(struct dice *dice, enum plan_kind kind, uint flag)
{
    struct plan_op op = {.kind = kind, .flag = flag, .on = one_in(dice, 3) ? draw(dice, 8) : 7};
    op.if_odd = one_in(dice, 6);
    op.left_out = one_in(dice, 3);
    op.ahead = one_in(dice, 40);
    for (uint round = 0; round < PLAN_MOST_ROUNDS; round++) op.elements[round] = one_in(dice, 2) ? draw(dice, 8) : 0;
    return op;
}

/* Steps, each mostly with a question about it, now and then behind another step. */
static void add_ops(struct plan *plan, struct dice *dice)
{
    static const enum plan_kind question[] = {PLAN_STAMPED, PLAN_COUNTED, PLAN_SUM, PLAN_STAMPED};
    const uint steps = 1 + draw(dice, 4);
    for (uint step = 0; step < steps; step++) {
        const enum plan_kind kind = one_in(dice, 2) ? PLAN_STAMP : (enum plan_kind)draw(dice, PLAN_PASS + 1);
        const uint flag = one_in(dice, 4);
        plan->op[plan->ops++] = random_op(dice, kind, flag);
        if (!one_in(dice, 6)) plan->op[plan->ops++] = random_op(dice, question[kind], flag);
        if (plan->ops >= 3 && one_in(dice, 4)) { /* the question and the step before it change places */
            const struct plan_op last = plan->op[plan->ops - 1];
            plan->op[plan->ops - 1] = plan->op[plan->ops - 2];
            plan->op[plan->ops - 2] = last;
        }
    }
}

struct plan plan_random(uint64_t seed)
{
    struct dice dice = {mu_random_stream(seed, UINT64_C(0x706c616e)), 0};
    struct plan plan = {.slots = 2 + one_in(&dice, 2), .rounds = 1 + draw(&dice, PLAN_MOST_ROUNDS)};
    const uint by = 1 + one_in(&dice, 4), from = one_in(&dice, 20) ? 0 : 1 + draw(&dice, 2);
    const bool again = one_in(&dice, 4), parks = one_in(&dice, 2);
    for (uint round = 0; round < PLAN_MOST_ROUNDS; round++)
        plan.number[round] = from + (again ? round % 2 : round) * by;
    add_ops(&plan, &dice);
    plan.size[0] = plan.slots;
    for (uint step = 1; step <= PLAN_MOST_STEPS; step++)
        plan.size[step] = parks && one_in(&dice, 2) ? 1 + draw(&dice, plan.slots)
                          : parks                   ? plan.size[step - 1]
                                                    : plan.slots;
    return plan;
}
