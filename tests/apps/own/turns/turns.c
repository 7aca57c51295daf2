/* turns: the host's part. */
#include "turns.state.h"

#include "apps/host.h"
#include "turns.plan.h"

static int prepare(struct mu_instance *instance, struct mu_error *err)
{
    struct app_state *S = instance->state;
    S->vertices = instance->graph->vertices;
    return err->status;
}

/* What turns.plan.h counts, by the meaning of its questions. */
static void expect(uint32_t vertices, uint32_t told[TURNS_TOLD])
{
    for (uint32_t round = 1; round <= TURNS_ROUNDS; round++) {
        told[TURNS_ODD] += round % 2;
        told[TURNS_BY_TWO] += (TURNS_ROUNDS + 2 * round) / 2 % 2;
        told[TURNS_TWICE] += round % 2 + 1000 * (round / 2 % 2);
        told[TURNS_LATER] += round % 2 + (round % 3 == 0 ? 1000 : 0);
        told[TURNS_AGAIN] += ((round - 1) % 3 + 1) % 2;
        told[TURNS_IDLE] += round > 3 && round % 2 == 1;
        told[TURNS_COUNTED] += round % 2 * vertices;
        told[TURNS_SUMMED] += round % 2 * (vertices + 1);
    }
}

static int check(struct mu_instance *instance, struct mu_error *err)
{
    const struct app_state *S = instance->state;
    uint32_t told[TURNS_TOLD] = {0};
    expect(S->vertices, told);
    for (uint32_t word = 0; word < TURNS_TOLD && err->status == MU_OK; word++)
        if (S->told[word] != told[word])
            mu_fail(err, MU_WRONG, "the plan tells %u instead of %u as word %u", S->told[word], told[word], word);
    return err->status;
}

const struct mu_app mu_app_own_turns = {
    .suite = "own",
    .name = "turns",
    .purpose = "questions about flags, counters and sums, one form after another",
    .result = "told",
    .prepare = prepare,
    .check = check,
    MU_APP_TABLES,
};
