/* What wrong kernels stumble over, in one small graph with weights: a path, a star of N leaves, another path, and a
 * last vertex. From vertex 0, at the end of the first path, everything behind the star is reached through its hub
 * alone, and more than 64 rounds away. Along the second path, short cuts are so heavy that a distance over them passes
 * 2^32. The last vertex' arcs are all heavier than those of the path; the lightest is the last of its row, and of the
 * graph. */
#include "inputs/generators/generators.h"
#include "inputs/graph/arcs.h"

enum { PATH = 48, HEAVY_EVERY = 8, LEAVES_MAX = 1 << 20 };

static void add(struct mu_arcs *arcs, uint64_t tail, uint64_t head, uint32_t weight)
{
    mu_arcs_add_weighted(arcs, tail, head, weight);
}

/* Adds an edge with the weight that it has in a graph without weights. */
static void add_plain(struct mu_arcs *arcs, uint64_t tail, uint64_t head)
{
    add(arcs, tail, head, mu_edge_weight((uint32_t)tail, (uint32_t)head));
}

static void add_path(struct mu_arcs *arcs, uint64_t first)
{
    for (uint64_t i = 1; i < PATH; i++) add_plain(arcs, first + i - 1, first + i);
}

static int parse(const char *parameters, uint64_t *leaves, struct mu_error *err)
{
    const char *at = parameters;
    if (mu_parameter_number(&at, LEAVES_MAX, leaves) && *leaves != 0 && *at == '\0') return MU_OK;
    return mu_parameter_fail(&mu_generator_traps, parameters, "N is from 1 to 2^20", err);
}

static int check(const char *parameters, struct mu_error *err)
{
    uint64_t leaves;
    return parse(parameters, &leaves, err);
}

static int generate(const char *parameters, uint64_t seed, struct mu_graph **graph, struct mu_error *err)
{
    (void)seed;
    struct mu_arcs arcs = {0};
    uint64_t leaves = 0;
    int status = parse(parameters, &leaves, err);
    if (status != MU_OK) return status;
    const uint64_t hub = PATH, second = hub + 1 + leaves, last = second + PATH;
    status = mu_arcs_reserve(&arcs, (size_t)4 * PATH + leaves, true, err);
    if (status != MU_OK) return status;
    add_path(&arcs, 0);
    add_plain(&arcs, hub - 1, hub);
    for (uint64_t leaf = 1; leaf <= leaves; leaf++) add_plain(&arcs, hub, hub + leaf);
    add_plain(&arcs, second - 1, second);
    add_path(&arcs, second);
    for (uint64_t i = 0; i + 2 < PATH; i += HEAVY_EVERY) add(&arcs, second + i, second + i + 2, UINT32_MAX - 8);
    for (uint64_t i = PATH - 8; i < PATH; i++) add(&arcs, second + i, last, (uint32_t)(100 + 10 * (PATH - i)));
    status = mu_arcs_build(&arcs, (uint32_t)(last + 1), MU_ARCS_MIRROR, graph, err);
    mu_arcs_release(&arcs);
    return status;
}

const struct mu_generator mu_generator_traps = {
    .name = "traps",
    .syntax = "traps:N",
    .purpose = "a star of N leaves between two paths, and heavy weights",
    .check = check,
    .generate = generate,
};
