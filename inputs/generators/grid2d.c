/* The 5-point grid: W x H vertices in rows, each tied to its neighbours left, right, above and below. The pattern of
 * the matrix ecology1 is grid2d:1000x1000. */
#include "inputs/generators/generators.h"
#include "inputs/graph/arcs.h"

static int parse(const char *parameters, uint64_t *width, uint64_t *height, struct mu_error *err)
{
    const char *at = parameters;
    bool ok = mu_parameter_number(&at, MU_MAX_VERTICES, width) && *width > 0;
    *height = *width;
    if (ok && *at == 'x') {
        at++;
        ok = mu_parameter_number(&at, MU_MAX_VERTICES, height) && *height > 0;
    }
    if (ok && *at == '\0' && *width <= MU_MAX_VERTICES / *height) return MU_OK;
    return mu_parameter_fail(&mu_generator_grid2d, parameters,
                             "W and H are at least 1 and W times H is below 2^32 - 1 (grid2d:N is grid2d:NxN)", err);
}

static int check(const char *parameters, struct mu_error *err)
{
    uint64_t width, height;
    return parse(parameters, &width, &height, err);
}

static int generate(const char *parameters, uint64_t seed, struct mu_graph **graph, struct mu_error *err)
{
    (void)seed;
    uint64_t width, height;
    struct mu_arcs arcs = {0};
    int status = parse(parameters, &width, &height, err);
    if (status == MU_OK) status = mu_arcs_reserve(&arcs, (width - 1) * height + width * (height - 1), false, err);
    if (status != MU_OK) return status;
    for (uint64_t y = 0; y < height; y++)
        for (uint64_t x = 0; x < width; x++) {
            uint64_t vertex = y * width + x;
            if (x + 1 < width) mu_arcs_add(&arcs, vertex, vertex + 1);
            if (y + 1 < height) mu_arcs_add(&arcs, vertex, vertex + width);
        }
    status = mu_arcs_build(&arcs, (uint32_t)(width * height), MU_ARCS_MIRROR, graph, err);
    mu_arcs_release(&arcs);
    return status;
}

const struct mu_generator mu_generator_grid2d = {
    .name = "grid2d",
    .syntax = "grid2d:WxH",
    .purpose = "5-point grid of W by H vertices (grid2d:N is N by N)",
    .check = check,
    .generate = generate,
};
