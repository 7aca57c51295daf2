/* reach: the host's part. */
#include "reach.state.h"

#include "../levels.clh"
#include "apps/host.h"
#include "reach.plan.h"

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

/* The sequential search: levels, and what `told` must say. */
static void search(const struct mu_graph *graph, uint32_t *level, uint32_t *queue, uint32_t told[REACH_TOLD])
{
    uint32_t count = 1;
    for (uint32_t v = 0; v < graph->vertices; v++) level[v] = LEVEL_UNREACHED;
    level[0] = queue[0] = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t v = queue[i], degree = (uint32_t)(graph->row_start[v + 1] - graph->row_start[v]);
        told[REACH_ROUNDS] = level[v] + 1;
        told[REACH_STAMPED] = level[v];
        told[REACH_ARCS] += degree;
        if (degree > told[REACH_WIDEST]) told[REACH_WIDEST] = told[REACH_HALVES] = degree;
        for (uint64_t e = graph->row_start[v]; e < graph->row_start[v + 1]; e++) {
            const uint32_t head = graph->column[e];
            if (level[head] != LEVEL_UNREACHED) continue;
            level[head] = level[v] + 1;
            queue[count++] = head;
        }
    }
}

static int check(struct mu_instance *instance, struct mu_error *err)
{
    const struct app_state *S = instance->state;
    uint32_t *level = mu_malloc(S->vertices, sizeof *level, "reference levels", err);
    uint32_t *queue = mu_malloc(S->vertices, sizeof *queue, "a queue", err);
    uint32_t told[REACH_TOLD] = {0};
    if (err->status == MU_OK) search(instance->graph, level, queue, told);
    for (uint32_t v = 0; v < S->vertices && err->status == MU_OK; v++)
        if (S->level[v] != level[v])
            mu_fail(err, MU_WRONG, "vertex %u has level %u instead of %u", v, S->level[v], level[v]);
    for (uint32_t word = 0; word < REACH_TOLD && err->status == MU_OK; word++)
        if (S->told[word] != told[word])
            mu_fail(err, MU_WRONG, "the plan tells %u instead of %u as word %u", S->told[word], told[word], word);
    mu_free(level);
    mu_free(queue);
    return err->status;
}

const struct mu_app mu_app_own_reach = {
    .suite = "own",
    .name = "reach",
    .purpose = "breadth-first search by means of every role that has a protocol",
    .result = "level",
    .shared = "apps/own/levels.clh",
    .prepare = prepare,
    .check = check,
    MU_APP_TABLES,
};
