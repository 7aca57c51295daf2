/* bfs-hybrid: the host's part. Arcs are followed in their direction. */
#include "bfs-hybrid.state.h"

#include "apps/irgl/irgl.h"

#define APP_OPTIONS(X) X(source, uint, MU_ROW_SOURCE) IRGL_PUSHES(X) IRGL_NESTS(X)
#include "apps/host.h"
#include "bfs-hybrid.plan.h"

static int prepare(struct mu_instance *instance, struct mu_error *err)
{
    struct app_state *S = instance->state;
    S->source = S->option.source;
    /* A vertex expands once, so that no list is longer than all edges; the first has the source. */
    if (instance->graph->edges >= UINT32_MAX)
        return mu_fail(err, MU_LIMIT, "%s: more edges than the list can hold", instance->graph->name);
    S->room = (uint32_t)instance->graph->edges + 1;
    return irgl_take_graph(instance, instance->graph, &S->vertices, &S->row_start, &S->column, err);
}

static int check(struct mu_instance *instance, struct mu_error *err)
{
    const struct app_state *S = instance->state;
    return irgl_check_levels(instance, S->level, err);
}

const struct mu_app mu_app_irgl_bfs_hybrid = {
    .suite = "irgl",
    .name = "bfs-hybrid",
    .purpose = "breadth-first search in one step where lists are short, in two where they are long",
    .needs = MU_NEEDS_SUBGROUPS,
    .result = "level",
    .prepare = prepare,
    .check = check,
    MU_APP_TABLES,
};
