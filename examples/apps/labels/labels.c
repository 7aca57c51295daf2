/* labels: the host's part. */
#include "labels.state.h"

#include "apps/host.h"
#include "labels.plan.h"

#include "base/memory.h"

/* Works on the simple undirected graph, which mu_derive_symmetric makes of the input. */
static int prepare(struct mu_instance *instance, struct mu_error *err)
{
    struct app_state *S = instance->state;
    return mu_take_symmetric(instance, MU_ROWS(S), err);
}

/* A depth-first search from each vertex that has no label yet, in ascending order. */
static void search(const struct mu_graph *graph, uint32_t *label, uint32_t *stack)
{
    for (uint32_t v = 0; v < graph->vertices; v++) label[v] = UINT32_MAX;
    for (uint32_t root = 0; root < graph->vertices; root++) {
        uint32_t depth = 0;
        if (label[root] != UINT32_MAX) continue;
        label[root] = root;
        stack[depth++] = root;
        while (depth != 0) {
            const uint32_t v = stack[--depth];
            for (uint64_t e = graph->row_start[v]; e < graph->row_start[v + 1]; e++) {
                const uint32_t head = graph->column[e];
                if (label[head] != UINT32_MAX) continue;
                label[head] = root;
                stack[depth++] = head;
            }
        }
    }
}

static int check(struct mu_instance *instance, struct mu_error *err)
{
    const struct app_state *S = instance->state;
    uint32_t *label = mu_malloc(S->vertices, sizeof *label, "the reference", err);
    uint32_t *stack = mu_malloc(S->vertices, sizeof *stack, "a stack", err);
    if (err->status == MU_OK) {
        search(instance->derived, label, stack);
        mu_check_words(S->label, label, S->vertices, "label", err);
    }
    mu_free(label);
    mu_free(stack);
    return err->status;
}

const struct mu_app mu_app_own_labels = {
    .suite = "own",
    .name = "labels",
    .purpose = "connected components by label propagation",
    .result = "label",
    .prepare = prepare,
    .check = check,
    MU_APP_TABLES,
};
