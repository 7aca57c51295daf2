/* Meshes: the generators' are the same everywhere and as promised, whatever is no mesh is refused, and flips make any
 * mesh Delaunay. */
#include "base/memory.h"
#include "inputs/generators/generators.h"
#include "inputs/input.h"
#include "inputs/mesh/build.h"
#include "inputs/mesh/check.h"
#include "inputs/mesh/predicates.h"
#include "inputs/mesh/stats.h"
#include "inputs/parallel.h"
#include "inputs/rng.h"
#include "tests/tap.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void must(int status, const struct mu_error *err)
{
    if (status == MU_OK) return;
    printf("Bail out! %s\n", err->message);
    exit(99);
}

static struct mu_mesh *load(const char *specification, uint64_t seed)
{
    struct mu_mesh *mesh = NULL;
    struct mu_error err = {0};
    must(mu_mesh_load(specification, seed, &mesh, &err), &err);
    return mesh;
}

static uint64_t hash_of(const char *specification, uint64_t seed)
{
    struct mu_mesh *mesh = load(specification, seed);
    const uint64_t hash = mu_mesh_hash(mesh);
    mu_mesh_free(mesh);
    return hash;
}

/* ---- Generators ---- */

static void test_determinism(void)
{
    static const struct {
        const char *specification;
        uint64_t seed, hash;
    } known[] = {
        {"mesh:1", 1, UINT64_C(0x9c3b6b2f2cc531a3)},         {"mesh:2", 1, UINT64_C(0xafac13f921489d35)},
        {"mesh:10", 1, UINT64_C(0x7c1c74aab022d4c9)},        {"mesh:1000", 1, UINT64_C(0x382bf149ec868db8)},
        {"mesh:50000", 1, UINT64_C(0x9bcebff57a071999)},     {"meshgrid:2x2:1", 1, UINT64_C(0x1e4b4b633aff46ba)},
        {"meshgrid:30x30", 1, UINT64_C(0x05d3cd439aa79da8)}, {"meshgrid:30x30:2", 9, UINT64_C(0x05d3cd439aa79da8)},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const uint64_t hash = hash_of(known[i].specification, known[i].seed);
        CHECK(hash == known[i].hash, "%s with seed %" PRIu64 " is the same on every machine: %016" PRIx64,
              known[i].specification, known[i].seed, hash);
    }
    CHECK(hash_of("mesh:100", 0) != hash_of("mesh:100", 1), "mesh depends on the seed");
}

static bool is_as_promised(uint64_t points, uint64_t sides, uint64_t seed)
{
    char specification[32];
    struct mu_error err = {0};
    struct mu_mesh_stats stats;
    snprintf(specification, sizeof specification, "mesh:%" PRIu64, points);
    struct mu_mesh *mesh = load(specification, seed);
    mu_mesh_stats(mesh, 30, &stats);
    bool ok = mu_mesh_check(mesh, mesh, 0, &err) == MU_OK && mesh->points == points + 4 * sides &&
              mesh->triangles == 2 * points + 4 * sides - 2 && mesh->segments == 4 * sides &&
              stats.boundary == 4 * sides && stats.area == 1 && stats.euler == 1 && stats.x_min == 0 &&
              stats.x_max == 1;
    for (uint32_t triangle = 1; ok && triangle < mesh->triangles; triangle++)
        ok = mesh->corner[3 * (size_t)triangle - 3] <= mesh->corner[3 * (size_t)triangle];
    mu_mesh_free(mesh);
    if (!ok) printf("# %s with seed %" PRIu64 ": %s\n", specification, seed, err.message);
    return ok;
}

static void test_mesh(void)
{
    static const struct {
        uint64_t points, sides, seeds;
    } shapes[] = {{1, 1, 60},  {2, 1, 60},    {3, 1, 60},    {5, 2, 60},
                  {20, 4, 60}, {150, 12, 30}, {3000, 54, 5}, {20000, 141, 1}};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        uint64_t right = 0;
        for (uint64_t seed = 0; seed < shapes[i].seeds; seed++)
            right += is_as_promised(shapes[i].points, shapes[i].sides, seed);
        CHECK(right == shapes[i].seeds, "mesh:%" PRIu64 " is the square's Delaunay mesh for %" PRIu64 " seeds",
              shapes[i].points, shapes[i].seeds);
    }
}

static void test_meshgrid(void)
{
    struct mu_mesh *mesh = load("meshgrid:7x4:3", 1);
    struct mu_error err = {0};
    struct mu_mesh_stats stats;
    mu_mesh_stats(mesh, 30, &stats);
    CHECK(mesh->points == 28 && mesh->triangles == 36 && mesh->segments == 18 && stats.area == 54 && stats.bad == 36 &&
              stats.angle_max == 90 && stats.angle_class[1] == 36,
          "meshgrid:7x4:3 has two triangles a cell");
    CHECK(mu_mesh_check(mesh, mesh, 18, &err) == MU_OK, "it is right%s", err.message);
    const uint64_t hash = mu_mesh_hash(mesh);
    must(mu_mesh_make_delaunay(mesh, true, &err), &err);
    CHECK(mesh->flipped == 0 && mu_mesh_hash(mesh) == hash, "its diagonals begin at the lowest points");
    mu_mesh_free(mesh);
}

static void test_errors(void)
{
    static const char *const bad[] = {
        "mesh:",         "mesh:0",         "mesh:x",           "mesh:5x",          "mesh:67108865",
        "mesh:-1",       "meshgrid:",      "meshgrid:5",       "meshgrid:1x5",     "meshgrid:5x1",
        "meshgrid:5x5:", "meshgrid:5x5:0", "meshgrid:5x5:1:1", "meshgrid:5x40000",
    };
    struct mu_mesh *mesh = NULL;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct mu_error err = {0};
        const char *parameters;
        const struct mu_generator *generator = mu_generator_find(bad[i], &parameters);
        const int status = mu_mesh_load(bad[i], 1, &mesh, &err);
        CHECK(status == MU_USAGE && mesh == NULL && strstr(err.message, generator->syntax) != NULL, "%s", err.message);
        CHECK(mu_input_check(bad[i], MU_OF_MESHES, NULL) == MU_USAGE, "%s is refused without making it", bad[i]);
    }
    CHECK(mu_input_check("mesh:67108864", MU_OF_EITHER, NULL) == MU_OK &&
              mu_input_check("meshgrid:30000x5:9", MU_OF_MESHES, NULL) == MU_OK &&
              mu_input_check("mesh:5", MU_OF_GRAPHS, NULL) == MU_USAGE,
          "meshes are told from graphs, and not made");
    struct mu_graph *graph = NULL;
    struct mu_error err = {0};
    CHECK(mu_mesh_load("road:5", 1, &mesh, &err) == MU_USAGE, "%s", err.message);
    err = (struct mu_error){0};
    CHECK(mu_graph_load("mesh:5", 1, &graph, &err) == MU_USAGE, "%s", err.message);
    CHECK(mu_mesh_is_named("mesh:5") && mu_mesh_is_named("meshgrid:5") && !mu_mesh_is_named("road:5"),
          "generators of meshes are told from others");
}

/* ---- What overlaps ---- */

enum { SOUP_POINTS = 64, SOUP_TRIANGLES = 64 };

/* Triangles drawn from two small grids that lie on each other somehow. */
struct soup {
    mu_point point[SOUP_POINTS];
    uint32_t corner[3 * SOUP_TRIANGLES];
    uint32_t points, triangles;
};

static uint64_t stream, counter;

static uint32_t draw(uint32_t bound)
{
    return mu_random_below(stream, counter++, bound);
}

static uint32_t soup_point(struct soup *soup, double x, double y)
{
    uint32_t point = 0;
    while (point < soup->points && (soup->point[point].x != x || soup->point[point].y != y)) point++;
    if (point == soup->points) soup->point[soup->points++] = (mu_point){x, y};
    return point;
}

static void add_grid(struct soup *soup, uint32_t size, double scale, double x0, double y0, uint32_t kept_of_8)
{
    for (uint32_t cell = 0; cell < size * size; cell++)
        for (uint32_t half = 0; half < 2; half++) {
            const uint32_t column = cell % size, row = cell / size;
            const double x = x0 + scale * column, y = y0 + scale * row;
            uint32_t *corner = soup->corner + 3 * (size_t)soup->triangles;
            if (draw(8) >= kept_of_8) continue;
            corner[0] = soup_point(soup, x, y);
            corner[1] = half ? soup_point(soup, x + scale, y + scale) : soup_point(soup, x + scale, y);
            corner[2] = half ? soup_point(soup, x, y + scale) : soup_point(soup, x + scale, y + scale);
            soup->triangles++;
        }
}

static mu_point soup_corner(const struct soup *soup, uint32_t triangle, unsigned k)
{
    return soup->point[soup->corner[3 * triangle + k % 3]];
}

/* Has triangle a an edge that all of triangle b is beyond? */
static bool separates(const struct soup *soup, uint32_t a, uint32_t b)
{
    for (unsigned k = 0; k < 3; k++) {
        unsigned beyond = 0;
        for (unsigned j = 0; j < 3; j++)
            beyond += mu_orient(soup_corner(soup, a, k), soup_corner(soup, a, k + 1), soup_corner(soup, b, j)) <= 0;
        if (beyond == 3) return true;
    }
    return false;
}

/* Is a corner of triangle b on an edge of triangle a, between its ends? */
static bool touches(const struct soup *soup, uint32_t a, uint32_t b)
{
    for (unsigned i = 0; i < 9; i++) {
        const mu_point from = soup_corner(soup, a, i % 3), to = soup_corner(soup, a, i % 3 + 1);
        const mu_point at = soup_corner(soup, b, i / 3);
        const double dot = (at.x - from.x) * (at.x - to.x) + (at.y - from.y) * (at.y - to.y);
        if (mu_orient(from, to, at) == 0 && dot < 0) return true;
    }
    return false;
}

static bool is_mesh(const struct soup *soup)
{
    for (uint32_t a = 0; a < soup->triangles; a++)
        for (uint32_t b = 0; b < soup->triangles; b++) {
            if (a == b) continue;
            if (touches(soup, a, b) || (!separates(soup, a, b) && !separates(soup, b, a))) return false;
        }
    return true;
}

static int connect_soup(const struct soup *soup, struct mu_error *err)
{
    struct mu_mesh *mesh = NULL;
    must(mu_mesh_new(soup->points, soup->triangles, &mesh, err), err);
    memcpy(mesh->coordinate, soup->point, soup->points * sizeof soup->point[0]);
    memcpy(mesh->corner, soup->corner, 3 * (size_t)soup->triangles * sizeof soup->corner[0]);
    const int status = mu_mesh_connect(mesh, &(struct mu_mesh_origin){0}, err);
    if (status == MU_OK) must(mu_mesh_make_delaunay(mesh, false, err), err);
    if (status == MU_OK) must(mu_mesh_check(mesh, mesh, 0, err), err);
    mu_mesh_free(mesh);
    return status;
}

static void test_overlap(void)
{
    unsigned meshes = 0, wrong = 0;
    enum { SOUPS = 20000 };
    stream = mu_random_stream(3, 3);
    const unsigned soups = tap_in_full() ? SOUPS : SOUPS / 5;
    for (unsigned i = 0; i < soups; i++) {
        struct soup soup = {0};
        struct mu_error err = {0};
        add_grid(&soup, 3, 1, 0, 0, 1 + draw(8));
        const double scale = 0.5 * (1 + draw(3)), x0 = 0.25 * draw(14), y0 = 0.25 * draw(14) - 0.25;
        add_grid(&soup, 1 + draw(2), scale, x0, y0, 2 + draw(5));
        if (soup.triangles == 0) continue;
        const bool expected = is_mesh(&soup), found = connect_soup(&soup, &err) == MU_OK;
        meshes += expected;
        wrong += expected != found;
    }
    CHECK(wrong == 0 && meshes > soups / 20 && meshes < soups / 20 * 19,
          "of %u heaps of triangles %u are meshes, and %u are misjudged", soups, meshes, wrong);
}

/* Twelve triangles around a point, which they go around twice. */
static void test_winding(void)
{
    struct soup soup = {.points = 13, .triangles = 12};
    struct mu_error err = {0};
    for (uint32_t i = 0; i < 12; i++) {
        const double angle = i * acos(-1) / 3 + (i >= 6 ? 0.1 : 0), radius = i >= 6 ? 2 : 1;
        const uint32_t corner[3] = {0, 1 + i, 1 + (i + 1) % 12};
        soup.point[1 + i] = (mu_point){radius * cos(angle), radius * sin(angle)};
        memcpy(soup.corner + 3 * (size_t)i, corner, sizeof corner);
    }
    CHECK(connect_soup(&soup, &err) == MU_INPUT, "a mesh that winds twice around a point: %s", err.message);
}

/* ---- Flips ---- */

/* Flips edges at random where the quadrilateral is convex, and lets them be flipped back. */
static void test_flips(void)
{
    struct mu_mesh *mesh = load("mesh:400", 1);
    struct mu_error err = {0};
    const struct mu_mesh_origin origin = {0};
    const uint64_t hash = mu_mesh_hash(mesh);
    uint32_t flips = 0;
    stream = mu_random_stream(5, 3);
    for (unsigned i = 0; i < 300; i++) {
        const uint32_t edge = draw(3 * mesh->triangles), u = mesh->neighbour[edge];
        if (u == MU_NO_TRIANGLE) continue;
        uint32_t *t_corner = mesh->corner + edge - edge % 3, *u_corner = mesh->corner + 3 * (size_t)u, k = 0;
        while (mesh->neighbour[3 * (size_t)u + k] != edge / 3) k++;
        const uint32_t a = t_corner[edge % 3], b = t_corner[(edge + 1) % 3], c = t_corner[(edge + 2) % 3];
        const uint32_t d = u_corner[k], first[3] = {a, b, d}, second[3] = {a, d, c};
        if (mu_orient(mu_mesh_point(mesh, a), mu_mesh_point(mesh, b), mu_mesh_point(mesh, d)) <= 0 ||
            mu_orient(mu_mesh_point(mesh, a), mu_mesh_point(mesh, d), mu_mesh_point(mesh, c)) <= 0)
            continue;
        memcpy(t_corner, first, sizeof first);
        memcpy(u_corner, second, sizeof second);
        must(mu_mesh_connect(mesh, &origin, &err), &err);
        flips++;
    }
    CHECK(flips > 100 && mu_mesh_check(mesh, mesh, 0, &err) == MU_WRONG, "after %u flips: %s", flips, err.message);
    err = (struct mu_error){0};
    must(mu_mesh_make_delaunay(mesh, true, &err), &err);
    must(mu_mesh_sort_triangles(mesh, &err), &err);
    CHECK(mu_mesh_check(mesh, mesh, 0, &err) == MU_OK && mesh->flipped > 0 && mu_mesh_hash(mesh) == hash,
          "%" PRIu64 " flips make it what it was%s", mesh->flipped, err.message);
    mu_mesh_free(mesh);
}

int main(void)
{
    test_determinism();
    test_mesh();
    test_meshgrid();
    test_errors();
    test_overlap();
    test_winding();
    test_flips();
    return tap_done();
}
