/* Points go one by one into a triangle around all of them: the first part of inputs/mesh/rebuild.c, which tells how. */
#include "inputs/mesh/rebuild.h"

#include "base/memory.h"
#include "inputs/mesh/morton.h"
#include "inputs/radix.h"
#include "inputs/rng.h"

#include <string.h>

enum { CURVE_BITS = 29, ROUNDS = 32, ORDER = 17 };

/* ---- The order of points ---- */

/* Returns the key by which points are inserted: half of them come in the last round, a quarter in the one before, and
 * so on. */
static uint64_t key_of(const struct mu_mesh *mesh, uint32_t point, const double *low, const double *span)
{
    const uint64_t random = mu_random(ORDER, point) | UINT64_C(1) << (ROUNDS - 1);
    const unsigned round = ROUNDS - 1 - (unsigned)__builtin_ctzll(random);
    uint64_t place[2];
    for (unsigned axis = 0; axis < 2; axis++) {
        const double part = (mesh->coordinate[2 * (size_t)point + axis] - low[axis]) / span[axis];
        place[axis] = (uint64_t)(part * ((1 << CURVE_BITS) - 1));
    }
    return (uint64_t)round << 2 * CURVE_BITS | mu_morton(place[0], place[1]);
}

static void find_box(const struct mu_mesh *mesh, double *low, double *span)
{
    for (unsigned axis = 0; axis < 2; axis++) {
        double high = low[axis] = mesh->coordinate[axis];
        for (uint32_t point = 1; point < mesh->points; point++) {
            const double here = mesh->coordinate[2 * (size_t)point + axis];
            if (here < low[axis]) low[axis] = here;
            if (here > high) high = here;
        }
        span[axis] = high - low[axis];
    }
}

static int order_points(const struct mu_mesh *mesh, const double *low, const double *span, uint32_t *order,
                        struct mu_error *err)
{
    struct mu_sort_span sort = {.payload = order, .count = mesh->points};
    sort.key = mu_malloc(sort.count, sizeof *sort.key, "the points' order", err);
    sort.spare_key = mu_malloc(sort.count, sizeof *sort.spare_key, "the points' order", err);
    sort.spare_payload = mu_malloc(sort.count, sizeof *sort.spare_payload, "the points' order", err);
    const bool ok = sort.key != NULL && sort.spare_key != NULL && sort.spare_payload != NULL;
    for (uint32_t point = 0; ok && point < mesh->points; point++) {
        sort.key[point] = key_of(mesh, point, low, span);
        order[point] = point;
    }
    if (ok) mu_sort(&sort);
    mu_free(sort.key);
    mu_free(sort.spare_key);
    mu_free(sort.spare_payload);
    return ok ? MU_OK : MU_NO_MEMORY;
}

/* ---- Inserting a point ---- */

/* Sets a triangle and tells its neighbours; `across` is opposite the corners in their order. */
static void set_triangle(struct mu_rebuild *rebuild, uint32_t triangle, const uint32_t *corner, const uint32_t *across)
{
    struct mu_mesh *work = rebuild->work;
    memcpy(work->corner + 3 * (size_t)triangle, corner, 3 * sizeof *corner);
    memcpy(work->neighbour + 3 * (size_t)triangle, across, 3 * sizeof *across);
    for (unsigned k = 0; k < 3; k++) {
        rebuild->of_point[corner[k]] = triangle;
        if (across[k] == MU_NO_TRIANGLE || across[k] >= work->triangles) continue;
        /* The neighbour's edge has the same ends the other way round. */
        const uint32_t *other = mu_rebuild_corners(rebuild, across[k]);
        for (unsigned i = 0; i < 3; i++)
            if (other[(i + 1) % 3] == corner[(k + 2) % 3] && other[(i + 2) % 3] == corner[(k + 1) % 3])
                work->neighbour[3 * (size_t)across[k] + i] = triangle;
    }
}

/* Returns the triangle that holds the point. *edge is the corner opposite the edge on which it lies, or 3 for none. */
static uint32_t locate(const struct mu_rebuild *rebuild, uint32_t point, unsigned *edge)
{
    uint32_t triangle = rebuild->last;
    for (unsigned k = 0; k < 3;) {
        if (k == 0) *edge = 3;
        const uint32_t *corner = mu_rebuild_corners(rebuild, triangle);
        const int side = mu_rebuild_side(rebuild, corner[(k + 1) % 3], corner[(k + 2) % 3], point);
        if (side == 0) *edge = k;
        k++;
        if (side >= 0) continue;
        triangle = mu_rebuild_neighbours(rebuild, triangle)[k - 1];
        k = 0;
    }
    return triangle;
}

static void split_triangle(struct mu_rebuild *rebuild, uint32_t t, uint32_t p)
{
    const uint32_t *corner = mu_rebuild_corners(rebuild, t), *across = mu_rebuild_neighbours(rebuild, t);
    const uint32_t a = corner[0], b = corner[1], c = corner[2], u = rebuild->work->triangles, w = u + 1;
    const uint32_t over_a = across[0], over_b = across[1], over_c = across[2];
    set_triangle(rebuild, t, (uint32_t[]){a, b, p}, (uint32_t[]){u, w, over_c});
    set_triangle(rebuild, u, (uint32_t[]){b, c, p}, (uint32_t[]){w, t, over_a});
    set_triangle(rebuild, w, (uint32_t[]){c, a, p}, (uint32_t[]){t, u, over_b});
    rebuild->work->triangles += 2;
}

/* Inserts p, which lies on the edge opposite corner k. No side of the outermost triangle is that edge. */
static void split_edge(struct mu_rebuild *rebuild, uint32_t t, unsigned k, uint32_t p)
{
    const uint32_t *corner = mu_rebuild_corners(rebuild, t), *across = mu_rebuild_neighbours(rebuild, t);
    const uint32_t a = corner[k], b = corner[(k + 1) % 3], c = corner[(k + 2) % 3], u = across[k];
    const unsigned u_at = mu_mesh_edge_from(rebuild->work, u, c);
    const uint32_t d = mu_rebuild_corners(rebuild, u)[u_at], t2 = rebuild->work->triangles, u2 = t2 + 1;
    const uint32_t over_ca = across[(k + 1) % 3], over_ab = across[(k + 2) % 3];
    const uint32_t over_bd = mu_rebuild_neighbours(rebuild, u)[(u_at + 1) % 3],
                   over_dc = mu_rebuild_neighbours(rebuild, u)[(u_at + 2) % 3];
    set_triangle(rebuild, t, (uint32_t[]){a, b, p}, (uint32_t[]){u2, t2, over_ab});
    set_triangle(rebuild, u, (uint32_t[]){d, c, p}, (uint32_t[]){t2, u2, over_dc});
    set_triangle(rebuild, t2, (uint32_t[]){a, p, c}, (uint32_t[]){u, over_ca, t});
    set_triangle(rebuild, u2, (uint32_t[]){d, p, b}, (uint32_t[]){t, over_bd, u});
    rebuild->work->triangles += 2;
}

void mu_rebuild_flip(struct mu_rebuild *rebuild, uint32_t t, unsigned k)
{
    const uint32_t c = mu_rebuild_corners(rebuild, t)[(k + 2) % 3], u = mu_rebuild_neighbours(rebuild, t)[k];
    mu_mesh_flip(rebuild->work, t, k, u, mu_mesh_edge_from(rebuild->work, u, c));
    for (unsigned i = 0; i < 3; i++) {
        rebuild->of_point[mu_rebuild_corners(rebuild, t)[i]] = t;
        rebuild->of_point[mu_rebuild_corners(rebuild, u)[i]] = u;
    }
}

/* Flips what is not Delaunay around a point that has just come. */
static void settle(struct mu_rebuild *rebuild, uint32_t point)
{
    uint32_t height = 0, triangle = rebuild->of_point[point];
    do {
        rebuild->stack[height++] = triangle;
        triangle = mu_rebuild_neighbours(rebuild, triangle)[(mu_rebuild_place(rebuild, triangle, point) + 1) % 3];
    } while (triangle != rebuild->of_point[point]);
    while (height > 0) {
        const uint32_t t = rebuild->stack[--height];
        const unsigned k = mu_rebuild_place(rebuild, t, point);
        const uint32_t b = mu_rebuild_corners(rebuild, t)[(k + 1) % 3], c = mu_rebuild_corners(rebuild, t)[(k + 2) % 3];
        const uint32_t u = mu_rebuild_neighbours(rebuild, t)[k];
        if (u == MU_NO_TRIANGLE) continue;
        const uint32_t d = mu_rebuild_corners(rebuild, u)[mu_mesh_edge_from(rebuild->work, u, c)];
        if (mu_in_circle(mu_rebuild_point(rebuild, point), mu_rebuild_point(rebuild, b), mu_rebuild_point(rebuild, c),
                         mu_rebuild_point(rebuild, d)) <= 0)
            continue;
        mu_rebuild_flip(rebuild, t, k);
        rebuild->stack[height++] = t;
        rebuild->stack[height++] = u;
    }
    rebuild->last = rebuild->of_point[point];
}

/* Begins with a triangle around all points, far enough away that few of its edges have to go. */
static void begin(struct mu_rebuild *rebuild, const double *low, const double *span)
{
    struct mu_mesh *work = rebuild->work;
    const uint32_t points = rebuild->mesh->points;
    static const double corner[3][2] = {{-8, -8}, {17, -8}, {-8, 17}};
    memcpy(work->coordinate, rebuild->mesh->coordinate, 2 * (size_t)points * sizeof *work->coordinate);
    for (unsigned k = 0; k < 3; k++)
        for (unsigned axis = 0; axis < 2; axis++)
            work->coordinate[2 * ((size_t)points + k) + axis] = low[axis] + corner[k][axis] * span[axis];
    work->triangles = 1;
    set_triangle(rebuild, 0, (uint32_t[]){points, points + 1, points + 2},
                 (uint32_t[]){MU_NO_TRIANGLE, MU_NO_TRIANGLE, MU_NO_TRIANGLE});
    memset(work->fixed, 0, (2 * (size_t)points + 1) * sizeof *work->fixed);
}

int mu_rebuild_insert(struct mu_rebuild *rebuild, struct mu_error *err)
{
    double low[2], span[2];
    const uint32_t points = rebuild->mesh->points;
    uint32_t *order = mu_malloc(points, sizeof *order, "the points' order", err);
    if (order == NULL) return MU_NO_MEMORY;
    find_box(rebuild->mesh, low, span);
    int status = order_points(rebuild->mesh, low, span, order, err);
    if (status == MU_OK) begin(rebuild, low, span);
    for (uint32_t i = 0; status == MU_OK && i < points; i++) {
        unsigned edge;
        const uint32_t triangle = locate(rebuild, order[i], &edge);
        if (edge == 3)
            split_triangle(rebuild, triangle, order[i]);
        else
            split_edge(rebuild, triangle, edge, order[i]);
        settle(rebuild, order[i]);
    }
    mu_free(order);
    return status;
}
