/* color: the host's part. The graph is taken as simple and undirected: arcs count in both directions, and loops and
 * parallel arcs do not count. */
#include "color.state.h"

#include "base/choice.h"

#include <stddef.h>

/* Indexed by APP_ORDER. */
static const struct mu_choice orders[] = {
    {"priority", "higher priority first, each vertex one more than those before it"},
    {"degree", "higher degree first, each vertex the smallest colour left"},
    {NULL, NULL}};
#define APP_OPTIONS(X)                                                                                                 \
    X(order, uint, .argument = "ORDER", .is = MU_OPTION_BUILD | MU_OPTION_RARE, .choices = orders,                     \
      .otherwise = "priority", .help = "Which vertices get their colours first")                                       \
    X(batch, uint, MU_ROW_BATCH, .words = {{"auto", 0}}, .otherwise = "auto",                                          \
      .usual = "auto: 4, or 8 where vertices ask neighbours and have 5 or more on average")                            \
    X(sparse, uint, MU_ROW_SPARSE)                                                                                     \
    X(serial_degree, uint, MU_ROW_SERIAL_DEGREE)                                                                       \
    X(queue, uint, MU_ROW_QUEUE, .otherwise = "4")                                                                     \
    X(poll_degree, uint, .argument = "EDGES", .is = MU_OPTION_BUILD, .min = 0, .max = COLOR_POLL_MOST,                 \
      .otherwise = "32",                                                                                               \
      .help =                                                                                                          \
          "Where no row, or in order of degree no list of those before a vertex, is longer, vertices ask for colours") \
    X(sweeps, uint, MU_ROW_SWEEPS)
#include "apps/host.h"
#include "apps/priority.clh"
#include "color.plan.h"

#include "apps/symmetric.h"
#include "base/memory.h"

static uint64_t degree_of(const struct mu_graph *graph, uint32_t v)
{
    return graph->row_start[v + 1] - graph->row_start[v];
}

static uint64_t highest_degree(const struct mu_graph *graph)
{
    uint64_t highest = 0;
    for (uint32_t v = 0; v < graph->vertices; v++) {
        const uint64_t degree = degree_of(graph, v);
        if (degree > highest) highest = degree;
    }
    return highest;
}

/* Returns true if w comes before v. */
static bool comes_before(const struct mu_graph *graph, uint32_t order, uint32_t w, uint32_t v)
{
    if (order == COLOR_BY_DEGREE && degree_of(graph, w) != degree_of(graph, v))
        return degree_of(graph, w) > degree_of(graph, v);
    return mu_priority(w) > mu_priority(v);
}

/* Returns the largest number of neighbours that come before one vertex in order of degree. */
static uint32_t most_before(const struct mu_graph *graph)
{
    uint32_t most = 0;
    for (uint32_t v = 0; v < graph->vertices; v++) {
        uint32_t before = 0;
        for (uint64_t e = graph->row_start[v]; e < graph->row_start[v + 1]; e++)
            before += comes_before(graph, COLOR_BY_DEGREE, graph->column[e], v);
        if (before > most) most = before;
    }
    return most;
}

/* Chooses how vertices get their colours, and how many neighbours are asked at once: more pay where vertices have six,
 * and cost where they have four. */
static void choose_way(struct mu_instance *instance, struct app_state *S)
{
    const struct mu_graph *graph = instance->derived;
    const bool by_degree = S->option.order == COLOR_BY_DEGREE;
    const bool short_rows = highest_degree(graph) <= S->option.poll_degree;
    const bool few_before = !short_rows && by_degree && most_before(graph) <= S->option.poll_degree;
    if (!short_rows && !few_before) S->option.poll_degree = 0;
    S->polls = S->option.poll_degree != 0;
    S->lists = by_degree && (few_before || !S->polls);
    if (few_before)
        instance->form = "COLOR_AHEAD=1";
    else if (S->polls && graph->vertices >= mu_many_vertices)
        instance->form = "COLOR_DEALS=1";
    const bool many = S->polls && !instance->setup.serial && graph->edges / 5 >= graph->vertices;
    if (S->option.batch == 0) S->option.batch = many ? 8 : 4;
}

static int prepare(struct mu_instance *instance, struct mu_error *err)
{
    struct app_state *S = instance->state;
    if (mu_derive_symmetric(instance, err) != MU_OK) return err->status;
    const struct mu_graph *graph = instance->derived;
    S->vertices = graph->vertices;
    S->scattered = mu_is_scattered(graph);
    /* A vertex of degree d has ceil(d / COLOR_RANGE) ranges, so this is enough for any frontier. */
    const uint64_t capacity = graph->vertices + graph->edges / COLOR_RANGE;
    if (capacity > UINT32_MAX || graph->vertices > COLOR_LAST)
        return mu_fail(err, MU_LIMIT, "%s: more vertices and edges than color can queue", graph->name);
    S->capacity = (uint32_t)capacity;
    choose_way(instance, S);
    S->row_start = mu_copy_rows(instance, graph, err);
    S->column = mu_copy_words(graph->column, instance->edges, "columns", err);
    return err->status;
}

/* Returns the colour of v, whose neighbours without a colour come behind it. `seen_by` has a word for each colour and
 * 0. */
static uint32_t colour_of(const struct mu_graph *graph, uint32_t order, uint32_t v, const uint32_t *colour,
                          uint32_t *seen_by)
{
    uint32_t largest = 0, smallest = 1;
    for (uint64_t e = graph->row_start[v]; e < graph->row_start[v + 1]; e++) {
        const uint32_t other = colour[graph->column[e]];
        seen_by[other] = v;
        if (other > largest) largest = other;
    }
    if (order != COLOR_BY_DEGREE) return largest + 1;
    while (smallest <= largest && seen_by[smallest] == v) smallest++;
    return smallest;
}

/* Words for each vertex, and as many for the colours 0 to `vertices`. */
struct working {
    uint32_t *waits_for, *queue, *seen_by;
};

/* Colours the graph in order, with a queue. `waits_for` counts a vertex's neighbours before it without a colour. A
 * vertex that waits for none can have its own, and all that it waited for stand before it in the queue. */
static void colour_in_order(const struct mu_graph *graph, uint32_t order, uint32_t *colour, struct working working)
{
    uint32_t head = 0, tail = 0;
    for (uint32_t v = 0; v < graph->vertices; v++) {
        working.waits_for[v] = 0;
        working.seen_by[v] = UINT32_MAX;
        for (uint64_t e = graph->row_start[v]; e < graph->row_start[v + 1]; e++)
            working.waits_for[v] += comes_before(graph, order, graph->column[e], v);
        if (working.waits_for[v] == 0) working.queue[tail++] = v;
    }
    working.seen_by[graph->vertices] = UINT32_MAX;
    while (head < tail) {
        const uint32_t v = working.queue[head++];
        colour[v] = colour_of(graph, order, v, colour, working.seen_by);
        for (uint64_t e = graph->row_start[v]; e < graph->row_start[v + 1]; e++) {
            const uint32_t w = graph->column[e];
            if (comes_before(graph, order, v, w) && --working.waits_for[w] == 0) working.queue[tail++] = w;
        }
    }
}

static int make_reference(struct mu_instance *instance, struct mu_error *err)
{
    const uint32_t vertices = instance->derived->vertices;
    uint32_t *colour = mu_calloc(vertices, sizeof *colour, "the reference colours", err);
    const struct working working = {
        .waits_for = mu_malloc(vertices, sizeof(uint32_t), "the reference's counts", err),
        .queue = mu_malloc(vertices, sizeof(uint32_t), "the reference's queue", err),
        .seen_by = mu_malloc((uint64_t)vertices + 1, sizeof(uint32_t), "the reference's colours", err),
    };
    const struct app_state *S = instance->state;
    if (err->status == MU_OK) colour_in_order(instance->derived, S->option.order, colour, working);
    mu_free(working.seen_by);
    mu_free(working.queue);
    mu_free(working.waits_for);
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
            return mu_fail(err, MU_WRONG, "vertex %u has colour %u of %u, but gets colour %u of %u in order of %s", v,
                           S->colour[v], count_colours(S->colour, S->vertices), reference[v],
                           count_colours(reference, S->vertices), orders[S->option.order].name);
    return MU_OK;
}

static size_t summary(const struct mu_instance *instance, struct mu_figure *figures)
{
    const struct app_state *S = instance->state;
    figures[0] = (struct mu_figure){.name = "colours", .value = count_colours(S->colour, S->vertices)};
    return 1;
}

/* Returns how many steps the plan takes: one for each colour, since no vertex waits for those of the last one. Where
 * work-items ask for colours or bounds it depends on which are faster. */
static uint64_t steps(const struct mu_instance *instance)
{
    const struct app_state *S = instance->state;
    return S->polls || S->lists ? 0 : count_colours(S->colour, S->vertices);
}

static size_t reference_bytes(const struct mu_instance *instance)
{
    return instance->derived->vertices * sizeof(uint32_t);
}

const struct mu_app mu_app_pannotia_color = {
    .suite = "pannotia",
    .name = "color",
    .purpose = "graph colouring by rounds, in order of priority or of degree",
    .needs = 0,
    .result = "colour",
    .prepare = prepare,
    .check = check,
    .reference_bytes = reference_bytes,
    .summary = summary,
    .steps = steps,
    MU_APP_TABLES,
};
