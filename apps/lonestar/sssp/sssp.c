/* sssp: the host's part. Arcs are followed in their direction. */
#include "sssp.state.h"

#include "apps/distances.h"

#define DELTA_AUTO 0
#define DELTA_NONE UINT32_MAX
#define APP_OPTIONS(X)                                                                                                 \
    X(source, uint, MU_ROW_SOURCE)                                                                                     \
    X(delta, uint, .argument = "WIDTH", .is = MU_OPTION_FIELD, .min = 1, .max = UINT32_MAX - 1,                        \
      .words = {{"auto", DELTA_AUTO}, {"none", DELTA_NONE}}, .otherwise = "auto",                                      \
      .usual = "auto: from the weights and the mean degree; none is the plain worklist",                               \
      .help = "How far a phase of the near-far strategy reaches")                                                      \
    X(batch, uint, MU_ROW_BATCH, .otherwise = "4")                                                                     \
    X(chunk, uint, .argument = "EDGES", .is = MU_OPTION_BUILD, .min = 32, .max = 65536, .otherwise = "1024",           \
      .help = "A vertex of higher degree is a hub, whose edges are dealt out in chunks of this size")                  \
    X(serial_degree, uint, MU_ROW_SERIAL_DEGREE)                                                                       \
    X(queue, uint, MU_ROW_QUEUE, .otherwise = "2")
/* Where no edges are shared (MU_SHARES in variants/teams/worklist.clh), a far list needs no stamps (queues.clh). */
#define SSSP_ALONE(setup, S) ((setup).serial && (S).option.serial_degree == 0)
#define SSSP_FAR_STAMPS      (SSSP_ALONE(instance->setup, S) ? 0 : vertices)
#include "apps/host.h"
#include "sssp.plan.h"

#include "base/memory.h"

#include <math.h>

_Static_assert(SSSP_UNREACHED == MU_UNREACHED, "the checker's mark for an unreached vertex is the app's");

/* Of graphs of this mean degree phases are as wide as the mean weight. */
enum { degree_of_even_width = 16 };

/* Chooses the width of phases for --delta=auto. Phases should be wide enough to keep the chip busy and narrow enough to
 * expand few vertices twice. For a random graph of mean degree d the width is of the order of the mean weight / d
 * (Meyer and Sanders 2003). Where d is small, lists are short and each round costs a barrier, so phases are wider.
 * Measured as rounds and expansions on roads (d = 2.8 and 3.7), grids (4), uniform (8) and power-law graphs (28 and
 * 30).
 *
 * A CPU has few workers, so that its rounds are cheap beside its arcs, and phases are never wider there. A vertex
 * should have its distance from the first path that reaches it in a phase, not from a later one of more arcs. Paths of
 * h arcs differ in length by about the root of h times the deviation of a weight: a phase holds as many as differ by
 * about one arc. Of more paths, one more often comes later: so a phase has a part of that, as one to the arcs of a
 * vertex beyond the two that a path needs. Measured on roads, grids of two and three dimensions, small worlds, uniform
 * and power-law graphs of mean degree 2.5 to 30. On a GPU a round expands a part of a phase instead (choose_pace). */
static uint32_t choose_delta(const struct mu_graph *graph, bool alone)
{
    const double arcs_of_spread = 1.25;
    double sum = 0, squares = 0;
    for (uint64_t e = 0; e < graph->edges; e++) {
        sum += graph->weight[e];
        squares += (double)graph->weight[e] * graph->weight[e];
    }
    if (graph->edges == 0) return DELTA_NONE;
    const double mean = sum / (double)graph->edges, variance = squares / (double)graph->edges - mean * mean;
    const double degree = (double)graph->edges / (double)graph->vertices;
    double scale = fmin(degree_of_even_width / degree, degree_of_even_width);
    if (scale > 1) scale *= scale;
    if (alone && variance > 0 && degree > 2)
        scale = fmin(scale, arcs_of_spread * mean * mean / variance / (degree - 2));
    const double delta = mean * scale;
    return delta < 1 ? 1 : delta < DELTA_NONE ? (uint32_t)delta : DELTA_NONE;
}

/* Chooses the narrowest part of a phase that a round expands, a tenth, in which few arcs are followed twice on
 * power-law graphs; and how many distances fall in a round that is busy. Behind each lie as many arcs as the mean
 * degree, which may be followed again. Two million arcs take a GPU several times as long as a barrier; an eighth of
 * them takes no longer than that. To leave a vertex for the next round costs as much as some eight arcs, so that it
 * pays where the mean degree is large. Elsewhere the kernels are made without: on roads each of many short rounds costs
 * half a microsecond more with code that none of them runs.
 *
 * A group whose first work-item serves alone is busy in a phase with some hundreds of vertices: they take several times
 * as long as the barriers of a phase. Where the user names a width, phases keep it. */
static void choose_pace(struct mu_instance *instance, struct app_state *S, bool named)
{
    const struct mu_graph *graph = instance->graph;
    const double arcs_of_a_busy_round = 1 << 21;
    const uint32_t vertices_of_a_busy_phase = 384;
    const double busy = arcs_of_a_busy_round * (double)graph->vertices / ((double)graph->edges + 1);
    const bool paced = S->delta != DELTA_NONE && graph->edges / degree_of_even_width > graph->vertices;
    S->narrow = !paced ? S->delta : S->delta / 10 > 0 ? S->delta / 10 : 1;
    S->busy = busy < UINT32_MAX ? (uint32_t)busy : UINT32_MAX;
    if (SSSP_ALONE(instance->setup, *S)) {
        S->narrow = S->delta;
        S->busy = named ? 0 : vertices_of_a_busy_phase;
    } else if (S->narrow != S->delta) {
        instance->form = "SSSP_PACED=1";
    }
}

static uint64_t chunks_of(const struct mu_graph *graph, uint32_t v, uint32_t chunk)
{
    const uint64_t degree = graph->row_start[v + 1] - graph->row_start[v];
    return degree > chunk ? (degree + chunk - 1) / chunk : 0;
}

/* Makes the table of the chunks of all hubs (sssp.cl). */
static int make_chunks(const struct mu_instance *instance, struct app_state *S, struct mu_error *err)
{
    const struct mu_graph *graph = instance->graph;
    uint64_t chunks = 0;
    for (uint32_t v = 0; v < graph->vertices; v++) chunks += chunks_of(graph, v, S->option.chunk);
    if (chunks + graph->vertices > UINT32_MAX >> 1)
        return mu_fail(err, MU_LIMIT, "%s: more vertices and edges than sssp can queue", graph->name);
    S->chunks = (uint32_t)chunks;
    S->chunk_tail = mu_malloc(chunks, sizeof *S->chunk_tail, "hubs", err);
    S->chunk_begin = mu_malloc(chunks, instance->wide_offsets ? 8 : 4, "hubs", err);
    uint32_t chunk = 0;
    for (uint32_t v = 0; err->status == MU_OK && v < graph->vertices; v++)
        for (uint64_t i = 0; i < chunks_of(graph, v, S->option.chunk); i++, chunk++) {
            const uint64_t begin = graph->row_start[v] + i * S->option.chunk;
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
    S->source = S->option.source;
    const bool named = S->option.delta != DELTA_AUTO;
    if (!named) S->option.delta = choose_delta(graph, SSSP_ALONE(instance->setup, *S));
    S->delta = S->option.delta;
    choose_pace(instance, S, named);
    S->row_start = mu_copy_rows(instance, graph, err);
    S->arc = mu_pack_arcs(graph, err);
    return make_chunks(instance, S, err);
}

static int check(struct mu_instance *instance, struct mu_error *err)
{
    const struct app_state *S = instance->state;
    return mu_check_distances(instance, S->distance, S->overflow[0] != 0, err);
}

static size_t reference_bytes(const struct mu_instance *instance)
{
    return instance->graph->vertices * sizeof(uint64_t);
}

const struct mu_app mu_app_lonestar_sssp = {
    .suite = "lonestar",
    .name = "sssp",
    .purpose = "shortest paths from --source by worklists, near-far with --delta",
    .shared = "apps/lonestar/sssp/queues.clh",
    .needs = MU_NEEDS_WEIGHTS,
    .result = "distance",
    .prepare = prepare,
    .check = check,
    .reference_bytes = reference_bytes,
    MU_APP_TABLES,
};
