/* mst: the host's part.
 *
 * The graph is taken as simple and undirected: arcs count in both directions, loops do not count, and of parallel and
 * opposite arcs the lightest stays. In the result, `component` gives each vertex one vertex of its component, the same
 * for all of them, and `joined_by` holds the forest: indices of arcs of the symmetrised graph, in either direction. */
#include "mst.state.h"

#define APP_OPTIONS(X) X(batch, uint, MU_ROW_BATCH, .otherwise = "1")
#include "apps/host.h"

/* The plan's extents depend on it; on the device it is a constant of the program. */
#define APP_BATCH S.option.batch
#include "mst.plan.h"

#include "apps/symmetric.h"
#include "base/memory.h"
#include "inputs/radix.h"

#include <string.h>

/* The most arcs that a launch can index. Below 2^32 there must be room for one stride beyond the last arc. */
#define MST_MAX_ARCS UINT32_C(0xfeffffff)

/* Where there are fewer heavy edges than these, or than light ones, all edges are listed at once. The work that short
 * lists save is then less than what the further rounds cost, as on road networks. */
#define MANY_EDGES (UINT64_C(3) << 17)

/* Room of a list, as a part of the vertices and of the arcs. Light edges that round 0 does not join across are 0.3 to
 * 0.4 for each vertex in road networks and random graphs. */
#define LISTED_OF_VERTICES(vertices) ((vertices) / 12 * 5)
#define LISTED_OF_ARCS(arcs)         ((arcs) / 16)

/* How many arcs there are of each weight, or of each 2^shift consecutive weights, so that there are at most WEIGHTS
 * classes. */
#define WEIGHTS 65536
struct weights {
    uint64_t *arcs; /* [WEIGHTS] */
    uint32_t heaviest, shift;
};

static int count_weights(const struct mu_graph *graph, struct weights *weights, struct mu_error *err)
{
    weights->arcs = mu_calloc(WEIGHTS, sizeof *weights->arcs, "counts of weights", err);
    if (weights->arcs == NULL) return err->status;
    for (uint64_t e = 0; e < graph->edges; e++)
        if (graph->weight[e] > weights->heaviest) weights->heaviest = graph->weight[e];
    while (weights->heaviest >> weights->shift >= WEIGHTS) weights->shift++;
    for (uint64_t e = 0; e < graph->edges; e++) weights->arcs[graph->weight[e] >> weights->shift]++;
    return MU_OK;
}

/* Returns the least weight such that as many edges are not above it as there are vertices with edges. A random graph of
 * so many edges has a component of most vertices, within which most heavier edges lie. */
static uint32_t light_weight_of(const struct weights *weights, uint32_t vertices)
{
    uint64_t arcs = 0, end = 0;
    while (end < WEIGHTS && arcs < 2 * (uint64_t)vertices) arcs += weights->arcs[end++];
    const uint64_t above = end << weights->shift;
    return above > weights->heaviest ? weights->heaviest : (uint32_t)(above - 1);
}

/* Decides which edges are light and how long lists are: on a large graph too short for all edges, but never for those
 * of one weight. */
static int plan_lists(const struct mu_graph *graph, struct app_state *S, struct mu_error *err)
{
    struct weights weights = {0};
    uint32_t vertices = 0;
    if (count_weights(graph, &weights, err) != MU_OK) return err->status;
    for (uint32_t v = 0; v < graph->vertices; v++) vertices += graph->row_start[v + 1] != graph->row_start[v];
    const uint64_t edges = graph->edges / 2,
                   all = edges - (vertices + UINT64_C(1)) / 2; /* round 0 joins across others */
    const bool many = edges > vertices + MANY_EDGES && edges / 2 >= vertices;
    uint64_t room = LISTED_OF_VERTICES((uint64_t)graph->vertices);
    if (room < LISTED_OF_ARCS(graph->edges)) room = LISTED_OF_ARCS(graph->edges);
    for (size_t i = 0; i < WEIGHTS; i++)
        if (room < weights.arcs[i] / 2) room = weights.arcs[i] / 2;
    if (room > all || !many) room = all;
    S->list_room = room == 0 ? 1 : (uint32_t)room;
    S->heaviest = weights.heaviest;
    S->light = many ? light_weight_of(&weights, vertices) : weights.heaviest;
    mu_free(weights.arcs);
    return MU_OK;
}

static int prepare(struct mu_instance *instance, struct mu_error *err)
{
    struct app_state *S = instance->state;
    if (mu_graph_symmetrise(instance->graph, &instance->derived, err) != MU_OK) return err->status;
    const struct mu_graph *graph = instance->derived;
    if (graph->edges > MST_MAX_ARCS)
        return mu_fail(err, MU_LIMIT, "%s: mst numbers edges in 32 bits; %llu arcs are too many", graph->name,
                       (unsigned long long)graph->edges);
    instance->edges = graph->edges;
    S->vertices = graph->vertices;
    S->arcs = (uint32_t)graph->edges;
    S->runs = S->arcs / MST_RUN(instance->setup.serial) + 1;
    S->list_runs = S->arcs / MST_LIST_RUN(instance->setup.serial) + 1;
    S->row_start = mu_copy_rows(instance, graph, err);
    S->column = mu_copy_words(graph->column, graph->edges, "columns", err);
    S->weight = mu_copy_words(graph->weight, graph->edges, "weights", err);
    return err->status != MU_OK ? err->status : plan_lists(graph, S, err);
}

/* ---- The reference: Kruskal ----------------------------------------------------------------------------------------
 */

/* The reference answer, in one block so that mu_free frees it: the root of each vertex's component, then one bit for
 * each arc, set for those of the forest. Of an edge's two arcs the one from the smaller vertex stands for it. */
struct reference {
    uint64_t weight;
    uint32_t edges;
    uint32_t words[]; /* [vertices] roots, [(arcs + 31) / 32] bits */
};

static uint32_t *forest_bits(const struct mu_instance *instance)
{
    struct reference *reference = instance->reference;
    return reference->words + instance->derived->vertices;
}

static size_t forest_words(const struct mu_graph *graph)
{
    return (size_t)(graph->edges / 32 + 1);
}

static uint32_t find_root(uint32_t *parent, uint32_t v)
{
    while (parent[v] != v) {
        parent[v] = parent[parent[v]];
        v = parent[v];
    }
    return v;
}

/* Where the graph has many edges for each vertex, the lightest ones are joined first: as many for each vertex as this.
 * Most of the others then lie within a component, and need not be sorted (Osipov, Sanders, Singler: "The Filter-Kruskal
 * Minimum Spanning Tree Algorithm", ALENEX 2009). */
#define LIGHT_EDGES 4

/* Edges in the order of their weights, of the same weight in that of their arcs. */
struct edges {
    uint64_t *key, *spare_key; /* weight << 32 | arc */
    uint32_t *tail, *spare_tail;
    uint64_t count;
};

static void free_edges(struct edges *edges)
{
    mu_free(edges->key);
    mu_free(edges->spare_key);
    mu_free(edges->tail);
    mu_free(edges->spare_tail);
}

/* Makes room for all edges that weigh more than `above` and at most `most`. */
static int make_room(const struct mu_graph *graph, int64_t above, int64_t most, struct edges *edges,
                     struct mu_error *err)
{
    uint64_t arcs = 0;
    *edges = (struct edges){0};
    for (uint64_t e = 0; e < graph->edges; e++) arcs += graph->weight[e] > above && graph->weight[e] <= most;
    edges->key = mu_malloc(arcs / 2, sizeof *edges->key, "the reference's edges", err);
    edges->spare_key = mu_malloc(arcs / 2, sizeof *edges->spare_key, "the reference's edges", err);
    edges->tail = mu_malloc(arcs / 2, sizeof *edges->tail, "the reference's edges", err);
    edges->spare_tail = mu_malloc(arcs / 2, sizeof *edges->spare_tail, "the reference's edges", err);
    return err->status;
}

/* Lists those of them that join two components. */
static void list_edges(const struct mu_graph *graph, int64_t above, int64_t most, uint32_t *parent, struct edges *edges)
{
    for (uint32_t v = 0; v < graph->vertices; v++)
        for (uint64_t e = graph->row_start[v]; e < graph->row_start[v + 1]; e++) {
            const uint32_t head = graph->column[e], weight = graph->weight[e];
            if (head <= v || weight <= above || weight > most) continue;
            if (find_root(parent, head) == find_root(parent, v)) continue;
            edges->tail[edges->count] = v;
            edges->key[edges->count++] = (uint64_t)weight << 32 | e;
        }
}

static void kruskal(const struct mu_graph *graph, const struct edges *edges, struct reference *reference)
{
    uint32_t *parent = reference->words, *bits = reference->words + graph->vertices;
    for (uint64_t i = 0; i < edges->count; i++) {
        const uint32_t arc = (uint32_t)edges->key[i];
        const uint32_t a = find_root(parent, edges->tail[i]), b = find_root(parent, graph->column[arc]);
        if (a == b) continue;
        parent[a > b ? a : b] = a > b ? b : a;
        bits[arc / 32] |= UINT32_C(1) << arc % 32;
        reference->weight += edges->key[i] >> 32;
        reference->edges++;
    }
}

/* Joins by the edges that weigh more than `above` and at most `most`, when all lighter ones have been. */
static int join(const struct mu_graph *graph, int64_t above, int64_t most, struct reference *reference,
                struct mu_error *err)
{
    struct edges edges;
    if (make_room(graph, above, most, &edges, err) == MU_OK) {
        list_edges(graph, above, most, reference->words, &edges);
        const struct mu_sort_span span = {.key = edges.key,
                                          .payload = edges.tail,
                                          .spare_key = edges.spare_key,
                                          .spare_payload = edges.spare_tail,
                                          .count = edges.count};
        mu_sort(&span);
        kruskal(graph, &edges, reference);
    }
    free_edges(&edges);
    return err->status;
}

/* Returns the weight that about LIGHT_EDGES edges for each vertex have at most, by a sample of the arcs. */
static int64_t light_weight(const struct mu_graph *graph)
{
    uint64_t sample[1024], spare[1024];
    const uint64_t count = sizeof sample / sizeof *sample;
    if (graph->edges / 4 <= LIGHT_EDGES * (uint64_t)graph->vertices) return UINT32_MAX;
    for (uint64_t i = 0; i < count; i++) sample[i] = graph->weight[i * (graph->edges / count)];
    mu_sort(&(struct mu_sort_span){.key = sample, .spare_key = spare, .count = count});
    return (int64_t)sample[count * 2 * LIGHT_EDGES * graph->vertices / graph->edges];
}

static int make_reference(struct mu_instance *instance, struct mu_error *err)
{
    const struct mu_graph *graph = instance->derived;
    const size_t words = graph->vertices + forest_words(graph);
    struct reference *reference = mu_calloc(1, sizeof *reference + 4 * words, "the reference forest", err);
    if (reference == NULL) return err->status;
    for (uint32_t v = 0; v < graph->vertices; v++) reference->words[v] = v;
    const int64_t light = light_weight(graph);
    if (join(graph, -1, light, reference, err) == MU_OK && light < UINT32_MAX)
        join(graph, light, UINT32_MAX, reference, err);
    for (uint32_t v = 0; v < graph->vertices; v++) reference->words[v] = find_root(reference->words, v);
    if (err->status == MU_OK)
        instance->reference = reference;
    else
        mu_free(reference);
    return err->status;
}

/* ---- The check ------------------------------------------------------------------------------------------------------
 */

/* Returns the arc that stands for the edge of `arc`: this one, or the opposite one, which is in the row of its head. */
static uint64_t edge_of(const struct mu_graph *graph, uint64_t arc)
{
    const uint32_t tail = mu_graph_tail(graph, arc), head = graph->column[arc];
    if (tail < head) return arc;
    uint64_t low = graph->row_start[head], high = graph->row_start[head + 1] - 1;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (graph->column[middle] < tail)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Compares the result's edges with the reference's, `left`: each must be among them, none twice, and none may be left
 * over. */
static int strike_out(const struct mu_instance *instance, uint32_t *left, struct mu_error *err)
{
    const struct mu_graph *graph = instance->derived;
    const struct reference *reference = instance->reference;
    const struct app_state *S = instance->state;
    uint64_t weight = 0;
    uint32_t edges = 0;
    for (uint32_t v = 0; v < graph->vertices; v++) {
        const uint32_t arc = S->joined_by[v];
        if (arc == MST_NONE) continue;
        if (arc >= graph->edges) return mu_fail(err, MU_WRONG, "vertex %u was joined by arc %u of %u", v, arc, S->arcs);
        const uint64_t edge = edge_of(graph, arc);
        const uint32_t bit = UINT32_C(1) << edge % 32;
        if (!(left[edge / 32] & bit))
            return mu_fail(err, MU_WRONG, "the edge {%u, %u} is not in the minimum spanning forest, or given twice",
                           mu_graph_tail(graph, arc), graph->column[arc]);
        left[edge / 32] &= ~bit;
        weight += graph->weight[arc];
        edges++;
    }
    if (edges != reference->edges || weight != reference->weight)
        return mu_fail(err, MU_WRONG, "a forest of %u edges and weight %llu; the minimum has %u edges and weight %llu",
                       edges, (unsigned long long)weight, reference->edges, (unsigned long long)reference->weight);
    return MU_OK;
}

/* Checks `component`: the vertices of a component must all name the same vertex, and that must be one of them. */
static int check_components(const struct mu_instance *instance, struct mu_error *err)
{
    const struct app_state *S = instance->state;
    const struct reference *reference = instance->reference;
    const uint32_t *root = reference->words, *component = S->component;
    for (uint32_t v = 0; v < S->vertices; v++) {
        if (component[v] >= S->vertices || root[component[v]] != root[v])
            return mu_fail(err, MU_WRONG, "vertex %u has component %u, which is no vertex of its component", v,
                           component[v]);
        if (component[v] != component[root[v]])
            return mu_fail(err, MU_WRONG, "vertices %u and %u are connected, but have components %u and %u", v, root[v],
                           component[v], component[root[v]]);
    }
    return MU_OK;
}

static int check(struct mu_instance *instance, struct mu_error *err)
{
    if (instance->reference == NULL &&
        (mu_check_symmetric(instance, err) != MU_OK || make_reference(instance, err) != MU_OK))
        return err->status;
    const size_t words = forest_words(instance->derived);
    uint32_t *left = mu_malloc(words, sizeof *left, "the edges to be found", err);
    if (left == NULL) return err->status;
    memcpy(left, forest_bits(instance), words * sizeof *left);
    if (strike_out(instance, left, err) == MU_OK) check_components(instance, err);
    mu_free(left);
    return err->status;
}

/* Tells the figures of the reference, which the last result has been found to equal. */
static size_t summary(const struct mu_instance *instance, struct mu_figure *figures)
{
    const struct reference *reference = instance->reference;
    figures[0] = (struct mu_figure){.name = "weight", .value = (double)reference->weight};
    figures[1] = (struct mu_figure){.name = "edges", .value = reference->edges};
    return 2;
}

static size_t reference_bytes(const struct mu_instance *instance)
{
    return sizeof(struct reference) + 4 * (instance->derived->vertices + forest_words(instance->derived));
}

const struct mu_app mu_app_lonestar_mst = {
    .suite = "lonestar",
    .name = "mst",
    .purpose = "minimum spanning forest by Boruvka's rounds: a vertex that names each one's component",
    .needs = MU_NEEDS_WEIGHTS,
    .result = "component",
    .prepare = prepare,
    .check = check,
    .reference_bytes = reference_bytes,
    .summary = summary,
    MU_APP_TABLES,
};
