#include "apps/irgl/irgl.h"

#include "base/memory.h"

const struct mu_choice irgl_switches[] = {{"off", "not applied"}, {"on", "applied"}, {NULL, NULL}};
const struct mu_choice irgl_grains[] = {{"off", "not applied"}, {"1", "one edge"}, {"8", "eight edges"}, {NULL, NULL}};

static int take_pairs(const struct mu_graph *graph, const struct irgl_arrays *arrays, struct mu_error *err)
{
    if (graph->edges >= UINT32_MAX) return mu_fail(err, MU_LIMIT, "%s: more arcs than 32 bits can number", graph->name);
    *arrays->tail = mu_malloc(graph->edges, sizeof **arrays->tail, "tails of arcs", err);
    *arrays->twin = mu_malloc(graph->edges, sizeof **arrays->twin, "twins of arcs", err);
    return err->status == MU_OK ? irgl_pair_arcs(graph, *arrays->tail, *arrays->twin, err) : err->status;
}

static int take(struct mu_instance *instance, const struct mu_graph *graph, const struct irgl_arrays *arrays,
                struct mu_error *err)
{
    mu_take_rows(instance, graph, &arrays->rows, err);
    if (arrays->weight != NULL) *arrays->weight = mu_copy_words(graph->weight, graph->edges, "weights", err);
    if (err->status == MU_OK && arrays->tail != NULL) take_pairs(graph, arrays, err);
    return err->status;
}

int irgl_take_graph(struct mu_instance *instance, const struct irgl_arrays *arrays, struct mu_error *err)
{
    return take(instance, instance->graph, arrays, err);
}

int irgl_take_symmetric(struct mu_instance *instance, const struct irgl_arrays *arrays, struct mu_error *err)
{
    if (mu_derive_symmetric(instance, err) != MU_OK) return err->status;
    return take(instance, instance->derived, arrays, err);
}

int irgl_list_room(const struct mu_graph *graph, uint32_t *room, struct mu_error *err)
{
    if (graph->edges >= UINT32_MAX) return mu_fail(err, MU_LIMIT, "%s: more edges than the list can hold", graph->name);
    *room = (uint32_t)graph->edges + 1;
    return MU_OK;
}

size_t irgl_word_for_each(const struct mu_instance *instance)
{
    return instance->graph->vertices * sizeof(uint32_t);
}

size_t irgl_long_for_each(const struct mu_instance *instance)
{
    return instance->graph->vertices * sizeof(uint64_t);
}

/* ---- Levels: a sequential search with a queue ---- */

static void search(const struct mu_graph *graph, uint32_t source, uint32_t *level, uint32_t *queue)
{
    uint32_t head = 0, tail = 1;
    for (uint32_t v = 0; v < graph->vertices; v++) level[v] = IRGL_UNREACHED;
    level[source] = 0;
    queue[0] = source;
    while (head < tail) {
        const uint32_t v = queue[head++];
        for (uint64_t e = graph->row_start[v]; e < graph->row_start[v + 1]; e++) {
            const uint32_t w = graph->column[e];
            if (level[w] != IRGL_UNREACHED) continue;
            level[w] = level[v] + 1;
            queue[tail++] = w;
        }
    }
}

static int make_levels(struct mu_instance *instance, struct mu_error *err)
{
    const struct mu_graph *graph = instance->graph;
    uint32_t *level = mu_malloc(graph->vertices, sizeof *level, "the reference levels", err);
    uint32_t *queue = mu_malloc(graph->vertices, sizeof *queue, "the reference queue", err);
    if (err->status == MU_OK) {
        search(graph, (uint32_t)mu_instance_value(instance, "source").number, level, queue);
        instance->reference = level;
    } else {
        mu_free(level);
    }
    mu_free(queue);
    return err->status;
}

int irgl_check_levels(struct mu_instance *instance, const uint32_t *level, struct mu_error *err)
{
    if (instance->reference == NULL && make_levels(instance, err) != MU_OK) return err->status;
    const uint32_t *reference = instance->reference;
    for (uint32_t v = 0; v < instance->graph->vertices; v++)
        if (level[v] != reference[v])
            return mu_fail(err, MU_WRONG, "vertex %u has level %u, but is at %u", v, level[v], reference[v]);
    return MU_OK;
}

uint32_t irgl_width(const struct mu_graph *graph, uint32_t asked)
{
    double sum = 0;
    if (asked != 0 || graph->edges == 0) return asked != 0 ? asked : 1;
    for (uint64_t e = 0; e < graph->edges; e++) sum += graph->weight[e];
    const double mean = sum / (double)graph->edges, degree = (double)graph->edges / graph->vertices;
    const double width = 32 * mean / degree;
    return width >= UINT32_MAX ? UINT32_MAX - 1 : width < 1 ? 1 : (uint32_t)width;
}
