/* kcore: the host's part. */
#include "kcore.state.h"

#include "apps/host.h"
#include "kcore.plan.h"

#include "base/memory.h"

/* Works on the simple undirected graph, which mu_derive_symmetric makes of the input. */
static int prepare(struct mu_instance *instance, struct mu_error *err)
{
    struct app_state *S = instance->state;
    return mu_take_symmetric(instance, MU_ROWS(S), err);
}

/* Peels one vertex, and puts those on the stack whose degree falls to the level. */
static uint32_t peel(const struct mu_graph *graph, uint32_t v, uint32_t level, uint32_t *degree, uint32_t *stack,
                     uint32_t depth)
{
    for (uint64_t e = graph->row_start[v]; e < graph->row_start[v + 1]; e++)
        if (degree[graph->column[e]]-- == level + 1) stack[depth++] = graph->column[e];
    return depth;
}

/* The sequential peeling, level by level. */
static void peel_all(const struct mu_graph *graph, uint32_t *core, uint32_t *degree, uint32_t *stack)
{
    uint32_t left = graph->vertices;
    for (uint32_t v = 0; v < graph->vertices; v++) {
        degree[v] = (uint32_t)(graph->row_start[v + 1] - graph->row_start[v]);
        core[v] = KCORE_NONE;
    }
    for (uint32_t level = 0; left != 0; level++) {
        uint32_t depth = 0;
        for (uint32_t v = 0; v < graph->vertices; v++)
            if (core[v] == KCORE_NONE && degree[v] == level) stack[depth++] = v;
        while (depth != 0) {
            const uint32_t v = stack[--depth];
            core[v] = level;
            left--;
            depth = peel(graph, v, level, degree, stack, depth);
        }
    }
}

static int check(struct mu_instance *instance, struct mu_error *err)
{
    const struct app_state *S = instance->state;
    uint32_t *core = mu_malloc(S->vertices, sizeof *core, "the reference", err);
    uint32_t *degree = mu_malloc(S->vertices, sizeof *degree, "degrees", err);
    uint32_t *stack = mu_malloc(S->vertices, sizeof *stack, "a stack", err);
    if (err->status == MU_OK) {
        peel_all(instance->derived, core, degree, stack);
        mu_check_words(S->core, core, S->vertices, "core", err);
    }
    mu_free(core);
    mu_free(degree);
    mu_free(stack);
    return err->status;
}

const struct mu_app mu_app_own_kcore = {
    .suite = "own",
    .name = "kcore",
    .purpose = "k-core decomposition by peeling",
    .result = "core",
    .prepare = prepare,
    .check = check,
    MU_APP_TABLES,
};
