#include "inputs/mesh/check.h"

#include "base/memory.h"
#include "inputs/mesh/predicates.h"
#include "inputs/mesh/stats.h"
#include "inputs/parallel.h"

#include <inttypes.h>
#include <stdio.h>

double mu_cosine_square(double degrees)
{
    return (1 + cos(degrees * (acos(-1.0) / 90))) / 2;
}

static mu_point corner_at(const struct mu_mesh *mesh, uint32_t triangle, unsigned k)
{
    return mu_mesh_point(mesh, mesh->corner[3 * (size_t)triangle + k % 3]);
}

/* Fails with MU_WRONG and "triangle 7 (points 1, 2, 3): <why>". Ids count from 0. */
static int fail_triangle(const struct mu_mesh *mesh, uint32_t triangle, const char *why, struct mu_error *err)
{
    const uint32_t *corner = mesh->corner + 3 * (size_t)triangle;
    return mu_fail(err, MU_WRONG, "triangle %" PRIu32 " (points %" PRIu32 ", %" PRIu32 ", %" PRIu32 "): %s", triangle,
                   corner[0], corner[1], corner[2], why);
}

static bool is_in_range(double coordinate)
{
    const double magnitude = fabs(coordinate);
    return magnitude == 0.0 || (magnitude >= MU_COORDINATE_MIN && magnitude <= MU_COORDINATE_MAX);
}

static int check_points(const struct mu_mesh *mesh, const struct mu_mesh *original, struct mu_error *err)
{
    if (mesh->points < original->points)
        return mu_fail(err, MU_WRONG, "%" PRIu32 " points are left of %" PRIu32, mesh->points, original->points);
    for (uint32_t point = 0; point < mesh->points; point++) {
        const mu_point at = mu_mesh_point(mesh, point);
        if (point < original->points) {
            const mu_point was = mu_mesh_point(original, point);
            if (at.x == was.x && at.y == was.y) continue;
            return mu_fail(err, MU_WRONG, "point %" PRIu32 " is at (%.17g, %.17g), but was at (%.17g, %.17g)", point,
                           at.x, at.y, was.x, was.y);
        }
        if (!is_in_range(at.x) || !is_in_range(at.y))
            return mu_fail(err, MU_WRONG, "point %" PRIu32 " is at (%g, %g), which is out of range", point, at.x, at.y);
    }
    return MU_OK;
}

/* ---- Checks of one triangle, for which threads share the mesh ---- */

struct slices {
    const struct mu_mesh *mesh;
    double min_angle, cosine_square; /* the smallest angle that is allowed */
    int (*check)(const struct slices *slices, uint32_t triangle, struct mu_error *err);
    struct mu_error err[MU_PARALLEL_MAX]; /* of each thread: the first thing that is wrong in its slice */
};

static void check_slice(void *context, unsigned thread, unsigned threads)
{
    struct slices *slices = context;
    const uint32_t triangles = slices->mesh->triangles, end = (uint32_t)mu_slice(triangles, thread + 1, threads);
    int status = MU_OK;
    for (uint32_t triangle = (uint32_t)mu_slice(triangles, thread, threads); status == MU_OK && triangle < end;
         triangle++)
        status = slices->check(slices, triangle, &slices->err[thread]);
}

/* Checks all triangles. What is told is the first thing that is wrong, however many threads there are. */
static int check_each(struct slices *slices, int (*check)(const struct slices *, uint32_t, struct mu_error *),
                      struct mu_error *err)
{
    const unsigned threads = mu_parallel_threads();
    slices->check = check;
    mu_parallel(threads, check_slice, slices);
    for (unsigned thread = 0; thread < threads; thread++)
        if (slices->err[thread].status != MU_OK)
            return mu_fail(err, slices->err[thread].status, "%s", slices->err[thread].message);
    return MU_OK;
}

static int check_triangle(const struct slices *slices, uint32_t triangle, struct mu_error *err)
{
    const struct mu_mesh *mesh = slices->mesh;
    for (unsigned k = 0; k < 3; k++) {
        const size_t at = 3 * (size_t)triangle + k;
        if (mesh->corner[at] >= mesh->points) return fail_triangle(mesh, triangle, "there is no such point", err);
        if (mesh->neighbour[at] >= mesh->triangles && mesh->neighbour[at] != MU_NO_TRIANGLE)
            return fail_triangle(mesh, triangle, "a neighbour does not exist", err);
    }
    if (mesh->fixed[triangle] > 7) return fail_triangle(mesh, triangle, "more than three edges are segments", err);
    if (mu_orient(corner_at(mesh, triangle, 0), corner_at(mesh, triangle, 1), corner_at(mesh, triangle, 2)) <= 0)
        return fail_triangle(mesh, triangle, "not counter-clockwise", err);
    return MU_OK;
}

/* Checks the triangle's edge opposite corner k: its neighbour must agree on it. */
static int check_edge(const struct mu_mesh *mesh, uint32_t triangle, unsigned k, struct mu_error *err)
{
    const uint32_t *corner = mesh->corner + 3 * (size_t)triangle;
    const uint32_t neighbour = mesh->neighbour[3 * (size_t)triangle + k];
    const uint32_t from = corner[(k + 1) % 3], to = corner[(k + 2) % 3], is_fixed = mesh->fixed[triangle] >> k & 1;
    if (neighbour == MU_NO_TRIANGLE)
        return is_fixed ? MU_OK : fail_triangle(mesh, triangle, "an edge has no neighbour, and is no segment", err);
    const uint32_t *other = mesh->corner + 3 * (size_t)neighbour;
    for (unsigned j = 0; j < 3; j++) {
        if (other[(j + 1) % 3] != to || other[(j + 2) % 3] != from) continue;
        if (mesh->neighbour[3 * (size_t)neighbour + j] != triangle)
            return fail_triangle(mesh, triangle, "a neighbour has another neighbour there", err);
        if ((mesh->fixed[neighbour] >> j & 1) == is_fixed) return MU_OK;
        return fail_triangle(mesh, triangle, "an edge is a segment on one side only", err);
    }
    return fail_triangle(mesh, triangle, "a neighbour does not share the edge", err);
}

static int check_edges(const struct slices *slices, uint32_t triangle, struct mu_error *err)
{
    int status = MU_OK;
    for (unsigned k = 0; status == MU_OK && k < 3; k++) status = check_edge(slices->mesh, triangle, k, err);
    return status;
}

static int check_euler(const struct mu_mesh *mesh, const struct mu_mesh *original, struct mu_error *err)
{
    const int64_t now = mu_mesh_euler(mesh), before = mu_mesh_euler(original);
    if (now == before) return MU_OK;
    return mu_fail(err, MU_WRONG, "points - edges + triangles is %" PRId64 ", but was %" PRId64, now, before);
}

static int check_usage(const struct mu_mesh *mesh, struct mu_error *err)
{
    unsigned char *used = mu_calloc(mesh->points, 1, "the points in use", err);
    if (used == NULL) return MU_NO_MEMORY;
    for (size_t i = 0; i < 3 * (size_t)mesh->triangles; i++) used[mesh->corner[i]] = 1;
    int status = MU_OK;
    for (uint32_t point = 0; status == MU_OK && point < mesh->points; point++)
        if (!used[point]) status = mu_fail(err, MU_WRONG, "point %" PRIu32 " is no triangle's corner", point);
    mu_free(used);
    return status;
}

static int check_area(const struct mu_mesh *mesh, const struct mu_mesh *original, double slack, struct mu_error *err)
{
    struct mu_exact_sum difference = {0};
    mu_mesh_add_area(mesh, 1, &difference);
    mu_mesh_add_area(original, -1, &difference);
    const double off = mu_exact_sum_value(&difference);
    if (fabs(off) <= slack) return MU_OK;
    return mu_fail(err, MU_WRONG, "the area differs from the original's by %g, of which rounding explains %g", off / 2,
                   slack / 2);
}

/* Looks at each edge once, from the triangle with the lower id. */
static int check_delaunay(const struct slices *slices, uint32_t triangle, struct mu_error *err)
{
    const struct mu_mesh *mesh = slices->mesh;
    for (unsigned k = 0; k < 3; k++) {
        const uint32_t neighbour = mesh->neighbour[3 * (size_t)triangle + k];
        if (mesh->fixed[triangle] >> k & 1 || neighbour < triangle) continue;
        const uint32_t end = mesh->corner[3 * (size_t)triangle + (k + 2) % 3];
        const uint32_t *other = mesh->corner + 3 * (size_t)neighbour;
        const unsigned apex = other[1] == end ? 0 : other[2] == end ? 1 : 2;
        if (mu_in_circle(corner_at(mesh, triangle, 0), corner_at(mesh, triangle, 1), corner_at(mesh, triangle, 2),
                         mu_mesh_point(mesh, other[apex])) > 0)
            return fail_triangle(mesh, triangle, "not Delaunay: a neighbour's corner is inside its circle", err);
    }
    return MU_OK;
}

static int check_angles(const struct slices *slices, uint32_t triangle, struct mu_error *err)
{
    const struct mu_mesh *mesh = slices->mesh;
    char why[80];
    if (!mu_is_bad(corner_at(mesh, triangle, 0), corner_at(mesh, triangle, 1), corner_at(mesh, triangle, 2),
                   mesh->fixed[triangle], slices->cosine_square))
        return MU_OK;
    snprintf(why, sizeof why, "an angle is below %g degrees", slices->min_angle);
    return fail_triangle(mesh, triangle, why, err);
}

int mu_mesh_check(const struct mu_mesh *mesh, const struct mu_mesh *original, double min_angle, struct mu_error *err)
{
    struct slices slices = {.mesh = mesh, .min_angle = min_angle, .cosine_square = mu_cosine_square(min_angle)};
    double slack = 0;
    int status = check_points(mesh, original, err);
    if (status == MU_OK && (mesh->triangles == 0 || mesh->triangles > MU_MAX_TRIANGLES))
        status = mu_fail(err, MU_WRONG, "%" PRIu32 " triangles are no mesh", mesh->triangles);
    if (status == MU_OK) status = check_each(&slices, check_triangle, err);
    if (status == MU_OK) status = check_each(&slices, check_edges, err);
    if (status == MU_OK) status = check_usage(mesh, err);
    if (status == MU_OK) status = check_euler(mesh, original, err);
    if (status == MU_OK) status = mu_mesh_check_segments(mesh, original, &slack, err);
    if (status == MU_OK) status = check_area(mesh, original, slack, err);
    if (status == MU_OK) status = check_each(&slices, check_delaunay, err);
    if (status == MU_OK && min_angle > 0) status = check_each(&slices, check_angles, err);
    return status;
}
