/* tri: the host's part. The graph is taken as simple and undirected: arcs count in both directions, and loops and
 * parallel arcs do not count. */
#include "tri.state.h"

#include "apps/irgl/irgl.h"

#define APP_OPTIONS(X) IRGL_NESTS(X)
#include "apps/host.h"
#include "tri.plan.h"

static int prepare(struct mu_instance *instance, struct mu_error *err)
{
    struct app_state *S = instance->state;
    return irgl_take_symmetric(instance, &(struct irgl_arrays){IRGL_ROWS(S)}, err);
}

static int check(struct mu_instance *instance, struct mu_error *err)
{
    const struct app_state *S = instance->state;
    return irgl_check_triangles(instance, S->triangles, err);
}

static size_t summary(const struct mu_instance *instance, struct mu_figure *figures)
{
    const struct app_state *S = instance->state;
    double all = 0;
    for (uint32_t v = 0; v < S->vertices; v++) all += S->triangles[v];
    figures[0] = (struct mu_figure){.name = "triangles", .value = all};
    return 1;
}

const struct mu_app mu_app_irgl_tri = {
    .suite = "irgl",
    .name = "tri",
    .purpose = "triangles, counted along edges: those whose smallest vertex is each",
    .needs = MU_NEEDS_SUBGROUPS,
    .result = "triangles",
    .prepare = prepare,
    .check = check,
    IRGL_TRIANGLES,
    .summary = summary,
    MU_APP_TABLES,
};
