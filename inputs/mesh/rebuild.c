/* A mesh triangulated anew, for meshes so far from Delaunay that flipping edges would take quadratic time.
 *
 * The points go one by one into a triangle around all of them. Each is found by a walk from the one before it, and
 * edges around it are flipped until they are Delaunay (Lawson 1977). So that walks and flips are few whatever the
 * points, they come in rounds of a random order, each round along a Morton curve (N. Amenta, S. Choi and G. Rote,
 * "Incremental constructions con BRIO", SoCG 2003). Segments that are missing then are made by flipping the edges that
 * cross them (S. W. Sloan, "A fast algorithm for generating constrained Delaunay triangulations", Computers &
 * Structures 47, 1993). What lies within the mesh's old edges is the new mesh. All decisions are exact. */
#include "inputs/mesh/rebuild.h"

#include "base/memory.h"
#include "inputs/mesh/build.h"

/* ---- Making segments ---- */

/* Returns the triangle whose edge goes, counter-clockwise, from one point to the other, and the corner opposite that
 * edge; MU_NO_TRIANGLE for none. `from` is not one of the three around all points. */
static uint32_t find_edge(const struct mu_rebuild *rebuild, uint32_t from, uint32_t to, unsigned *opposite)
{
    uint32_t triangle = rebuild->of_point[from];
    do {
        const unsigned k = mu_rebuild_place(rebuild, triangle, from);
        *opposite = (k + 2) % 3;
        if (mu_rebuild_corners(rebuild, triangle)[(k + 1) % 3] == to) return triangle;
        triangle = mu_rebuild_neighbours(rebuild, triangle)[(k + 1) % 3];
    } while (triangle != rebuild->of_point[from]);
    return MU_NO_TRIANGLE;
}

/* Returns the key of an edge. Its lower end comes first, which is not one of the three around all points. */
static uint64_t edge_of(uint32_t one, uint32_t other)
{
    return one < other ? (uint64_t)one << 32 | other : (uint64_t)other << 32 | one;
}

/* Lists the edges that cross the segment; how many. No point lies on it but its ends, since it was an edge. */
static uint32_t list_crossing(struct mu_rebuild *rebuild, uint32_t from, uint32_t to)
{
    uint32_t count = 0, triangle = rebuild->of_point[from], right, left;
    for (;;) {
        const unsigned k = mu_rebuild_place(rebuild, triangle, from);
        right = mu_rebuild_corners(rebuild, triangle)[(k + 1) % 3];
        left = mu_rebuild_corners(rebuild, triangle)[(k + 2) % 3];
        if (mu_rebuild_side(rebuild, from, to, right) < 0 && mu_rebuild_side(rebuild, from, to, left) > 0 &&
            mu_rebuild_side(rebuild, right, left, to) < 0)
            break;
        triangle = mu_rebuild_neighbours(rebuild, triangle)[(k + 1) % 3];
    }
    for (;;) {
        rebuild->crossing[count++] = edge_of(right, left);
        triangle = mu_rebuild_neighbours(rebuild, triangle)[mu_mesh_edge_from(rebuild->work, triangle, right)];
        const uint32_t next = mu_rebuild_corners(rebuild, triangle)[mu_mesh_edge_from(rebuild->work, triangle, left)];
        if (next == to) return count;
        if (mu_rebuild_side(rebuild, from, to, next) > 0)
            left = next;
        else
            right = next;
    }
}

/* Flips the edge, if the quadrilateral around it is convex; *diagonal is the edge in its place. */
static bool flip_edge(struct mu_rebuild *rebuild, uint64_t edge, uint64_t *diagonal)
{
    unsigned k;
    const uint32_t b = (uint32_t)(edge >> 32), c = (uint32_t)edge;
    const uint32_t t = find_edge(rebuild, b, c, &k), u = mu_rebuild_neighbours(rebuild, t)[k];
    const uint32_t a = mu_rebuild_corners(rebuild, t)[k],
                   d = mu_rebuild_corners(rebuild, u)[mu_mesh_edge_from(rebuild->work, u, c)];
    if (mu_rebuild_side(rebuild, a, b, d) <= 0 || mu_rebuild_side(rebuild, d, c, a) <= 0) return false;
    mu_rebuild_flip(rebuild, t, k);
    *diagonal = edge_of(a, d);
    return true;
}

static bool crosses(const struct mu_rebuild *rebuild, uint32_t from, uint32_t to, uint64_t edge)
{
    const uint32_t a = (uint32_t)(edge >> 32), b = (uint32_t)edge;
    if (a == from || a == to || b == from || b == to) return false;
    return mu_rebuild_side(rebuild, from, to, a) * mu_rebuild_side(rebuild, from, to, b) < 0;
}

/* Makes the segment an edge. */
static void make_segment(struct mu_rebuild *rebuild, uint32_t from, uint32_t to)
{
    unsigned k;
    if (find_edge(rebuild, from, to, &k) != MU_NO_TRIANGLE) return;
    const uint32_t room = list_crossing(rebuild, from, to);
    uint32_t first = 0, waiting = room;
    while (waiting > 0) {
        uint64_t edge = rebuild->crossing[first];
        first = (first + 1) % room;
        waiting--;
        if (flip_edge(rebuild, edge, &edge) && !crosses(rebuild, from, to, edge)) continue;
        rebuild->crossing[(first + waiting) % room] = edge;
        waiting++;
    }
}

/* Returns an end of the old mesh's edge, counter-clockwise. */
static uint32_t old_end(const struct mu_mesh *mesh, uint32_t triangle, unsigned k, unsigned end)
{
    return mesh->corner[3 * (size_t)triangle + (k + 1 + end) % 3];
}

static bool is_segment(const struct mu_mesh *mesh, uint32_t triangle, unsigned k)
{
    return mesh->fixed[triangle] >> k & 1;
}

static void make_segments(struct mu_rebuild *rebuild)
{
    const struct mu_mesh *mesh = rebuild->mesh;
    for (uint32_t triangle = 0; triangle < mesh->triangles; triangle++)
        for (unsigned k = 0; k < 3; k++)
            if (is_segment(mesh, triangle, k))
                make_segment(rebuild, old_end(mesh, triangle, k, 0), old_end(mesh, triangle, k, 1));
}

/* ---- The new mesh ---- */

/* Marks what is within the old mesh: from each segment to the side on which it had a triangle, and on from there up to
 * the next segments. How many triangles that are. */
static uint32_t mark_inside(struct mu_rebuild *rebuild)
{
    const struct mu_mesh *mesh = rebuild->mesh;
    uint32_t height = 0, count = 0;
    for (uint32_t triangle = 0; triangle < mesh->triangles; triangle++)
        for (unsigned k = 0; k < 3; k++) {
            unsigned opposite;
            if (!is_segment(mesh, triangle, k)) continue;
            const uint32_t t =
                find_edge(rebuild, old_end(mesh, triangle, k, 0), old_end(mesh, triangle, k, 1), &opposite);
            rebuild->work->fixed[t] |= UINT32_C(1) << opposite;
            if (!rebuild->inside[t]) rebuild->stack[height++] = t;
            rebuild->inside[t] = 1;
        }
    for (; height > 0; count++) {
        const uint32_t t = rebuild->stack[--height];
        for (unsigned k = 0; k < 3; k++) {
            const uint32_t next = mu_rebuild_neighbours(rebuild, t)[k];
            if (is_segment(rebuild->work, t, k) || next == MU_NO_TRIANGLE || rebuild->inside[next]) continue;
            rebuild->inside[next] = 1;
            rebuild->stack[height++] = next;
        }
    }
    return count;
}

/* Copies the triangles within into the old mesh, whose points and segments stay. */
static void copy_inside(struct mu_rebuild *rebuild)
{
    struct mu_mesh *mesh = rebuild->mesh;
    uint32_t *new_id = rebuild->stack, count = 0;
    for (uint32_t t = 0; t < rebuild->work->triangles; t++) new_id[t] = rebuild->inside[t] ? count++ : MU_NO_TRIANGLE;
    for (uint32_t t = 0; t < rebuild->work->triangles; t++) {
        if (new_id[t] == MU_NO_TRIANGLE) continue;
        const size_t to = 3 * (size_t)new_id[t];
        for (unsigned k = 0; k < 3; k++) {
            const uint32_t next = mu_rebuild_neighbours(rebuild, t)[k];
            mesh->corner[to + k] = mu_rebuild_corners(rebuild, t)[k];
            mesh->neighbour[to + k] = next == MU_NO_TRIANGLE ? MU_NO_TRIANGLE : new_id[next];
        }
        mesh->fixed[new_id[t]] = rebuild->work->fixed[t];
    }
}

static int allocate(struct mu_rebuild *rebuild, struct mu_error *err)
{
    const uint64_t points = rebuild->mesh->points + UINT64_C(3), triangles = 2 * points;
    const int status = mu_mesh_new(points, triangles, &rebuild->work, err);
    if (status != MU_OK) return status;
    rebuild->of_point = mu_malloc(points, sizeof *rebuild->of_point, "a new triangulation", err);
    rebuild->stack = mu_malloc(triangles, sizeof *rebuild->stack, "a new triangulation", err);
    rebuild->crossing = mu_malloc(3 * points, sizeof *rebuild->crossing, "a new triangulation", err);
    rebuild->inside = mu_calloc(triangles, 1, "a new triangulation", err);
    const bool ok = rebuild->of_point != NULL && rebuild->stack != NULL && rebuild->crossing != NULL;
    return ok && rebuild->inside != NULL ? MU_OK : MU_NO_MEMORY;
}

int mu_mesh_rebuild(struct mu_mesh *mesh, bool *rebuilt, struct mu_error *err)
{
    struct mu_rebuild rebuild = {.mesh = mesh};
    int status = allocate(&rebuild, err);
    *rebuilt = false;
    if (status == MU_OK) status = mu_rebuild_insert(&rebuild, err);
    if (status == MU_OK) {
        make_segments(&rebuild);
        *rebuilt = mark_inside(&rebuild) == mesh->triangles;
        if (*rebuilt) copy_inside(&rebuild);
    }
    mu_mesh_free(rebuild.work);
    mu_free(rebuild.of_point);
    mu_free(rebuild.stack);
    mu_free(rebuild.crossing);
    mu_free(rebuild.inside);
    return status;
}
