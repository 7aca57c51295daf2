/* tour: the host's part. */
#include "tour.state.h"

#define APP_OPTIONS(X)                                                                                                 \
    X(share, real, .argument = "SHARE", .is = MU_OPTION_INPUT, .most = 1, .otherwise = "0.5",                          \
      .help = "The share of the mean that a vertex gets")                                                              \
    X(batch, uint, MU_ROW_BATCH, .otherwise = "4")
#include "apps/host.h"
#include "tour.plan.h"

#include "base/memory.h"

#include <math.h>

/* What rounding may add, relative to the mean. */
#define ROUNDING 1e-5

/* Works on the graph as it is, with its weights. */
static int prepare(struct mu_instance *instance, struct mu_error *err)
{
    struct app_state *S = instance->state;
    if (instance->graph->vertices > UINT32_MAX / 2)
        return mu_fail(err, MU_LIMIT, "%s: more vertices than a tour visits", instance->graph->name);
    S->share = S->option.share;
    S->weight = mu_copy_words(instance->graph->weight, instance->edges, "weights", err);
    return mu_take_graph(instance, MU_ROWS(S), err);
}

/* What the check compares with: whether a vertex's degree is odd. */
static int make_reference(struct mu_instance *instance, struct mu_error *err)
{
    const struct mu_graph *graph = instance->graph;
    uint32_t *odd = mu_malloc(graph->vertices, sizeof *odd, "the reference", err);
    if (odd == NULL) return err->status;
    for (uint32_t v = 0; v < graph->vertices; v++) odd[v] = (graph->row_start[v + 1] - graph->row_start[v]) % 2;
    instance->reference = odd;
    return MU_OK;
}

static int check_mean(const struct mu_instance *instance, uint32_t v, struct mu_error *err)
{
    const struct app_state *S = instance->state;
    const struct mu_graph *graph = instance->graph;
    const uint64_t begin = graph->row_start[v], end = graph->row_start[v + 1];
    const double got = mu_instance_real(instance, S->mean, v);
    double mean = 0;
    for (uint64_t e = begin; e < end; e++) mean += S->share * graph->weight[e] / (double)(end - begin);
    if (fabs(got - mean) <= ROUNDING * mean) return MU_OK;
    return mu_fail(err, MU_WRONG, "vertex %u has mean %g instead of %g", v, got, mean);
}

static int check(struct mu_instance *instance, struct mu_error *err)
{
    const struct app_state *S = instance->state;
    if (instance->reference == NULL && make_reference(instance, err) != MU_OK) return err->status;
    mu_check_words(S->listed, instance->reference, S->vertices, "mark", err);
    for (uint32_t i = 0; i < TOUR_TOTALS && err->status == MU_OK; i++)
        if (S->total[i] != (uint32_t)instance->graph->edges)
            mu_fail(err, MU_WRONG, "total %u is %u instead of %u", i, S->total[i], (uint32_t)instance->graph->edges);
    for (uint32_t v = 0; v < S->vertices && err->status == MU_OK; v++) check_mean(instance, v, err);
    return err->status;
}

/* The reference is kept on the disk, for graphs on which it takes long. */
static size_t reference_bytes(const struct mu_instance *instance)
{
    return instance->graph->vertices * sizeof(uint32_t);
}

/* What a record says of the result. */
static size_t summary(const struct mu_instance *instance, struct mu_figure *figures)
{
    const struct app_state *S = instance->state;
    figures[0] = (struct mu_figure){.name = "arcs", .value = S->total[TOUR_OWN]};
    return 1;
}

const struct mu_app mu_app_own_tour = {
    .suite = "own",
    .name = "tour",
    .purpose = "a step for each loop that shares out elements",
    .result = "listed",
    .needs = MU_NEEDS_WEIGHTS,
    .prepare = prepare,
    .check = check,
    .reference_bytes = reference_bytes,
    .summary = summary,
    MU_APP_TABLES,
};
