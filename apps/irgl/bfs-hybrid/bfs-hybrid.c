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
    if (irgl_list_room(instance->graph, &S->room, err) != MU_OK) return err->status;
    return irgl_take_graph(instance, &(struct irgl_arrays){IRGL_ROWS(S)}, err);
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
    IRGL_LEVELS,
    MU_APP_TABLES,
};
