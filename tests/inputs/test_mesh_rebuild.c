/* inputs/mesh/rebuild: a mesh triangulated anew is the one that flips lead to, for domains with holes and inner
 * segments, and takes no longer the farther the old one is from Delaunay. */
#include "inputs/mesh/rebuild.h"

#include "base/memory.h"
#include "inputs/mesh/build.h"
#include "inputs/mesh/check.h"
#include "inputs/rng.h"
#include "tests/tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static uint64_t stream, drawn;

static uint32_t draw(uint32_t bound)
{
    return mu_random_below(stream, drawn++, bound);
}

static void must(int status, const struct mu_error *err)
{
    if (status == MU_OK) return;
    printf("Bail out! %s\n", err->message);
    exit(99);
}

/* A mesh of the triangles for which keep is not 0, and of their points, scaled by a power of two. */
static struct mu_mesh *take(const struct mu_mesh *from, const unsigned char *keep, double scale)
{
    struct mu_error err = {0};
    struct mu_mesh *mesh = NULL;
    uint32_t *new_id = mu_malloc(from->points, sizeof *new_id, "ids", &err), points = 0, triangles = 0;
    must(err.status, &err);
    memset(new_id, 0xff, from->points * sizeof *new_id);
    for (uint32_t i = 0; i < 3 * from->triangles; i++)
        if (keep[i / 3] && new_id[from->corner[i]] == UINT32_MAX) new_id[from->corner[i]] = points++;
    for (uint32_t t = 0; t < from->triangles; t++) triangles += keep[t] != 0;
    must(mu_mesh_new(points, triangles, &mesh, &err), &err);
    for (uint32_t p = 0; p < from->points; p++)
        if (new_id[p] != UINT32_MAX)
            for (unsigned axis = 0; axis < 2; axis++)
                mesh->coordinate[2 * (size_t)new_id[p] + axis] = from->coordinate[2 * (size_t)p + axis] * scale;
    for (uint32_t t = 0, to = 0; t < from->triangles; t++)
        for (unsigned k = 0; keep[t] && k < 3; k++) mesh->corner[to++] = new_id[from->corner[3 * t + k]];
    mu_free(new_id);
    must(mu_mesh_connect(mesh, &(struct mu_mesh_origin){0}, &err), &err);
    return mesh;
}

static struct mu_mesh *copy(const struct mu_mesh *from)
{
    struct mu_error err = {0};
    struct mu_mesh *mesh = NULL;
    must(mu_mesh_new(from->points, from->triangles, &mesh, &err), &err);
    memcpy(mesh->coordinate, from->coordinate, 2 * (size_t)from->points * sizeof *from->coordinate);
    memcpy(mesh->corner, from->corner, 3 * (size_t)from->triangles * sizeof *from->corner);
    memcpy(mesh->neighbour, from->neighbour, 3 * (size_t)from->triangles * sizeof *from->neighbour);
    memcpy(mesh->fixed, from->fixed, from->triangles * sizeof *from->fixed);
    mesh->segments = from->segments;
    return mesh;
}

/* Makes inner edges segments, one of so many. */
static void add_segments(struct mu_mesh *mesh, uint32_t one_of)
{
    for (uint32_t edge = 0; edge < 3 * mesh->triangles; edge++) {
        const uint32_t other = mesh->neighbour[edge];
        if (other == MU_NO_TRIANGLE || mesh->fixed[edge / 3] >> edge % 3 & 1 || draw(one_of) != 0) continue;
        const uint32_t to = mesh->corner[edge - edge % 3 + (edge + 2) % 3];
        mesh->fixed[edge / 3] |= UINT32_C(1) << edge % 3;
        mesh->fixed[other] |= UINT32_C(1) << mu_mesh_edge_from(mesh, other, to);
        mesh->segments++;
    }
}

/* Flips edges that are no segments at random where that leaves a mesh. */
static void spoil(struct mu_mesh *mesh, uint32_t times)
{
    while (times-- > 0) {
        const uint32_t edge = draw(3 * mesh->triangles), t = edge / 3, u = mesh->neighbour[edge];
        const unsigned k = edge % 3;
        if (mesh->fixed[t] >> k & 1) continue;
        const uint32_t *corner = mesh->corner + 3 * (size_t)t, a = corner[k], b = corner[(k + 1) % 3];
        const uint32_t c = corner[(k + 2) % 3];
        const unsigned u_at = mu_mesh_edge_from(mesh, u, c);
        const uint32_t d = mesh->corner[3 * (size_t)u + u_at];
        if (mu_orient(mu_mesh_point(mesh, a), mu_mesh_point(mesh, b), mu_mesh_point(mesh, d)) > 0 &&
            mu_orient(mu_mesh_point(mesh, d), mu_mesh_point(mesh, c), mu_mesh_point(mesh, a)) > 0)
            mu_mesh_flip(mesh, t, k, u, u_at);
    }
}

static bool same(const struct mu_mesh *a, const struct mu_mesh *b)
{
    return a->triangles == b->triangles && a->segments == b->segments &&
           memcmp(a->corner, b->corner, 3 * (size_t)a->triangles * sizeof *a->corner) == 0 &&
           memcmp(a->neighbour, b->neighbour, 3 * (size_t)a->triangles * sizeof *a->neighbour) == 0 &&
           memcmp(a->fixed, b->fixed, a->triangles * sizeof *a->fixed) == 0;
}

/* Rebuilt and flipped to the end, a mesh is what flips alone make of it. */
static bool is_rebuilt(struct mu_mesh *mesh)
{
    struct mu_error err = {0};
    struct mu_mesh *anew = copy(mesh);
    bool rebuilt = false;
    must(mu_mesh_make_delaunay(mesh, true, &err), &err);
    must(mu_mesh_sort_triangles(mesh, &err), &err);
    must(mu_mesh_rebuild(anew, &rebuilt, &err), &err);
    must(mu_mesh_make_delaunay(anew, true, &err), &err);
    must(mu_mesh_sort_triangles(anew, &err), &err);
    const bool right = rebuilt && same(mesh, anew) && mu_mesh_check(anew, anew, 0, &err) == MU_OK;
    mu_mesh_free(anew);
    return right;
}

static void test_random(const char *specification, unsigned meshes, uint32_t holes, uint32_t segments)
{
    unsigned right = 0;
    for (unsigned seed = 0; seed < meshes; seed++) {
        struct mu_error err = {0};
        struct mu_mesh *whole = NULL;
        stream = mu_random_stream(seed, 11);
        must(mu_mesh_load(specification, seed, &whole, &err), &err);
        unsigned char *keep = mu_malloc(whole->triangles, 1, "triangles", &err);
        must(err.status, &err);
        for (uint32_t t = 0; t < whole->triangles; t++) keep[t] = t == 0 || holes == 0 || draw(holes) != 0;
        struct mu_mesh *mesh = take(whole, keep, ldexp(1, (int)draw(250) - 114));
        if (segments != 0) add_segments(mesh, segments);
        spoil(mesh, 20 * mesh->triangles);
        right += is_rebuilt(mesh);
        mu_mesh_free(mesh);
        mu_mesh_free(whole);
        mu_free(keep);
    }
    CHECK(right == meshes, "%s, holes 1/%u, segments 1/%u: %u of %u are the same by flips and anew", specification,
          holes, segments, right, meshes);
}

/* Two rows of points that face each other, triangulated by two fans: a quarter of the square of their number is between
 * that and Delaunay. */
static void test_far(uint32_t points)
{
    struct mu_error err = {0};
    struct mu_mesh *mesh = NULL;
    const uint32_t row = points / 2;
    must(mu_mesh_new(points, points - 2, &mesh, &err), &err);
    for (uint32_t i = 0; i < points; i++) {
        mesh->coordinate[2 * (size_t)i] = i % row + (i < row ? 0 : 0.25);
        mesh->coordinate[2 * (size_t)i + 1] = i < row ? 0 : 1;
    }
    for (uint32_t i = 0; i + 1 < row; i++) {
        const uint32_t corners[6] = {0, row + i + 1, row + i, i, i + 1, points - 1};
        memcpy(mesh->corner + 6 * (size_t)i, corners, sizeof corners);
    }
    must(mu_mesh_connect(mesh, &(struct mu_mesh_origin){0}, &err), &err);
    const clock_t start = clock();
    must(mu_mesh_make_delaunay(mesh, false, &err), &err);
    const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    CHECK(mu_mesh_check(mesh, mesh, 0, &err) == MU_OK, "two fans of %u points are Delaunay%s", points, err.message);
    CHECK(seconds < 30, "after %.2f s; by flips alone it would be minutes", seconds);
    mu_mesh_free(mesh);
}

/* Every allocation may fail: an error, no leak, and the mesh is as it was. */
static void test_memory(void)
{
    struct mu_error err = {0};
    struct mu_mesh *mesh = NULL;
    unsigned long n = 1;
    bool right = true, rebuilt = false;
    must(mu_mesh_load("mesh:50", 1, &mesh, &err), &err);
    const uint64_t hash = mu_mesh_hash(mesh);
    for (; n < 100 && !rebuilt; n++) {
        struct mu_error failure = {0};
        mu_fail_allocation(n);
        const int status = mu_mesh_rebuild(mesh, &rebuilt, &failure);
        mu_fail_allocation(0);
        right = right && (rebuilt ? status == MU_OK : status == MU_NO_MEMORY && mu_mesh_hash(mesh) == hash);
    }
    CHECK(right && rebuilt && n > 5, "each of %lu allocations may fail", n - 2);
    mu_mesh_free(mesh);
}

int main(void)
{
    test_random("mesh:1", 5, 0, 0);
    test_random("mesh:40", 100, 0, 0);
    test_random("mesh:40", 100, 6, 0);
    test_random("mesh:40", 100, 2, 0);
    test_random("mesh:40", 100, 0, 4);
    test_random("mesh:300", 40, 5, 5);
    test_random("mesh:300", 40, 2, 3);
    test_random("mesh:20000", 1, 10, 10);
    test_random("meshgrid:12x9", 40, 0, 0);
    test_random("meshgrid:12x9", 40, 6, 6);
    test_random("meshgrid:2x2", 1, 0, 0);
    test_far(80000);
    test_memory();
    return tap_done();
}
