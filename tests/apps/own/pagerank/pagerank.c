/* pagerank: the host's part. Arcs are followed in their direction, and parallel arcs count each. */
#include "pagerank.state.h"

#define APP_OPTIONS(X)                                                                                                 \
    X(damping, real, .argument = "SHARE", .is = MU_OPTION_INPUT, .most = 1, .otherwise = "0.85",                       \
      .help = "The share of a vertex's rank that follows its arcs")                                                    \
    X(enough, real, .argument = "CHANGE", .is = MU_OPTION_INPUT, .most = 1, .otherwise = "1e-6",                       \
      .help = "Stops when the ranks of a round differ by so much in all from those before")
#include "apps/host.h"
#include "pagerank.plan.h"

#include "base/memory.h"

#include <math.h>

/* What rounding may add to a rank's distance from the reference, relative to the sum of all ranks, which is at most 1:
 * a few units in the last place of every term. */
#define ROUNDING_DOUBLE 1e-12
#define ROUNDING_SINGLE 1e-4

static int prepare(struct mu_instance *instance, struct mu_error *err)
{
    struct app_state *S = instance->state;
    const struct mu_graph *graph = instance->graph;
    if (S->option.damping > 0.999)
        return mu_fail(err, MU_USAGE, "--damping=%g: above 0.999 rounding counts for more than arcs",
                       S->option.damping);
    if (mu_graph_transpose(graph, &instance->derived, err) != MU_OK) return err->status;
    instance->edges = instance->derived->edges;
    S->vertices = graph->vertices;
    S->damping = S->option.damping;
    S->enough = S->option.enough;
    S->jump = (1 - S->option.damping) / (graph->vertices != 0 ? graph->vertices : 1);
    S->in_start = mu_copy_rows(instance, instance->derived, err);
    S->in_neighbour = mu_copy_words(instance->derived->column, instance->edges, "columns", err);
    S->degree = mu_malloc(graph->vertices, sizeof *S->degree, "degrees", err);
    for (uint32_t v = 0; S->degree != NULL && v < graph->vertices; v++)
        S->degree[v] = (uint32_t)(graph->row_start[v + 1] - graph->row_start[v]);
    return err->status;
}

/* One round in double precision, pushed along outgoing arcs. Returns the largest change. */
static double iterate(const struct app_state *S, const struct mu_graph *graph, const double *from, double *to)
{
    double largest = 0;
    for (uint32_t v = 0; v < graph->vertices; v++) to[v] = S->jump;
    for (uint32_t v = 0; v < graph->vertices; v++)
        for (uint64_t e = graph->row_start[v]; e < graph->row_start[v + 1]; e++)
            to[graph->column[e]] += S->damping * from[v] / S->degree[v];
    for (uint32_t v = 0; v < graph->vertices; v++) largest = fmax(largest, fabs(to[v] - from[v]));
    return largest;
}

/* The reference: the fixed point. A round brings any ranks closer to it by the factor of damping, so that some tens of
 * thousands of rounds are enough for the largest damping there is. */
static int make_reference(struct mu_instance *instance, struct mu_error *err)
{
    const struct app_state *S = instance->state;
    double *rank = mu_calloc(S->vertices, sizeof *rank, "reference ranks", err);
    double *next = mu_calloc(S->vertices, sizeof *next, "reference ranks", err);
    double change = 1;
    for (int round = 0; err->status == MU_OK && round < 50000 && change > 1e-18; round++) {
        change = iterate(S, instance->graph, rank, next);
        double *swap = rank;
        rank = next;
        next = swap;
    }
    mu_free(next);
    if (err->status == MU_OK)
        instance->reference = rank;
    else
        mu_free(rank);
    return err->status;
}

/* A last round that changed the ranks by `enough` in all leaves them damping / (1 - damping) times that from the fixed
 * point, at most. */
static int check(struct mu_instance *instance, struct mu_error *err)
{
    const struct app_state *S = instance->state;
    double distance = 0;
    if (instance->reference == NULL && make_reference(instance, err) != MU_OK) return err->status;
    const double *reference = instance->reference;
    for (uint32_t v = 0; v < S->vertices; v++) {
        const double rank = mu_instance_real(instance, S->rank, v);
        if (!(rank >= 0 && rank <= 1)) return mu_fail(err, MU_WRONG, "vertex %u has rank %g", v, rank);
        distance += fabs(rank - reference[v]);
    }
    const double rounding = instance->setup.single ? ROUNDING_SINGLE : ROUNDING_DOUBLE;
    const double allowed = S->enough * S->damping / (1 - S->damping) + rounding;
    if (distance <= allowed) return MU_OK;
    return mu_fail(err, MU_WRONG, "the ranks are %g from the reference in all, more than %g", distance, allowed);
}

const struct mu_app mu_app_own_pagerank = {
    .suite = "own",
    .name = "pagerank",
    .purpose = "ranks of vertices by power iteration, until they change little",
    .result = "rank",
    .prepare = prepare,
    .check = check,
    MU_APP_TABLES,
};
