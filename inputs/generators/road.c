/* A planar, road-like graph with a long diameter and small degrees. N x N junctions stand on a grid, each moved at
 * random by less than a quarter of the spacing. So every cell stays convex and no two roads cross. Each road to the
 * right or down is left out with probability 1/10, and one cell in twenty gets a diagonal. Roads left out are put back,
 * in order, where they join what is still apart: the graph is connected. All diagonals run from the upper right to the
 * lower left, and bring the last vertex no nearer to the first: these are at least 2(N - 1) arcs apart.
 *
 * Weights are lengths, with 64 units between the grid's lines: from 34 to 133. All arithmetic is in integers. */
#include "base/memory.h"
#include "inputs/generators/generators.h"
#include "inputs/graph/arcs.h"
#include "inputs/rng.h"

enum { SPACING = 64, JITTER = 15, SIDE_MAX = 65535 };
enum { DROPPED_OF_1000 = 100, DIAGONAL_OF_1000 = 50 };
enum purpose { PLACES = 4, RIGHT = 5, DOWN = 6, DIAGONALS = 7 };

struct town {
    uint64_t side;
    uint64_t places, right, down, diagonals; /* random streams, all by vertex */
    uint32_t *root;                          /* union-find: the parent of each vertex */
    struct mu_arcs roads;
};

static uint32_t find(uint32_t *root, uint32_t vertex)
{
    while (root[vertex] != vertex) {
        root[vertex] = root[root[vertex]];
        vertex = root[vertex];
    }
    return vertex;
}

static bool join(uint32_t *root, uint32_t a, uint32_t b)
{
    a = find(root, a);
    b = find(root, b);
    if (a == b) return false;
    root[a < b ? b : a] = a < b ? a : b;
    return true;
}

/* Returns the nearest integer to the square root of a number below 2^16. */
static uint32_t rounded_root(uint32_t square)
{
    uint32_t root = 0;
    for (uint32_t bit = 1 << 8; bit != 0; bit >>= 1)
        if ((root + bit) * (root + bit) <= square) root += bit;
    return square - root * root > root ? root + 1 : root;
}

static int32_t jitter(const struct town *town, uint64_t vertex, unsigned axis)
{
    return (int32_t)mu_random_below(town->places, 2 * vertex + axis, 2 * JITTER + 1) - JITTER;
}

/* Returns the length of a road. The grid's point of `to` is `columns` to the right of that of `from`, and `rows` below
 * it. */
static uint32_t length(const struct town *town, uint64_t from, uint64_t to, int32_t columns, int32_t rows)
{
    int32_t x = columns * SPACING + jitter(town, to, 0) - jitter(town, from, 0);
    int32_t y = rows * SPACING + jitter(town, to, 1) - jitter(town, from, 1);
    return rounded_root((uint32_t)(x * x + y * y));
}

static bool is_dropped(uint64_t stream, uint64_t vertex)
{
    return mu_random_below(stream, vertex, 1000) < DROPPED_OF_1000;
}

static void build_road(struct town *town, uint64_t from, uint64_t to, int32_t columns, int32_t rows)
{
    join(town->root, (uint32_t)from, (uint32_t)to);
    mu_arcs_add_weighted(&town->roads, from, to, length(town, from, to, columns, rows));
}

static void build_kept_roads(struct town *town)
{
    const uint64_t side = town->side;
    for (uint64_t y = 0; y < side; y++)
        for (uint64_t x = 0; x < side; x++) {
            uint64_t here = y * side + x;
            bool right = x + 1 < side, down = y + 1 < side;
            if (right && !is_dropped(town->right, here)) build_road(town, here, here + 1, 1, 0);
            if (down && !is_dropped(town->down, here)) build_road(town, here, here + side, 0, 1);
            if (right && down && mu_random_below(town->diagonals, here, 1000) < DIAGONAL_OF_1000)
                build_road(town, here + 1, here + side, -1, 1);
        }
}

static void build_dropped_roads(struct town *town)
{
    const uint64_t side = town->side;
    for (uint64_t y = 0; y < side; y++)
        for (uint64_t x = 0; x < side; x++) {
            uint64_t here = y * side + x;
            uint32_t from = (uint32_t)here;
            if (x + 1 < side && is_dropped(town->right, here) && join(town->root, from, from + 1))
                build_road(town, here, here + 1, 1, 0);
            if (y + 1 < side && is_dropped(town->down, here) && join(town->root, from, (uint32_t)(here + side)))
                build_road(town, here, here + side, 0, 1);
        }
}

static int parse(const char *parameters, uint64_t *side, struct mu_error *err)
{
    const char *at = parameters;
    if (mu_parameter_number(&at, SIDE_MAX, side) && *side != 0 && *at == '\0') return MU_OK;
    return mu_parameter_fail(&mu_generator_road, parameters, "N is from 1 to 65535", err);
}

static int check(const char *parameters, struct mu_error *err)
{
    uint64_t side;
    return parse(parameters, &side, err);
}

static int generate(const char *parameters, uint64_t seed, struct mu_graph **graph, struct mu_error *err)
{
    struct town town = {0};
    if (parse(parameters, &town.side, err) != MU_OK) return err->status;
    town.places = mu_random_stream(seed, PLACES);
    town.right = mu_random_stream(seed, RIGHT);
    town.down = mu_random_stream(seed, DOWN);
    town.diagonals = mu_random_stream(seed, DIAGONALS);
    const uint64_t vertices = town.side * town.side, cells = (town.side - 1) * (town.side - 1);
    int status = mu_arcs_reserve(&town.roads, 2 * town.side * (town.side - 1) + cells, true, err);
    if (status != MU_OK) return status;
    town.root = mu_malloc(vertices, sizeof *town.root, "the road network's components", err);
    status = town.root == NULL ? MU_NO_MEMORY : MU_OK;
    if (status == MU_OK) {
        for (uint64_t vertex = 0; vertex < vertices; vertex++) town.root[vertex] = (uint32_t)vertex;
        build_kept_roads(&town);
        build_dropped_roads(&town);
        status = mu_arcs_build(&town.roads, (uint32_t)vertices, MU_ARCS_MIRROR, graph, err);
    }
    mu_free(town.root);
    mu_arcs_release(&town.roads);
    return status;
}

const struct mu_generator mu_generator_road = {
    .name = "road",
    .syntax = "road:N",
    .purpose = "planar road-like grid of N by N vertices, weights 34 to 133",
    .check = check,
    .generate = generate,
};
