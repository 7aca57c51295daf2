/* halves: the host's part. */
#include "halves.state.h"

#include "apps/host.h"
#include "halves.clh"
#include "halves.plan.h"

#include "base/memory.h"

#include <string.h>

static int prepare(struct mu_instance *instance, struct mu_error *err)
{
    struct app_state *S = instance->state;
    const struct mu_graph *graph = instance->graph;
    S->vertices = graph->vertices;
    S->row_start = mu_copy_rows(instance, graph, err);
    S->column = mu_copy_words(graph->column, instance->edges, "columns", err);
    return err->status;
}

static uint32_t sum_of_neighbours(const struct mu_graph *graph, const uint32_t *word, uint32_t v)
{
    uint32_t sum = 0;
    for (uint64_t e = graph->row_start[v]; e < graph->row_start[v + 1]; e++) sum += word[graph->column[e]];
    return sum;
}

/* The rounds one after another; what the plan is told last is the sum of the words. */
static uint32_t follow(const struct mu_graph *graph, uint32_t *word[2], uint32_t *own)
{
    uint32_t sum = 0;
    for (uint32_t v = 0; v < graph->vertices; v++) {
        word[0][v] = halves_mix(v, 1);
        own[v] = v;
    }
    for (uint32_t round = 1; round < HALVES_ROUNDS; round++) {
        const uint32_t *from = word[(round + 1) % 2];
        uint32_t *to = word[round % 2];
        sum = 0;
        for (uint32_t v = 0; v < graph->vertices; v++) {
            to[v] = halves_mix(from[v] + sum_of_neighbours(graph, from, v), round);
            sum += to[v];
            for (uint32_t turn = 0; turn < 20; turn++) own[v] = halves_mix(own[v], to[v] + turn);
        }
    }
    return sum;
}

static int check(struct mu_instance *instance, struct mu_error *err)
{
    const struct app_state *S = instance->state;
    uint32_t *word[2] = {mu_malloc(S->vertices, sizeof **word, "reference words", err),
                         mu_malloc(S->vertices, sizeof **word, "reference words", err)};
    uint32_t *own = mu_malloc(S->vertices, sizeof *own, "reference words", err);
    const uint32_t sum = err->status == MU_OK ? follow(instance->graph, word, own) : 0;
    for (uint32_t v = 0; v < S->vertices && err->status == MU_OK; v++) {
        const uint32_t wanted = halves_mix(own[v] + sum_of_neighbours(instance->graph, own, v), sum);
        if (S->result[v] != wanted)
            mu_fail(err, MU_WRONG, "vertex %u has %08x instead of %08x", v, S->result[v], wanted);
    }
    mu_free(word[0]);
    mu_free(word[1]);
    mu_free(own);
    return err->status;
}

const struct mu_app mu_app_own_halves = {
    .suite = "own",
    .name = "halves",
    .purpose = "rounds with a step beside another one, between the halves of the barrier",
    .needs = MU_NEEDS_HALVES,
    .result = "result",
    .prepare = prepare,
    .check = check,
    MU_APP_TABLES,
};
