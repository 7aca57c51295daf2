/* bfs: the host's part. Arcs are followed in their direction. */
#include "bfs.state.h"

#define APP_OPTIONS(X)                                                                                                 \
    X(source, uint, MU_ROW_SOURCE)                                                                                     \
    X(batch, uint, MU_ROW_BATCH, .otherwise = "4")                                                                     \
    X(sparse, uint, .argument = "RANGES", .is = MU_OPTION_BUILD, .min = 0, .max = 1u << 30, .otherwise = "4096",       \
      .help = "A frontier of at most so many ranges of edges is visited without looking first")                        \
    X(own_degree, uint, MU_ROW_OWN_DEGREE)                                                                             \
    X(queue, uint, MU_ROW_QUEUE, .otherwise = "4")
#include "apps/host.h"
#include "bfs.plan.h"

#include "base/memory.h"

static int prepare(struct mu_instance *instance, struct mu_error *err)
{
    struct app_state *S = instance->state;
    const struct mu_graph *graph = instance->graph;
    S->vertices = graph->vertices;
    S->source = S->option.source;
    /* A vertex of degree d has ceil(d / BFS_RANGE) ranges, so this is enough for any frontier. */
    const uint64_t capacity = graph->vertices + graph->edges / BFS_RANGE;
    if (capacity > UINT32_MAX) return mu_fail(err, MU_LIMIT, "%s: more edges than bfs can queue", graph->name);
    S->capacity = (uint32_t)capacity;
    S->row_start = mu_copy_rows(instance, graph, err);
    S->column = mu_copy_words(graph->column, graph->edges, "columns", err);
    return err->status;
}

/* The reference: a sequential search with a queue. */
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
    const uint32_t *reference = instance->reference;
    for (uint32_t v = 0; v < S->vertices; v++)
        if (S->distance[v] != reference[v])
            return mu_fail(err, MU_WRONG, "vertex %u has distance %u, but is at %u", v, S->distance[v], reference[v]);
    return MU_OK;
}

/* How many steps the plan takes: init, and one for each level that has arcs. */
static uint64_t steps(const struct mu_instance *instance)
{
    const struct app_state *S = instance->state;
    const struct mu_graph *graph = instance->graph;
    uint64_t levels = 0;
    for (uint32_t v = 0; v < S->vertices; v++)
        if (S->distance[v] != BFS_UNREACHED && S->distance[v] >= levels &&
            graph->row_start[v + 1] > graph->row_start[v])
            levels = (uint64_t)S->distance[v] + 1;
    return 1 + levels;
}

const struct mu_app mu_app_lonestar_bfs = {
    .suite = "lonestar",
    .name = "bfs",
    .purpose = "breadth-first search: distance in arcs from --source",
    .result = "distance",
    .prepare = prepare,
    .check = check,
    .steps = steps,
    MU_APP_TABLES,
};
