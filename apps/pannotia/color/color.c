/* color: the host's part. The graph is taken as simple and undirected: arcs count in both directions, and loops and
 * parallel arcs do not count. */
#include "color.state.h"

#define APP_OPTIONS(X)                                                                                                 \
    X(batch, uint, MU_ROW_BATCH, .otherwise = "4")                                                                     \
    X(sparse, uint, MU_ROW_SPARSE)                                                                                     \
    X(serial_degree, uint, MU_ROW_SERIAL_DEGREE)                                                                       \
    X(queue, uint, MU_ROW_QUEUE, .otherwise = "4")                                                                     \
    X(poll_degree, uint, .argument = "EDGES", .is = MU_OPTION_BUILD, .min = 0, .max = COLOR_POLL_MOST,                 \
      .otherwise = "32",                                                                                               \
      .help = "Where no vertex has a higher degree, each asks its neighbours until it has a colour")                   \
    X(sweeps, uint, MU_ROW_SWEEPS)
#include "apps/host.h"
#include "apps/priority.clh"
#include "color.plan.h"

#include "apps/symmetric.h"
#include "base/memory.h"

static uint64_t highest_degree(const struct mu_graph *graph)
{
    uint64_t highest = 0;
    for (uint32_t v = 0; v < graph->vertices; v++) {
        const uint64_t degree = graph->row_start[v + 1] - graph->row_start[v];
        if (degree > highest) highest = degree;
    }
    return highest;
}

static int prepare(struct mu_instance *instance, struct mu_error *err)
{
    struct app_state *S = instance->state;
    if (mu_derive_symmetric(instance, err) != MU_OK) return err->status;
    const struct mu_graph *graph = instance->derived;
    S->vertices = graph->vertices;
    /* A vertex of degree d has ceil(d / COLOR_RANGE) ranges, so this is enough for any frontier. */
    const uint64_t capacity = graph->vertices + graph->edges / COLOR_RANGE;
    if (capacity > UINT32_MAX || graph->vertices > COLOR_LAST)
        return mu_fail(err, MU_LIMIT, "%s: more vertices and edges than color can queue", graph->name);
    S->capacity = (uint32_t)capacity;
    if (highest_degree(graph) > S->option.poll_degree) S->option.poll_degree = 0;
    S->polls = S->option.poll_degree != 0;
    S->row_start = mu_copy_rows(instance, graph, err);
    S->column = mu_copy_words(graph->column, instance->edges, "columns", err);
    return err->status;
}

/* Colours the graph in rounds as color.cl defines them, with a queue. `waits_for` counts a vertex's uncoloured
 * neighbours of higher priority. A vertex that waits for none has the highest priority among its uncoloured neighbours.
 * A vertex whose count reaches zero because of round c's vertices gets colour c + 1, and stands behind all of them in
 * the queue. */
static void colour_by_rounds(const struct mu_graph *graph, uint32_t *colour, uint32_t *waits_for, uint32_t *queue)
{
    uint32_t head = 0, tail = 0;
    for (uint32_t v = 0; v < graph->vertices; v++) {
        waits_for[v] = 0;
        for (uint64_t e = graph->row_start[v]; e < graph->row_start[v + 1]; e++)
            waits_for[v] += mu_priority(graph->column[e]) > mu_priority(v);
        if (waits_for[v] != 0) continue;
        colour[v] = 1;
        queue[tail++] = v;
    }
    while (head < tail) {
        const uint32_t v = queue[head++];
        for (uint64_t e = graph->row_start[v]; e < graph->row_start[v + 1]; e++) {
            const uint32_t w = graph->column[e];
            if (mu_priority(w) > mu_priority(v) || --waits_for[w] != 0) continue;
            colour[w] = colour[v] + 1;
            queue[tail++] = w;
        }
    }
}

static int make_reference(struct mu_instance *instance, struct mu_error *err)
{
    const uint32_t vertices = instance->derived->vertices;
    uint32_t *colour = mu_calloc(vertices, sizeof *colour, "the reference colours", err);
    uint32_t *waits_for = mu_malloc(vertices, sizeof *waits_for, "the reference's counts", err);
    uint32_t *queue = mu_malloc(vertices, sizeof *queue, "the reference's queue", err);
    if (err->status == MU_OK) colour_by_rounds(instance->derived, colour, waits_for, queue);
    mu_free(queue);
    mu_free(waits_for);
    if (err->status == MU_OK)
        instance->reference = colour;
    else
        mu_free(colour);
    return err->status;
}

static int check_proper(const struct mu_graph *graph, const uint32_t *colour, struct mu_error *err)
{
    for (uint32_t v = 0; v < graph->vertices; v++) {
        if (colour[v] == 0 || colour[v] > graph->vertices)
            return mu_fail(err, MU_WRONG, "vertex %u has colour %u, which is not between 1 and %u", v, colour[v],
                           graph->vertices);
        for (uint64_t e = graph->row_start[v]; e < graph->row_start[v + 1]; e++)
            if (colour[graph->column[e]] == colour[v])
                return mu_fail(err, MU_WRONG, "not proper: vertices %u and %u are neighbours of colour %u", v,
                               graph->column[e], colour[v]);
    }
    return MU_OK;
}

static uint32_t count_colours(const uint32_t *colour, uint32_t vertices)
{
    uint32_t most = 0;
    for (uint32_t v = 0; v < vertices; v++)
        if (colour[v] > most) most = colour[v];
    return most;
}

static int check(struct mu_instance *instance, struct mu_error *err)
{
    const struct app_state *S = instance->state;
    if (instance->reference == NULL && mu_check_symmetric(instance, err) != MU_OK) return err->status;
    if (check_proper(instance->derived, S->colour, err) != MU_OK) return err->status;
    if (instance->reference == NULL && make_reference(instance, err) != MU_OK) return err->status;
    const uint32_t *reference = instance->reference;
    for (uint32_t v = 0; v < S->vertices; v++)
        if (S->colour[v] != reference[v])
            return mu_fail(err, MU_WRONG,
                           "vertex %u has colour %u of %u, but gets colour %u of %u in order of priority", v,
                           S->colour[v], count_colours(S->colour, S->vertices), reference[v],
                           count_colours(reference, S->vertices));
    return MU_OK;
}

static size_t summary(const struct mu_instance *instance, struct mu_figure *figures)
{
    const struct app_state *S = instance->state;
    figures[0] = (struct mu_figure){.name = "colours", .value = count_colours(S->colour, S->vertices)};
    return 1;
}

/* How many steps the plan takes: one for each colour, since the vertices of the last one have nobody to pass it on to.
 * Where work-items ask for colours it depends on who is faster. */
static uint64_t steps(const struct mu_instance *instance)
{
    const struct app_state *S = instance->state;
    return S->polls ? 0 : count_colours(S->colour, S->vertices);
}

static size_t reference_bytes(const struct mu_instance *instance)
{
    return instance->derived->vertices * sizeof(uint32_t);
}

const struct mu_app mu_app_pannotia_color = {
    .suite = "pannotia",
    .name = "color",
    .purpose = "graph colouring by rounds: an independent set in priority order for each colour, from 1",
    .needs = 0,
    .result = "colour",
    .prepare = prepare,
    .check = check,
    .reference_bytes = reference_bytes,
    .summary = summary,
    .steps = steps,
    MU_APP_TABLES,
};
