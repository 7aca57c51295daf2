/* bfs: the host's part. Arcs are followed in their direction. A graph that is not undirected is given its incoming arcs
 * as rows of their own, for pulling, unless it is as good as undirected or alpha forbids to pull. */
#include "bfs.state.h"

#define APP_OPTIONS(X)                                                                                                 \
    X(source, uint, MU_ROW_SOURCE)                                                                                     \
    X(batch, uint, MU_ROW_BATCH, .otherwise = "4")                                                                     \
    X(sparse, uint, MU_ROW_SPARSE)                                                                                     \
    X(subteam, uint, .argument = "GROUPS", .min = 0, .max = BFS_SUBTEAM_MOST, .otherwise = "16",                       \
      .help =                                                                                                          \
          "Where all rows are short, so many workgroups push frontiers of few ranges, and the others wait; 0: all")    \
    X(alone, uint, .argument = "RANGES", .min = 0, .max = 1u << 30, .otherwise = "128",                                \
      .help = "Where no edges are shared, a subteam that begins with at most so many ranges is one workgroup")         \
    X(alpha, uint, .argument = "PARTS", .min = 0, .max = 1u << 20, .otherwise = "12",                                  \
      .help = "A frontier is pulled if it has more than one in so many of the edges of what is not reached; 0: never") \
    X(beta, uint, .argument = "PARTS", .min = 1, .max = 1u << 20, .otherwise = "1",                                    \
      .help = "A frontier is pulled only if it has more edges than one in so many vertices")                           \
    X(pull_degree, uint, .argument = "EDGES", .is = MU_OPTION_BUILD, .min = 1, .max = 1u << 20, .otherwise = "32",     \
      .help = "Edges that a work-item looks at to pull a vertex; those behind them are shared")                        \
    X(serial_degree, uint, MU_ROW_SERIAL_DEGREE)                                                                       \
    X(queue, uint, MU_ROW_QUEUE, .otherwise = "4")
#include "apps/host.h"
#include "bfs.plan.h"

#include "base/memory.h"

static uint64_t degree_of(const struct mu_graph *graph, uint32_t vertex)
{
    return graph->row_start[vertex + 1] - graph->row_start[vertex];
}

static uint64_t work_of(const struct mu_graph *graph, uint32_t vertex)
{
    return BFS_WORK_OF(degree_of(graph, vertex));
}

/* Prepares the rows of incoming arcs, if they are not the graph's own. */
static int prepare_incoming(struct mu_instance *instance, struct mu_error *err)
{
    struct app_state *S = instance->state;
    bool directed = false;
    if (S->alpha == 0 || mu_derive_incoming(instance, &directed, err) != MU_OK || !directed) return err->status;
    S->directed = 1;
    S->in_start = mu_copy_rows(instance, instance->derived, err);
    S->in_column = mu_copy_words(instance->derived->column, instance->derived->edges, "columns", err);
    return err->status;
}

static int prepare(struct mu_instance *instance, struct mu_error *err)
{
    struct app_state *S = instance->state;
    const struct mu_graph *graph = instance->graph;
    S->vertices = graph->vertices;
    S->source = S->option.source;
    S->alpha = S->option.alpha;
    /* Where no edges are shared: MU_SHARES in variants/teams/worklist.clh. */
    const bool shares = !instance->setup.serial || S->option.serial_degree != 0;
    S->words = shares ? 0 : (graph->vertices + 31) / 32;
    S->alone = shares ? 0 : S->option.alone;
    /* So much work is as many edges as one in beta vertices; no frontier has more than UINT32_MAX. */
    S->least = S->alpha != 0 ? graph->vertices / BFS_UNIT / S->option.beta : UINT32_MAX;
    /* A vertex of degree d has ceil(d / BFS_RANGE) ranges, so this is enough for any frontier. */
    const uint64_t capacity = graph->vertices + graph->edges / BFS_RANGE;
    uint64_t work = 0;
    S->few = graph->vertices / BFS_UNIT < S->option.sparse ? graph->vertices / BFS_UNIT : S->option.sparse;
    uint64_t longest = 1;
    for (uint32_t v = 0; v < graph->vertices; v++) {
        work += work_of(graph, v);
        if (degree_of(graph, v) > longest) longest = degree_of(graph, v);
    }
    S->light = longest <= BFS_UNIT;
    S->batches = (uint32_t)((longest - 1) / S->option.batch + 1);
    S->subteam = S->light != 0 ? S->option.subteam : 0;
    if (capacity > UINT32_MAX || work > UINT32_MAX)
        return mu_fail(err, MU_LIMIT, "%s: more edges than bfs can queue", graph->name);
    S->capacity = (uint32_t)capacity;
    S->work = (uint32_t)work;
    /* A source has a good part of all edges where it has more than one in alpha of them. */
    const uint64_t hub = S->alpha != 0 ? graph->edges / S->alpha / BFS_RANGE : UINT32_MAX;
    S->hub = hub > 1 ? (uint32_t)hub : 1;
    S->row_start = mu_copy_rows(instance, graph, err);
    S->column = mu_copy_words(graph->column, graph->edges, "columns", err);
    return err->status == MU_OK ? prepare_incoming(instance, err) : err->status;
}

/* Makes the reference: the distances, by a sequential search with a queue. */
static int make_reference(struct mu_instance *instance, struct mu_error *err)
{
    const struct app_state *S = instance->state;
    const struct mu_graph *graph = instance->graph;
    uint32_t *distance = mu_malloc(graph->vertices, sizeof *distance, "the reference distances", err);
    uint32_t *queue = mu_malloc(graph->vertices, sizeof *queue, "the reference queue", err);
    if (err->status == MU_OK) {
        uint32_t head = 0, tail = 0;
        for (uint32_t v = 0; v < graph->vertices; v++) distance[v] = BFS_UNREACHED;
        distance[S->option.source] = 0;
        queue[tail++] = S->option.source;
        while (head < tail) {
            const uint32_t v = queue[head++];
            for (uint64_t e = graph->row_start[v]; e < graph->row_start[v + 1]; e++) {
                const uint32_t w = graph->column[e];
                if (distance[w] != BFS_UNREACHED) continue;
                distance[w] = distance[v] + 1;
                queue[tail++] = w;
            }
        }
    }
    mu_free(queue);
    if (err->status == MU_OK)
        instance->reference = distance;
    else
        mu_free(distance);
    return err->status;
}

static int check(struct mu_instance *instance, struct mu_error *err)
{
    const struct app_state *S = instance->state;
    if (instance->reference == NULL && make_reference(instance, err) != MU_OK) return err->status;
    return mu_check_words(S->distance, instance->reference, S->vertices, "distance", err);
}

static size_t reference_bytes(const struct mu_instance *instance)
{
    return instance->graph->vertices * sizeof(uint32_t);
}

const struct mu_app mu_app_lonestar_bfs = {
    .suite = "lonestar",
    .name = "bfs",
    .shared = "variants/teams/subteam.clh",
    .purpose = "breadth-first search: distance in arcs from --source",
    .result = "distance",
    .prepare = prepare,
    .check = check,
    .reference_bytes = reference_bytes,
    MU_APP_TABLES,
};
