/* The check of ranks, against the fixed point in double precision.
 *
 * Let D be the damped matrix and r the fixed point. A program ends with ranks x such that x = D x + (1 - damping) + c,
 * where no |c| is above PR_ENOUGH: c is the remaining residuals, or the last change. So x - r = (1 - D)^-1 c.
 * Since (1 - D)^-1 1 = r / (1 - damping), every rank is off by at most PR_ENOUGH / (1 - damping) of itself. */
#include "apps/irgl/irgl.h"
#include "apps/irgl/pr.clh"

#include "base/memory.h"

#include <math.h>

/* What single precision may add: sums over many arcs, in any order, relative to a rank. */
#define ROUNDING 2e-4

/* The reference is iterated until no rank changes by more than this. By the same reasoning it is then off by at most
 * this / (1 - damping) of a rank, a thousandth of ROUNDING. */
#define REFERENCE_ENOUGH 3e-8

/* Does one round along outgoing arcs. Returns the largest change. */
static double iterate(const struct mu_graph *graph, const double *from, double *to)
{
    const double damping = (double)PR_DAMPING;
    double largest = 0;
    for (uint32_t v = 0; v < graph->vertices; v++) to[v] = 1 - damping;
    for (uint32_t v = 0; v < graph->vertices; v++) {
        const uint64_t begin = graph->row_start[v], end = graph->row_start[v + 1];
        if (begin == end) continue;
        const double share = damping * from[v] / (double)(end - begin);
        for (uint64_t e = begin; e < end; e++) to[graph->column[e]] += share;
    }
    for (uint32_t v = 0; v < graph->vertices; v++) largest = fmax(largest, fabs(to[v] - from[v]));
    return largest;
}

static int make_reference(struct mu_instance *instance, struct mu_error *err)
{
    const struct mu_graph *graph = instance->graph;
    double *rank = mu_calloc(graph->vertices, sizeof *rank, "reference ranks", err);
    double *next = mu_calloc(graph->vertices, sizeof *next, "reference ranks", err);
    double change = 1;
    for (int round = 0; err->status == MU_OK && round < 1000 && change > REFERENCE_ENOUGH; round++) {
        change = iterate(graph, rank, next);
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

int irgl_check_ranks(struct mu_instance *instance, const float *rank, struct mu_error *err)
{
    const double allowed = (double)PR_ENOUGH / (1 - (double)PR_DAMPING) + ROUNDING;
    if (instance->reference == NULL && make_reference(instance, err) != MU_OK) return err->status;
    const double *reference = instance->reference;
    for (uint32_t v = 0; v < instance->graph->vertices; v++)
        if (!(fabs((double)rank[v] - reference[v]) <= allowed * reference[v]))
            return mu_fail(err, MU_WRONG, "vertex %u has rank %g instead of %g, which is off by more than %g of it", v,
                           (double)rank[v], reference[v], allowed);
    return MU_OK;
}
