#include "inputs/mesh/build.h"

#include "base/memory.h"
#include "inputs/mesh/flip.h"
#include "inputs/mesh/predicates.h"
#include "inputs/radix.h"

#include <string.h>

/* The flipping of a mesh: a stack of triangles whose edges must be looked at. Each triangle is in it at most once. */
struct flips {
    struct mu_mesh *mesh;
    bool canonical;
    uint32_t *stack;
    unsigned char *waits; /* [triangles]: whether it is in the stack */
    uint32_t height;
};

static void push(struct flips *flips, uint32_t triangle)
{
    if (triangle == MU_NO_TRIANGLE || flips->waits[triangle]) return;
    flips->waits[triangle] = 1;
    flips->stack[flips->height++] = triangle;
}

unsigned mu_mesh_edge_from(const struct mu_mesh *mesh, uint32_t triangle, uint32_t point)
{
    const uint32_t *corner = mesh->corner + 3 * (size_t)triangle;
    return corner[1] == point ? 0 : corner[2] == point ? 1 : 2;
}

static uint32_t lowest_of(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Returns true if the quadrilateral a, b, d, c must have the diagonal from a to d in place of the one from b to c. */
static bool must_flip(const struct flips *flips, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    const struct mu_mesh *mesh = flips->mesh;
    const int inside =
        mu_in_circle(mu_mesh_point(mesh, a), mu_mesh_point(mesh, b), mu_mesh_point(mesh, c), mu_mesh_point(mesh, d));
    if (inside != 0) return inside > 0;
    return flips->canonical && lowest_of(a, d) < lowest_of(b, c);
}

static void set_edge(struct mu_mesh *mesh, uint32_t triangle, unsigned k, uint32_t neighbour, bool fixed)
{
    mesh->neighbour[3 * (size_t)triangle + k] = neighbour;
    mesh->fixed[triangle] = (mesh->fixed[triangle] & ~(UINT32_C(1) << k)) | (uint32_t)fixed << k;
}

static bool is_fixed(const struct mu_mesh *mesh, uint32_t triangle, unsigned k)
{
    return mesh->fixed[triangle] >> k & 1;
}

void mu_mesh_flip(struct mu_mesh *mesh, uint32_t t, unsigned at, uint32_t u, unsigned u_at)
{
    const unsigned t_b = (at + 1) % 3, t_c = (at + 2) % 3, u_c = (u_at + 1) % 3, u_b = (u_at + 2) % 3;
    const uint32_t a = mesh->corner[3 * (size_t)t + at], d = mesh->corner[3 * (size_t)u + u_at];
    const uint32_t across_ca = mesh->neighbour[3 * (size_t)t + t_b], across_bd = mesh->neighbour[3 * (size_t)u + u_c];
    const bool fixed_ca = is_fixed(mesh, t, t_b), fixed_bd = is_fixed(mesh, u, u_c);
    if (across_bd != MU_NO_TRIANGLE) mesh->neighbour[3 * (size_t)across_bd + mu_mesh_edge_from(mesh, across_bd, d)] = t;
    if (across_ca != MU_NO_TRIANGLE) mesh->neighbour[3 * (size_t)across_ca + mu_mesh_edge_from(mesh, across_ca, a)] = u;
    mesh->corner[3 * (size_t)t + t_c] = d;
    set_edge(mesh, t, at, across_bd, fixed_bd);
    set_edge(mesh, t, t_b, u, false);
    mesh->corner[3 * (size_t)u + u_b] = a;
    set_edge(mesh, u, u_at, across_ca, fixed_ca);
    set_edge(mesh, u, u_c, t, false);
}

/* Flips the first edge of the triangle that must be flipped. False if there is none. */
static bool flip_one(struct flips *flips, uint32_t t)
{
    struct mu_mesh *mesh = flips->mesh;
    for (unsigned k = 0; k < 3; k++) {
        const uint32_t *corner = mesh->corner + 3 * (size_t)t;
        const uint32_t a = corner[k], b = corner[(k + 1) % 3], c = corner[(k + 2) % 3];
        if (is_fixed(mesh, t, k)) continue;
        const uint32_t u = mesh->neighbour[3 * (size_t)t + k];
        const unsigned u_at = mu_mesh_edge_from(mesh, u, c);
        const uint32_t d = mesh->corner[3 * (size_t)u + u_at];
        if (!must_flip(flips, a, b, c, d)) continue;
        mu_mesh_flip(mesh, t, k, u, u_at);
        mesh->flipped++;
        push(flips, u);
        push(flips, t);
        return true;
    }
    return false;
}

/* Flips until nothing is left to flip, or at most so many edges; false when there is more. */
static bool flip_all(struct flips *flips, uint64_t most)
{
    struct mu_mesh *mesh = flips->mesh;
    memset(flips->waits, 0, mesh->triangles);
    flips->height = 0;
    for (uint32_t triangle = mesh->triangles; triangle-- > 0;) push(flips, triangle);
    for (uint64_t begun = mesh->flipped; flips->height > 0 && mesh->flipped - begun < most;) {
        const uint32_t triangle = flips->stack[--flips->height];
        flips->waits[triangle] = 0;
        flip_one(flips, triangle);
    }
    return flips->height == 0;
}

/* A mesh that needs more flips than this for each of its triangles may need as many as the square of their number. */
#define MOST_FLIPS 16

int mu_mesh_make_delaunay(struct mu_mesh *mesh, bool canonical, struct mu_error *err)
{
    struct flips flips = {.mesh = mesh, .canonical = canonical};
    flips.stack = mu_malloc(mesh->triangles, sizeof *flips.stack, "the triangles to flip", err);
    flips.waits = mu_malloc(mesh->triangles, sizeof *flips.waits, "the triangles to flip", err);
    int status = flips.stack != NULL && flips.waits != NULL ? MU_OK : MU_NO_MEMORY;
    mesh->flipped = 0;
    if (status == MU_OK && !flip_all(&flips, MOST_FLIPS * (uint64_t)mesh->triangles)) {
        bool rebuilt;
        status = mu_mesh_rebuild(mesh, &rebuilt, err);
        if (status == MU_OK) flip_all(&flips, UINT64_MAX);
        if (status == MU_OK && rebuilt) status = mu_mesh_sort_triangles(mesh, err);
    }
    mu_free(flips.stack);
    mu_free(flips.waits);
    return status;
}

/* ---- The order of triangles ---- */

static void rotate(struct mu_mesh *mesh, uint32_t triangle)
{
    uint32_t *corner = mesh->corner + 3 * (size_t)triangle, *neighbour = mesh->neighbour + 3 * (size_t)triangle;
    const uint32_t was_corner[3] = {corner[0], corner[1], corner[2]}, was_fixed = mesh->fixed[triangle];
    const uint32_t was_neighbour[3] = {neighbour[0], neighbour[1], neighbour[2]};
    const unsigned lowest = corner[1] < corner[0] ? (corner[2] < corner[1] ? 2 : 1) : (corner[2] < corner[0] ? 2 : 0);
    mesh->fixed[triangle] = 0;
    for (unsigned k = 0; k < 3; k++) {
        corner[k] = was_corner[(k + lowest) % 3];
        neighbour[k] = was_neighbour[(k + lowest) % 3];
        mesh->fixed[triangle] |= (was_fixed >> (k + lowest) % 3 & 1) << k;
    }
}

/* Copies the triangles into `moved` in the order given. new_id becomes the inverse of the order. */
static void reorder(struct mu_mesh *mesh, const uint32_t *order, uint32_t *new_id, struct mu_mesh *moved)
{
    for (uint32_t i = 0; i < mesh->triangles; i++) new_id[order[i]] = i;
    for (uint32_t i = 0; i < mesh->triangles; i++) {
        const size_t from = 3 * (size_t)order[i], to = 3 * (size_t)i;
        for (unsigned k = 0; k < 3; k++) {
            const uint32_t neighbour = mesh->neighbour[from + k];
            moved->corner[to + k] = mesh->corner[from + k];
            moved->neighbour[to + k] = neighbour == MU_NO_TRIANGLE ? MU_NO_TRIANGLE : new_id[neighbour];
        }
        moved->fixed[i] = mesh->fixed[order[i]];
    }
}

static void swap_arrays(struct mu_mesh *mesh, struct mu_mesh *moved)
{
    const struct mu_mesh was = *mesh;
    mesh->corner = moved->corner;
    mesh->neighbour = moved->neighbour;
    mesh->fixed = moved->fixed;
    moved->corner = was.corner;
    moved->neighbour = was.neighbour;
    moved->fixed = was.fixed;
}

int mu_mesh_sort_triangles(struct mu_mesh *mesh, struct mu_error *err)
{
    struct mu_mesh *moved = NULL;
    struct mu_sort_span span = {.count = mesh->triangles};
    int status = mu_mesh_new(0, mesh->triangles, &moved, err);
    span.key = mu_malloc(span.count, sizeof *span.key, "the triangles' order", err);
    span.spare_key = mu_malloc(span.count, sizeof *span.spare_key, "the triangles' order", err);
    span.payload = mu_malloc(span.count, sizeof *span.payload, "the triangles' order", err);
    span.spare_payload = mu_malloc(span.count, sizeof *span.spare_payload, "the triangles' order", err);
    const bool ok = span.key != NULL && span.spare_key != NULL && span.payload != NULL && span.spare_payload != NULL;
    if (status == MU_OK && !ok) status = MU_NO_MEMORY;
    if (status == MU_OK) {
        for (uint32_t triangle = 0; triangle < mesh->triangles; triangle++) {
            rotate(mesh, triangle);
            const uint32_t *corner = mesh->corner + 3 * (size_t)triangle;
            span.key[triangle] = (uint64_t)corner[0] << 32 | corner[1];
            span.payload[triangle] = triangle;
        }
        mu_sort(&span);
        reorder(mesh, span.payload, span.spare_payload, moved);
        swap_arrays(mesh, moved);
    }
    mu_free(span.key);
    mu_free(span.spare_key);
    mu_free(span.payload);
    mu_free(span.spare_payload);
    mu_mesh_free(moved);
    return status;
}
