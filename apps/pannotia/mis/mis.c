/* mis: the host's part. The graph is taken as simple and undirected: arcs count in both directions, and loops and
 * parallel arcs do not count. */
#include "mis.state.h"

#define APP_OPTIONS(X) X(batch, uint, MU_ROW_BATCH, .otherwise = "4")
#include "apps/host.h"
#include "apps/priority.clh"
#include "mis.plan.h"

#include "apps/symmetric.h"
#include "base/memory.h"

#include <stdlib.h>

static int prepare(struct mu_instance *instance, struct mu_error *err)
{
    struct app_state *S = instance->state;
    if (mu_derive_symmetric(instance, err) != MU_OK) return err->status;
    S->vertices = instance->derived->vertices;
    S->row_start = mu_copy_rows(instance, instance->derived, err);
    S->column = mu_copy_words(instance->derived->column, instance->edges, "columns", err);
    return err->status;
}

/* Vertices sorted by priority: two passes of a counting sort on 16 bits each. */
static uint32_t *vertices_by_priority(uint32_t vertices, struct mu_error *err)
{
    uint32_t *sorted = mu_malloc(vertices, sizeof *sorted, "vertices by priority", err);
    uint32_t *passing = mu_malloc(vertices, sizeof *passing, "vertices by priority", err);
    size_t *start = mu_malloc(65537, sizeof *start, "a counting sort", err);
    for (uint32_t v = 0; err->status == MU_OK && v < vertices; v++) passing[v] = v;
    for (unsigned shift = 0; err->status == MU_OK && shift < 32; shift += 16) {
        for (size_t i = 0; i < 65537; i++) start[i] = 0;
        for (uint32_t i = 0; i < vertices; i++) start[((mu_priority(passing[i]) >> shift) & 0xffff) + 1]++;
        for (size_t i = 1; i < 65537; i++) start[i] += start[i - 1];
        for (uint32_t i = 0; i < vertices; i++)
            sorted[start[(mu_priority(passing[i]) >> shift) & 0xffff]++] = passing[i];
        uint32_t *swap = passing;
        passing = sorted;
        sorted = swap;
    }
    mu_free(start);
    mu_free(sorted);
    if (err->status == MU_OK) return passing;
    mu_free(passing);
    return NULL;
}

/* The reference: the sequential greedy in priority order. */
static int make_reference(struct mu_instance *instance, struct mu_error *err)
{
    const struct mu_graph *graph = instance->derived;
    uint32_t *order = vertices_by_priority(graph->vertices, err);
    uint32_t *status = mu_calloc(graph->vertices, sizeof *status, "the reference set", err);
    for (uint32_t i = 0; err->status == MU_OK && i < graph->vertices; i++) {
        const uint32_t v = order[i];
        if (status[v] == MIS_OUT) continue;
        status[v] = MIS_IN;
        for (uint64_t e = graph->row_start[v]; e < graph->row_start[v + 1]; e++) status[graph->column[e]] = MIS_OUT;
    }
    mu_free(order);
    if (err->status == MU_OK)
        instance->reference = status;
    else
        mu_free(status);
    return err->status;
}

static int check(struct mu_instance *instance, struct mu_error *err)
{
    const struct mu_graph *graph = instance->derived;
    const struct app_state *S = instance->state;
    if (instance->reference == NULL && mu_check_symmetric(instance, err) != MU_OK) return err->status;
    for (uint32_t v = 0; v < graph->vertices; v++) {
        if (S->status[v] != MIS_IN && S->status[v] != MIS_OUT)
            return mu_fail(err, MU_WRONG, "vertex %u has status %u, which is neither in nor out", v, S->status[v]);
        bool neighbour_in = false;
        for (uint64_t e = graph->row_start[v]; e < graph->row_start[v + 1]; e++)
            neighbour_in |= S->status[graph->column[e]] == MIS_IN;
        if (neighbour_in && S->status[v] == MIS_IN)
            return mu_fail(err, MU_WRONG, "not independent: vertex %u and a neighbour are both in", v);
        if (!neighbour_in && S->status[v] == MIS_OUT)
            return mu_fail(err, MU_WRONG, "not maximal: vertex %u and all its neighbours are out", v);
    }
    if (instance->reference == NULL && make_reference(instance, err) != MU_OK) return err->status;
    const uint32_t *reference = instance->reference;
    for (uint32_t v = 0; v < graph->vertices; v++)
        if (S->status[v] != reference[v])
            return mu_fail(err, MU_WRONG, "vertex %u is %s, but %s in the lexicographically first set", v,
                           S->status[v] == MIS_IN ? "in" : "out", reference[v] == MIS_IN ? "in" : "out");
    return MU_OK;
}

const struct mu_app mu_app_pannotia_mis = {
    .suite = "pannotia",
    .name = "mis",
    .purpose = "maximal independent set: the lexicographically first in priority order",
    .needs = 0,
    .result = "status",
    .prepare = prepare,
    .check = check,
    MU_APP_TABLES,
};
