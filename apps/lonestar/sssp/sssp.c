/* sssp: the host's part. Arcs are followed in their direction. */
#include "sssp.state.h"

#include "apps/distances.h"
#include "apps/host.h"
#include "sssp.plan.h"

#include "base/memory.h"

_Static_assert(SSSP_UNREACHED == MU_UNREACHED, "the checker's mark for an unreached vertex is the app's");

/* --delta=auto. Phases should be wide enough to keep the chip busy and narrow enough to expand few vertices twice: for
 * a random graph of mean degree d the width is of the order of the mean weight / d (Meyer and Sanders 2003). Where d
 * is small, lists are short and each round costs a barrier, so phases are wider. Measured as rounds and expansions on
 * roads (d = 2.8 and 3.7), grids (4), uniform (8) and power-law graphs (28 and 30). */
static uint32_t choose_delta(const struct mu_graph *graph)
{
    const double degree_of_even_width = 16;
    double sum = 0;
    for (uint64_t e = 0; e < graph->edges; e++) sum += graph->weight[e];
    if (graph->edges == 0) return MU_DELTA_NONE;
    const double mean = sum / (double)graph->edges;
    double scale = degree_of_even_width * (double)graph->vertices / (double)graph->edges;
    if (scale > degree_of_even_width) scale = degree_of_even_width;
    if (scale > 1) scale *= scale;
    const double delta = mean * scale;
    return delta < 1 ? 1 : delta < MU_DELTA_NONE ? (uint32_t)delta : MU_DELTA_NONE;
}

static uint64_t chunks_of(const struct mu_graph *graph, uint32_t v)
{
    const uint64_t degree = graph->row_start[v + 1] - graph->row_start[v];
    return degree > SSSP_CHUNK ? (degree + SSSP_CHUNK - 1) / SSSP_CHUNK : 0;
}

/* The chunks of all hubs. */
static int make_chunks(const struct mu_instance *instance, struct app_state *S, struct mu_error *err)
{
    const struct mu_graph *graph = instance->graph;
    uint64_t chunks = 0;
    for (uint32_t v = 0; v < graph->vertices; v++) chunks += chunks_of(graph, v);
    if (chunks + graph->vertices > UINT32_MAX >> 1)
        return mu_fail(err, MU_LIMIT, "%s: more vertices and edges than sssp can queue", graph->name);
    S->chunks = (uint32_t)chunks;
    S->chunk_tail = mu_malloc(chunks, sizeof *S->chunk_tail, "hubs", err);
    S->chunk_begin = mu_malloc(chunks, instance->wide_offsets ? 8 : 4, "hubs", err);
    uint32_t chunk = 0;
    for (uint32_t v = 0; err->status == MU_OK && v < graph->vertices; v++)
        for (uint64_t i = 0; i < chunks_of(graph, v); i++, chunk++) {
            const uint64_t begin = graph->row_start[v] + i * SSSP_CHUNK;
            S->chunk_tail[chunk] = v;
            if (instance->wide_offsets)
                ((uint64_t *)S->chunk_begin)[chunk] = begin;
            else
                ((uint32_t *)S->chunk_begin)[chunk] = (uint32_t)begin;
        }
    return err->status;
}

static int prepare(struct mu_instance *instance, struct mu_error *err)
{
    struct app_state *S = instance->state;
    const struct mu_graph *graph = instance->graph;
    S->vertices = graph->vertices;
    S->source = instance->options.source;
    S->delta = instance->options.delta != MU_DELTA_AUTO ? instance->options.delta : choose_delta(graph);
    S->row_start = mu_copy_rows(instance, graph, err);
    S->arc = mu_pack_arcs(graph, err);
    return make_chunks(instance, S, err);
}

static int check(struct mu_instance *instance, struct mu_error *err)
{
    const struct app_state *S = instance->state;
    return mu_check_distances(instance, S->distance, S->overflow[0] != 0, err);
}

const struct mu_app mu_app_lonestar_sssp = {
    .suite = "lonestar",
    .name = "sssp",
    .purpose = "shortest paths from --source by worklists, near-far with --delta",
    .needs = MU_NEEDS_WEIGHTS | MU_NEEDS_SOURCE | MU_TAKES_DELTA,
    .result = "distance",
    .prepare = prepare,
    .check = check,
    MU_APP_TABLES,
};
