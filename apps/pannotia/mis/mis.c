/* mis: the host's part. The graph is taken as simple and undirected: arcs count in both directions, and loops and
 * parallel arcs do not count. */
#include "mis.state.h"

#define APP_OPTIONS(X)                                                                                                 \
    X(batch, uint, MU_ROW_BATCH, .otherwise = "4")                                                                     \
    X(serial_degree, uint, .argument = "EDGES", .is = MU_OPTION_BUILD, .min = 1, .max = 1u << 20, .otherwise = "64",   \
      .help = "Arcs that a work-item passes in a round on its own; a row with more to pass is its workgroup's")        \
    X(sweeps, uint, MU_ROW_SWEEPS)
#include "apps/host.h"
#include "apps/priority.clh"
#include "mis.plan.h"

#include "apps/symmetric.h"
#include "base/memory.h"
#include "inputs/radix.h"

static bool all_rows_are_short(const struct mu_graph *graph, uint64_t most)
{
    for (uint32_t v = 0; v < graph->vertices; v++)
        if (graph->row_start[v + 1] - graph->row_start[v] > most) return false;
    return true;
}

static int prepare(struct mu_instance *instance, struct mu_error *err)
{
    struct app_state *S = instance->state;
    if (mu_take_symmetric(instance, MU_ROWS(S), err) != MU_OK) return err->status;
    S->scattered = mu_is_scattered(instance->derived);
    if (instance->derived->vertices >= mu_many_vertices &&
        all_rows_are_short(instance->derived, S->option.serial_degree))
        instance->form = "MIS_DEALS=1";
    return MU_OK;
}

/* Returns the place of a vertex in the order, least first: by the number of binary digits of the degree, and then by
 * priority. */
static uint64_t rank_of(const struct mu_graph *graph, uint32_t v)
{
    uint64_t digits = 0;
    for (uint64_t degree = graph->row_start[v + 1] - graph->row_start[v]; degree != 0; degree /= 2) digits++;
    return digits << 32 | mu_priority(v);
}

/* Returns the vertices in that order; NULL without memory. */
static uint32_t *vertices_in_order(const struct mu_graph *graph, struct mu_error *err)
{
    const uint32_t vertices = graph->vertices;
    const struct mu_sort_span span = {.key = mu_malloc(vertices, 8, "the order of vertices", err),
                                      .spare_key = mu_malloc(vertices, 8, "the order of vertices", err),
                                      .payload = mu_malloc(vertices, 4, "the order of vertices", err),
                                      .spare_payload = mu_malloc(vertices, 4, "the order of vertices", err),
                                      .count = vertices};
    for (uint32_t v = 0; err->status == MU_OK && v < vertices; v++) {
        span.key[v] = rank_of(graph, v);
        span.payload[v] = v;
    }
    if (err->status == MU_OK) mu_sort(&span);
    mu_free(span.key);
    mu_free(span.spare_key);
    mu_free(span.spare_payload);
    if (err->status == MU_OK) return span.payload;
    mu_free(span.payload);
    return NULL;
}

/* Makes the reference: the sequential greedy in that order. */
static int make_reference(struct mu_instance *instance, struct mu_error *err)
{
    const struct mu_graph *graph = instance->derived;
    uint32_t *order = vertices_in_order(graph, err);
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

static size_t reference_bytes(const struct mu_instance *instance)
{
    return instance->derived->vertices * sizeof(uint32_t);
}

const struct mu_app mu_app_pannotia_mis = {
    .suite = "pannotia",
    .name = "mis",
    .purpose = "maximal independent set: the lexicographically first, low degrees first",
    .needs = 0,
    .result = "status",
    .prepare = prepare,
    .check = check,
    .reference_bytes = reference_bytes,
    MU_APP_TABLES,
};
