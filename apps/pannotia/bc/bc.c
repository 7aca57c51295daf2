/* bc: the host's part. Arcs are followed in their direction; weights do not count. The result is the sum of the
 * dependencies over the sources served, each ordered pair of ends counted once. */
#include "bc.state.h"

#define SOURCES_AUTO 0
#define SOURCES_ALL  UINT32_MAX
/* No suite sets long_degree. It stays, since the keys of records hold it and a new chip may want another. */
#define APP_OPTIONS(X)                                                                                                 \
    X(sources, uint, .argument = "N", .is = MU_OPTION_INPUT | MU_OPTION_FIELD, .min = 1, .max = UINT32_MAX - 1,        \
      .words = {{"auto", SOURCES_AUTO}, {"all", SOURCES_ALL}}, .otherwise = "auto",                                    \
      .usual = "auto: all up to 4096 vertices, else 16", .help = "So many source vertices, picked by the seed")        \
    X(batch, uint, MU_ROW_BATCH, .otherwise = "4")                                                                     \
    X(serial_degree, uint, MU_ROW_SERIAL_DEGREE)                                                                       \
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

/* A batch has about so many elements, of 24 bytes each; at least so many sources, since a level of one may have few
 * vertices, as long as there are no more than BC_MOST_ELEMENTS. They keep a GPU busy. Where work-items run one after
 * another, a compute unit is busy with few, and the elements of each should fit into its cache: there these figures are
 * of a compute unit. */
#define BC_ELEMENTS         (UINT32_C(1) << 20)
#define BC_LEAST_BATCH      32
#define BC_UNIT_ELEMENTS    (UINT32_C(1) << 16)
#define BC_UNITS_OF_A_BATCH 4 /* for so many compute units a source more */
#define BC_MOST_ELEMENTS    (UINT32_C(1) << 24)

/* The rounding of one operation, relative to its result. */
#define BC_UNIT_DOUBLE 0x1p-53
#define BC_UNIT_SINGLE 0x1p-24

/* How many standard deviations of a random walk errors are allowed; and how many roundings a dependency takes beside
 * its sums. These are 1 + d, a division, which OpenCL lets be off by 2.5 units in the last place (five roundings), and
 * a product. */
#define BC_DEVIATIONS 8
#define BC_ROUNDINGS  7

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

static uint32_t choose_batch(const struct mu_app_setup *setup, uint32_t vertices, uint32_t sources)
{
    const uint32_t units = smaller(setup->units, BC_MOST_ELEMENTS / BC_UNIT_ELEMENTS);
    const uint32_t least = setup->serial ? units / BC_UNITS_OF_A_BATCH : BC_LEAST_BATCH;
    uint32_t batch = (setup->serial ? units * BC_UNIT_ELEMENTS : BC_ELEMENTS) / vertices;
    if (batch < least) batch = smaller(least, BC_MOST_ELEMENTS / vertices);
    return batch < 1 ? 1 : smaller(batch, sources);
}

static int prepare(struct mu_instance *instance, struct mu_error *err)
{
    struct app_state *S = instance->state;
    const struct mu_graph *graph = instance->graph;
    bool directed = false;
    if (count_sources(instance, &S->sources, err) != MU_OK) return err->status;
    if (mu_derive_incoming(instance, &directed, err) != MU_OK) return err->status;
    S->directed = directed;
    S->vertices = graph->vertices;
    S->batch = graph->vertices != 0 ? choose_batch(&instance->setup, graph->vertices, S->sources) : 1;
    S->batches = (uint32_t)(((uint64_t)S->sources + S->batch - 1) / S->batch);
    S->source = pick_sources(instance, S->sources, err);
    S->row_start = mu_copy_rows(instance, graph, err);
    S->column = mu_copy_words(graph->column, graph->edges, "columns", err);
    if (!directed) return err->status;
    S->in_start = mu_copy_rows(instance, instance->derived, err);
    S->in_column = mu_copy_words(instance->derived->column, graph->edges, "columns", err);
    return err->status;
}

/* The sequential algorithm's working arrays, by vertex. */
struct brandes {
    double *centrality, *paths, *dependency;
    uint32_t *distance, *order;
    double limit;      /* on paths */
    uint32_t overflow; /* the first source with more paths than that, or BC_NONE */
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
        if (!(work->paths[v] <= work->limit)) work->overflow = smaller(work->overflow, source);
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

/* The reference is an array with a number for each vertex and two numbers more, whose places these are: the source that
 * overflowed, and the levels of the deepest search. */
enum extra { OVERFLOW_SOURCE, DEEPEST, EXTRAS };

static size_t place_of(const struct mu_instance *instance, enum extra extra)
{
    return (size_t)instance->graph->vertices + (size_t)extra;
}

static double most_paths(const struct mu_instance *instance)
{
    return instance->setup.single ? (double)BC_MOST_PATHS_SINGLE : BC_MOST_PATHS_DOUBLE;
}

/* Makes the reference: Brandes' algorithm, a source at a time, in double precision. */
static int make_reference(struct mu_instance *instance, struct mu_error *err)
{
    const struct app_state *S = instance->state;
    const struct mu_graph *graph = instance->graph;
    const size_t n = (size_t)graph->vertices + EXTRAS;
    /* Where counts round, a run may be on either side of the limit. */
    struct brandes work = {.limit = 1.001 * most_paths(instance), .overflow = BC_NONE};
    work.centrality = mu_calloc(n, sizeof *work.centrality, "the reference", err);
    work.paths = mu_malloc(n, sizeof *work.paths, "the reference", err);
    work.dependency = mu_malloc(n, sizeof *work.dependency, "the reference", err);
    work.distance = mu_malloc(n, sizeof *work.distance, "the reference", err);
    work.order = mu_malloc(n, sizeof *work.order, "the reference", err);
    for (uint32_t i = 0; err->status == MU_OK && i < S->sources; i++) {
        uint32_t reached = 0;
        search(graph, S->source[i], &work, &reached);
        accumulate(graph, &work, reached);
        double *const deepest = &work.centrality[place_of(instance, DEEPEST)];
        *deepest = fmax(*deepest, work.distance[work.order[reached - 1]]);
    }
    mu_free(work.paths);
    mu_free(work.dependency);
    mu_free(work.distance);
    mu_free(work.order);
    if (err->status == MU_OK) {
        work.centrality[place_of(instance, OVERFLOW_SOURCE)] = work.overflow;
        instance->reference = work.centrality;
    } else {
        mu_free(work.centrality);
    }
    return err->status;
}

/* Finds out whether a source of the run has a vertex with about so many shortest paths as not to be counted. */
static int has_overflow(const struct mu_instance *instance, uint32_t source, bool *found, struct mu_error *err)
{
    const struct app_state *S = instance->state;
    const size_t n = instance->graph->vertices;
    uint32_t reached = 0;
    struct brandes work = {.limit = 0.999 * most_paths(instance), .overflow = BC_NONE};
    *found = false;
    for (uint32_t i = 0; i < S->sources; i++) *found = *found || S->source[i] == source;
    if (!*found) return MU_OK;
    work.paths = mu_malloc(n, sizeof *work.paths, "a search", err);
    work.dependency = mu_malloc(n, sizeof *work.dependency, "a search", err);
    work.distance = mu_malloc(n, sizeof *work.distance, "a search", err);
    work.order = mu_malloc(n, sizeof *work.order, "a search", err);
    if (err->status == MU_OK) search(instance->graph, source, &work, &reached);
    *found = work.overflow != BC_NONE;
    mu_free(work.paths);
    mu_free(work.dependency);
    mu_free(work.distance);
    mu_free(work.order);
    return err->status;
}

static int check_overflow(const struct mu_instance *instance, uint32_t overflow, struct mu_error *err)
{
    const double *reference = instance->reference;
    bool found = false;
    if (overflow != BC_NONE) {
        if (has_overflow(instance, overflow, &found, err) != MU_OK) return err->status;
        if (!found)
            return mu_fail(err, MU_WRONG,
                           "source %u is said to have more shortest paths than can be counted: it has not", overflow);
        return mu_fail(err, MU_LIMIT, "source %u: a vertex has more than %g shortest paths, too many to count in %s",
                       overflow, most_paths(instance),
                       instance->setup.single ? "single precision" : "double precision");
    }
    if (reference[place_of(instance, OVERFLOW_SOURCE)] < BC_NONE)
        return mu_fail(err, MU_WRONG, "source %.0f has too many shortest paths: the run has not noticed",
                       reference[place_of(instance, OVERFLOW_SOURCE)]);
    return MU_OK;
}

static uint64_t largest_degree(const struct mu_graph *graph)
{
    uint64_t largest = 0;
    for (uint32_t v = 0; v < graph->vertices; v++)
        if (graph->row_start[v + 1] - graph->row_start[v] > largest)
            largest = graph->row_start[v + 1] - graph->row_start[v];
    return largest;
}

/* Returns how far a value may be from the reference, relative to the reference.
 *
 * All numbers that are added are positive, so that errors relative to a result are at most those of its terms and one
 * for each operation. A value is a sum over sources of dependencies. On each level a dependency is a sum over the arcs
 * of a vertex of a quotient of path counts, which are sums over arcs on each level themselves. So there are at most n =
 * sources + levels (3 degree + 7) roundings. If all of them went the same way, n units would be allowed. They do not:
 * with nearly independent roundings the error is beyond c sqrt(n) units with a probability of at most 2 exp(-c²/2),
 * 3e-14 for c = 8 (Higham and Mary, "A new approach to probabilistic rounding error analysis", SIAM J. Sci. Comput. 41,
 * 2019). The lesser of the two counts, and twice the same for the reference, which is in double precision. */
static double tolerance_of(const struct mu_instance *instance)
{
    const struct app_state *S = instance->state;
    const double *reference = instance->reference;
    uint64_t degree = largest_degree(instance->graph);
    if (instance->derived != NULL && largest_degree(instance->derived) > degree)
        degree = largest_degree(instance->derived);
    const double n = S->sources + reference[place_of(instance, DEEPEST)] * (3 * (double)degree + BC_ROUNDINGS);
    const double units = fmin(n, BC_DEVIATIONS * sqrt(n));
    return units * ((instance->setup.single ? BC_UNIT_SINGLE : BC_UNIT_DOUBLE) + 2 * BC_UNIT_DOUBLE);
}

static int check(struct mu_instance *instance, struct mu_error *err)
{
    const struct app_state *S = instance->state;
    if (S->overflow[0] == BC_NONE && instance->reference == NULL && make_reference(instance, err) != MU_OK)
        return err->status;
    if (check_overflow(instance, S->overflow[0], err) != MU_OK) return err->status;
    const double *reference = instance->reference;
    const double tolerance = tolerance_of(instance);
    for (uint32_t v = 0; v < S->vertices; v++) {
        const double got = mu_instance_real(instance, S->centrality, v);
        if (!(fabs(got - reference[v]) <= tolerance * reference[v]))
            return mu_fail(err, MU_WRONG, "vertex %u has centrality %.17g, but should have %.17g (within %.3g of it)",
                           v, got, reference[v], tolerance);
    }
    return MU_OK;
}

static size_t reference_bytes(const struct mu_instance *instance)
{
    return place_of(instance, EXTRAS) * sizeof(double);
}

const struct mu_app mu_app_pannotia_bc = {
    .suite = "pannotia",
    .name = "bc",
    .purpose = "betweenness centrality, unweighted, from all or some --sources",
    .result = "centrality",
    .prepare = prepare,
    .check = check,
    .reference_bytes = reference_bytes,
    MU_APP_TABLES,
};
