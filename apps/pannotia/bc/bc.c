/* bc: the host's part. Arcs are followed in their direction; weights do not count. The result is the sum of the
 * dependencies over the sources served, each ordered pair of ends counted once. */
#include "bc.state.h"

#define SOURCES_AUTO 0
#define SOURCES_ALL  UINT32_MAX
#define APP_OPTIONS(X)                                                                                                 \
    X(sources, uint, .argument = "N", .is = MU_OPTION_INPUT | MU_OPTION_FIELD, .min = 1, .max = UINT32_MAX - 1,        \
      .words = {{"auto", SOURCES_AUTO}, {"all", SOURCES_ALL}}, .otherwise = "auto",                                    \
      .usual = "auto: all up to 4096 vertices, else 16", .help = "So many source vertices, picked by the seed")        \
    X(batch, uint, MU_ROW_BATCH, .otherwise = "4")                                                                     \
    X(own_degree, uint, MU_ROW_OWN_DEGREE)                                                                             \
    X(long_degree, uint, .argument = "EDGES", .is = MU_OPTION_BUILD, .min = 1, .max = 1u << 20, .otherwise = "1024",   \
      .help = "A longer row is the whole workgroup's")                                                                 \
    X(queue, uint, MU_ROW_QUEUE, .otherwise = "2")
#include "apps/host.h"
#include "bc.plan.h"

#include "base/memory.h"
#include "inputs/rng.h"

#include <math.h>

/* How many sources are served by default: all vertices of a graph with at most BC_ALL_VERTICES, else so many. */
#define BC_ALL_VERTICES    4096
#define BC_DEFAULT_SOURCES 16

/* A batch has about so many elements, which keep a GPU busy; at least BC_LEAST_BATCH sources, as long as there are no
 * more than BC_MOST_ELEMENTS (24 bytes each). */
#define BC_ELEMENTS      (UINT32_C(1) << 20)
#define BC_LEAST_BATCH   32
#define BC_MOST_ELEMENTS (UINT32_C(1) << 24)

/* How far a value may be from the reference, relative to the larger of 1 and the reference. The device adds positive
 * numbers in another order, which costs a few units in the last place for each level and each edge of the longest row.
 */
#define BC_TOLERANCE_DOUBLE 1e-9
#define BC_TOLERANCE_SINGLE 1e-3

#define SAMPLING_STREAM 32 /* a stream of random numbers that no generator uses */

static uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static int count_sources(const struct mu_instance *instance, uint32_t *count, struct mu_error *err)
{
    const struct app_state *S = instance->state;
    const uint32_t asked = S->option.sources, vertices = instance->graph->vertices;
    *count = asked;
    if (asked == SOURCES_AUTO) *count = vertices <= BC_ALL_VERTICES ? vertices : BC_DEFAULT_SOURCES;
    if (asked == SOURCES_ALL) *count = vertices;
    if (*count <= vertices) return MU_OK;
    return mu_fail(err, MU_USAGE, "--sources=%u: %s has %u vertices", asked, instance->graph->name, vertices);
}

/* Picks `count` of all vertices at random, each choice being equally likely, in ascending order (selection sampling:
 * Knuth, volume 2, 3.4.2, algorithm S). */
static uint32_t *pick_sources(const struct mu_instance *instance, uint32_t count, struct mu_error *err)
{
    const uint32_t vertices = instance->graph->vertices;
    const uint64_t stream = mu_random_stream(instance->setup.seed, SAMPLING_STREAM);
    uint32_t *source = mu_malloc(count, sizeof *source, "sources", err);
    uint32_t picked = 0;
    for (uint32_t v = 0; source != NULL && picked < count; v++)
        if (mu_random_below(stream, v, vertices - v) < count - picked) source[picked++] = v;
    return source;
}

static uint32_t choose_batch(uint32_t vertices, uint32_t sources)
{
    uint32_t batch = BC_ELEMENTS / vertices;
    if (batch < BC_LEAST_BATCH) batch = smaller(BC_LEAST_BATCH, BC_MOST_ELEMENTS / vertices);
    return batch < 1 ? 1 : smaller(batch, sources);
}

static int prepare(struct mu_instance *instance, struct mu_error *err)
{
    struct app_state *S = instance->state;
    const struct mu_graph *graph = instance->graph;
    if (count_sources(instance, &S->sources, err) != MU_OK) return err->status;
    if (mu_graph_transpose(graph, &instance->derived, err) != MU_OK) return err->status;
    S->vertices = graph->vertices;
    S->batch = graph->vertices != 0 ? choose_batch(graph->vertices, S->sources) : 1;
    S->batches = (uint32_t)(((uint64_t)S->sources + S->batch - 1) / S->batch);
    S->source = pick_sources(instance, S->sources, err);
    S->row_start = mu_copy_rows(instance, graph, err);
    S->column = mu_copy_words(graph->column, graph->edges, "columns", err);
    S->in_start = mu_copy_rows(instance, instance->derived, err);
    S->in_column = mu_copy_words(instance->derived->column, graph->edges, "columns", err);
    return err->status;
}

/* The sequential algorithm's working arrays, by vertex. */
struct brandes {
    double *centrality, *paths, *dependency;
    uint32_t *distance, *order;
    uint32_t overflow; /* the first source with more paths than counted, or BC_NONE */
};

static void search(const struct mu_graph *graph, uint32_t source, struct brandes *work, uint32_t *reached)
{
    uint32_t head = 0, tail = 0;
    for (uint32_t v = 0; v < graph->vertices; v++) work->distance[v] = BC_UNREACHED;
    work->distance[source] = 0;
    work->paths[source] = 1;
    work->order[tail++] = source;
    while (head < tail) {
        const uint32_t v = work->order[head++];
        work->dependency[v] = 0;
        if (!(work->paths[v] <= BC_MOST_PATHS_DOUBLE)) work->overflow = smaller(work->overflow, source);
        for (uint64_t e = graph->row_start[v]; e < graph->row_start[v + 1]; e++) {
            const uint32_t w = graph->column[e];
            if (work->distance[w] == BC_UNREACHED) {
                work->distance[w] = work->distance[v] + 1;
                work->paths[w] = 0;
                work->order[tail++] = w;
            }
            if (work->distance[w] == work->distance[v] + 1) work->paths[w] += work->paths[v];
        }
    }
    *reached = tail;
}

static void accumulate(const struct mu_graph *graph, struct brandes *work, uint32_t reached)
{
    while (reached-- > 1) {
        const uint32_t v = work->order[reached];
        for (uint64_t e = graph->row_start[v]; e < graph->row_start[v + 1]; e++) {
            const uint32_t w = graph->column[e];
            if (work->distance[w] != work->distance[v] + 1) continue;
            work->dependency[v] += work->paths[v] / work->paths[w] * (1 + work->dependency[w]);
        }
        work->centrality[v] += work->dependency[v];
    }
}

/* How many steps a batch takes whose farthest vertex is so many levels away: turn, one sweep forward, one back. */
static double batch_steps(uint32_t farthest)
{
    return 2.0 + 2.0 * farthest;
}

/* The reference is an array with a number for each vertex and two numbers more: the source that overflowed, and the
 * steps that the plan takes. These are their places. */
static size_t overflow_place(const struct mu_instance *instance)
{
    return instance->graph->vertices;
}

static size_t steps_place(const struct mu_instance *instance)
{
    return (size_t)instance->graph->vertices + 1;
}

/* The reference: Brandes' algorithm, a source at a time, in double precision. */
static int make_reference(struct mu_instance *instance, struct mu_error *err)
{
    const struct app_state *S = instance->state;
    const struct mu_graph *graph = instance->graph;
    const size_t n = (size_t)graph->vertices + 2;
    uint32_t farthest = 0;
    struct brandes work = {.overflow = BC_NONE};
    work.centrality = mu_calloc(n, sizeof *work.centrality, "the reference", err);
    work.paths = mu_malloc(n, sizeof *work.paths, "the reference", err);
    work.dependency = mu_malloc(n, sizeof *work.dependency, "the reference", err);
    work.distance = mu_malloc(n, sizeof *work.distance, "the reference", err);
    work.order = mu_malloc(n, sizeof *work.order, "the reference", err);
    for (uint32_t i = 0; err->status == MU_OK && i < S->sources; i++) {
        uint32_t reached = 0;
        search(graph, S->source[i], &work, &reached);
        accumulate(graph, &work, reached);
        const uint32_t distance = work.distance[work.order[reached - 1]];
        if (distance > farthest) farthest = distance;
        if ((i + 1) % S->batch != 0 && i + 1 != S->sources) continue;
        work.centrality[steps_place(instance)] += batch_steps(farthest);
        farthest = 0;
    }
    mu_free(work.paths);
    mu_free(work.dependency);
    mu_free(work.distance);
    mu_free(work.order);
    if (err->status == MU_OK) {
        work.centrality[overflow_place(instance)] = work.overflow;
        work.centrality[steps_place(instance)] += 1; /* the last turn */
        instance->reference = work.centrality;
    } else {
        mu_free(work.centrality);
    }
    return err->status;
}

static int check_overflow(const struct mu_instance *instance, uint32_t overflow, struct mu_error *err)
{
    const double *reference = instance->reference;
    const bool single = instance->setup.single;
    if (overflow != BC_NONE)
        return mu_fail(err, MU_LIMIT, "source %u: a vertex has more than %g shortest paths, too many to count in %s",
                       overflow, single ? (double)BC_MOST_PATHS_SINGLE : BC_MOST_PATHS_DOUBLE,
                       single ? "single precision" : "double precision");
    if (reference[overflow_place(instance)] < BC_NONE)
        return mu_fail(err, MU_WRONG, "source %.0f has too many shortest paths: the run has not noticed",
                       reference[overflow_place(instance)]);
    return MU_OK;
}

static int check(struct mu_instance *instance, struct mu_error *err)
{
    const struct app_state *S = instance->state;
    const double tolerance = instance->setup.single ? BC_TOLERANCE_SINGLE : BC_TOLERANCE_DOUBLE;
    if (S->overflow[0] == BC_NONE && instance->reference == NULL && make_reference(instance, err) != MU_OK)
        return err->status;
    if (check_overflow(instance, S->overflow[0], err) != MU_OK) return err->status;
    const double *reference = instance->reference;
    for (uint32_t v = 0; v < S->vertices; v++) {
        const double got = mu_instance_real(instance, S->centrality, v);
        const double allowed = tolerance * (reference[v] > 1 ? reference[v] : 1);
        if (!(fabs(got - reference[v]) <= allowed))
            return mu_fail(err, MU_WRONG, "vertex %u has centrality %.17g, but should have %.17g (within %.3g)", v, got,
                           reference[v], allowed);
    }
    return MU_OK;
}

static uint64_t steps(const struct mu_instance *instance)
{
    return (uint64_t)((const double *)instance->reference)[steps_place(instance)];
}

const struct mu_app mu_app_pannotia_bc = {
    .suite = "pannotia",
    .name = "bc",
    .purpose = "betweenness centrality, unweighted, from all or some --sources",
    .result = "centrality",
    .prepare = prepare,
    .check = check,
    .steps = steps,
    MU_APP_TABLES,
};
