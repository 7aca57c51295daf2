/* The mesh where every in-circle test is a tie: W x H points in rows, each cell, A times as wide as high, cut in two
 * from its lower left to its upper right corner. The four corners of a cell are on one circle, and all sides and rows
 * are collinear. */
#include "inputs/generators/generators.h"
#include "inputs/mesh/build.h"

enum { SIDE_MAX = 1 << 15, ASPECT_MAX = 1 << 20, DEFAULT_ASPECT = 2 };

struct grid {
    uint64_t width, height, aspect;
};

static int parse(const char *parameters, struct grid *grid, struct mu_error *err)
{
    const char *at = parameters;
    bool ok = mu_parameter_number(&at, SIDE_MAX, &grid->width) && *at++ == 'x';
    ok = ok && mu_parameter_number(&at, SIDE_MAX, &grid->height);
    grid->aspect = DEFAULT_ASPECT;
    if (ok && *at == ':') {
        at++;
        ok = mu_parameter_number(&at, ASPECT_MAX, &grid->aspect);
    }
    if (ok && *at == '\0' && grid->width > 1 && grid->height > 1 && grid->aspect > 0) return MU_OK;
    return mu_parameter_fail(&mu_generator_meshgrid, parameters,
                             "W and H, the points, are from 2 to 2^15 and A, how many times wider than high a cell is, "
                             "from 1 to 2^20",
                             err);
}

static void fill(const struct grid *grid, struct mu_mesh *mesh)
{
    uint32_t *corner = mesh->corner;
    for (uint64_t y = 0; y < grid->height; y++)
        for (uint64_t x = 0; x < grid->width; x++) {
            const uint64_t point = y * grid->width + x;
            mesh->coordinate[2 * point] = (double)(x * grid->aspect);
            mesh->coordinate[2 * point + 1] = (double)y;
            if (x + 1 == grid->width || y + 1 == grid->height) continue;
            const uint32_t here = (uint32_t)point, above = (uint32_t)(point + grid->width);
            const uint32_t both[6] = {here, here + 1, above + 1, here, above + 1, above};
            for (unsigned i = 0; i < 6; i++) *corner++ = both[i];
        }
}

static int check(const char *parameters, struct mu_error *err)
{
    struct grid grid;
    return parse(parameters, &grid, err);
}

static int generate(const char *parameters, uint64_t seed, struct mu_mesh **mesh, struct mu_error *err)
{
    (void)seed;
    struct grid grid = {0};
    struct mu_mesh *made = NULL;
    int status = parse(parameters, &grid, err);
    if (status == MU_OK)
        status = mu_mesh_new(grid.width * grid.height, 2 * (grid.width - 1) * (grid.height - 1), &made, err);
    if (status != MU_OK) return status;
    fill(&grid, made);
    status = mu_mesh_connect(made, &(struct mu_mesh_origin){0}, err);
    if (status != MU_OK) {
        mu_mesh_free(made);
        return status;
    }
    *mesh = made;
    return MU_OK;
}

const struct mu_generator mu_generator_meshgrid = {
    .name = "meshgrid",
    .syntax = "meshgrid:WxH[:A]",
    .purpose = "W by H points in rows, cells A times as wide as high (A = 2)",
    .check = check,
    .generate_mesh = generate,
};
