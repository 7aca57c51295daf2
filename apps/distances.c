#include "apps/distances.h"

#include "base/memory.h"

#include <inttypes.h>

#define NOWHERE UINT32_MAX

/* A binary heap of vertices, with the nearest one on top. */
struct heap {
    uint64_t *distance; /* of every vertex */
    uint32_t *vertex;   /* [size] */
    uint32_t *place;    /* where a vertex is in the heap, or NOWHERE */
    uint32_t size;
};

static void put(struct heap *heap, uint32_t place, uint32_t vertex)
{
    heap->vertex[place] = vertex;
    heap->place[vertex] = place;
}

/* Moves a vertex towards the top, after its distance has become smaller. */
static void rise(struct heap *heap, uint32_t vertex)
{
    uint32_t place = heap->place[vertex];
    while (place > 0) {
        const uint32_t above = (place - 1) / 2;
        if (heap->distance[heap->vertex[above]] <= heap->distance[vertex]) break;
        put(heap, place, heap->vertex[above]);
        place = above;
    }
    put(heap, place, vertex);
}

static uint32_t take_nearest(struct heap *heap)
{
    const uint32_t nearest = heap->vertex[0], last = heap->vertex[--heap->size];
    uint64_t place = 0;
    for (uint64_t child = 1; child < heap->size; child = 2 * place + 1) {
        if (child + 1 < heap->size && heap->distance[heap->vertex[child + 1]] < heap->distance[heap->vertex[child]])
            child++;
        if (heap->distance[last] <= heap->distance[heap->vertex[child]]) break;
        put(heap, (uint32_t)place, heap->vertex[child]);
        place = child;
    }
    if (heap->size > 0) put(heap, (uint32_t)place, last);
    return nearest;
}

static void offer(struct heap *heap, uint32_t vertex, uint64_t distance)
{
    if (distance >= heap->distance[vertex]) return;
    if (heap->distance[vertex] == MU_UNREACHED_64) heap->place[vertex] = heap->size++;
    heap->distance[vertex] = distance;
    rise(heap, vertex);
}

static void run_dijkstra(const struct mu_graph *graph, uint32_t source, struct heap *heap)
{
    for (uint32_t v = 0; v < graph->vertices; v++) {
        heap->distance[v] = MU_UNREACHED_64;
        heap->place[v] = NOWHERE;
    }
    offer(heap, source, 0);
    while (heap->size > 0) {
        const uint32_t v = take_nearest(heap);
        for (uint64_t e = graph->row_start[v]; e < graph->row_start[v + 1]; e++)
            offer(heap, graph->column[e], heap->distance[v] + graph->weight[e]);
    }
}

uint64_t *mu_shortest_distances(const struct mu_graph *graph, uint32_t source, struct mu_error *err)
{
    struct heap heap = {.size = 0};
    heap.distance = mu_malloc(graph->vertices, sizeof *heap.distance, "the reference distances", err);
    heap.vertex = mu_malloc(graph->vertices, sizeof *heap.vertex, "the reference's heap", err);
    heap.place = mu_malloc(graph->vertices, sizeof *heap.place, "the reference's heap", err);
    const bool ok = heap.distance != NULL && heap.vertex != NULL && heap.place != NULL;
    if (ok) run_dijkstra(graph, source, &heap);
    mu_free(heap.vertex);
    mu_free(heap.place);
    if (ok) return heap.distance;
    mu_free(heap.distance);
    return NULL;
}

static int judge(uint32_t vertex, uint32_t got, uint64_t expected, struct mu_error *err)
{
    if (expected < MU_UNREACHED && got == MU_UNREACHED)
        return mu_fail(err, MU_WRONG, "vertex %u is not reached, but is at %" PRIu64, vertex, expected);
    if (expected < MU_UNREACHED && got != expected)
        return mu_fail(err, MU_WRONG, "vertex %u has distance %u, but is at %" PRIu64, vertex, got, expected);
    if (expected >= MU_UNREACHED && got != MU_UNREACHED)
        return mu_fail(err, MU_WRONG, "vertex %u has distance %u, but cannot be reached%s", vertex, got,
                       expected == MU_UNREACHED_64 ? "" : " within 32 bits");
    return MU_OK;
}

/* Finds out whether a run may have met a sum that a distance does not hold. All that a run adds up is a path without
 * loops, of at most one arc less than there are vertices, and one more arc, which may close a cycle. On its way to
 * right distances a run may pass through such a sum, so that no more can be asked of its claim. */
static bool may_overflow(const struct mu_graph *graph)
{
    uint32_t heaviest = 0;
    for (uint64_t e = 0; e < graph->edges; e++)
        if (graph->weight[e] > heaviest) heaviest = graph->weight[e];
    return (uint64_t)graph->vertices * heaviest >= MU_UNREACHED;
}

int mu_check_distances(struct mu_instance *instance, const uint32_t *distance, bool overflow, struct mu_error *err)
{
    const struct mu_graph *graph = instance->graph;
    if (instance->reference == NULL)
        instance->reference = mu_shortest_distances(graph, (uint32_t)mu_instance_value(instance, "source").number, err);
    const uint64_t *reference = instance->reference;
    if (reference == NULL) return err->status;
    uint32_t beyond = MU_UNREACHED;
    for (uint32_t v = 0; v < graph->vertices; v++) {
        if (judge(v, distance[v], reference[v], err) != MU_OK) return err->status;
        if (beyond == MU_UNREACHED && reference[v] >= MU_UNREACHED && reference[v] != MU_UNREACHED_64) beyond = v;
    }
    if (beyond == MU_UNREACHED && overflow && !may_overflow(graph))
        return mu_fail(err, MU_WRONG, "the run says that a distance overflows, but no path is that long");
    if (beyond == MU_UNREACHED) return MU_OK;
    return mu_fail(err, overflow ? MU_LIMIT : MU_WRONG,
                   "the distance of vertex %u is %" PRIu64 ", and a distance has 32 bits (at most %u)%s", beyond,
                   reference[beyond], MU_UNREACHED - 1, overflow ? "" : ": the run has not noticed");
}

uint64_t *mu_pack_arcs(const struct mu_graph *graph, struct mu_error *err)
{
    uint64_t *arcs = mu_malloc(graph->edges, sizeof *arcs, "arcs", err);
    for (uint64_t e = 0; arcs != NULL && e < graph->edges; e++)
        arcs[e] = graph->column[e] | (uint64_t)graph->weight[e] << 32;
    return arcs;
}
