#include "inputs/mesh/build.h"

#include "base/limits.h"
#include "base/memory.h"
#include "inputs/mesh/predicates.h"
#include "inputs/radix.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The edges of all triangles, sorted by their ends; the edge of a triangle opposite its corner k is 3 * triangle + k.
 */
struct edges {
    struct mu_mesh *mesh;
    const struct mu_mesh_origin *origin;
    uint64_t *key, *spare_key; /* the lower end, then the higher one */
    uint32_t *edge, *spare_edge;
    uint64_t count;
};

static bool allocate(struct mu_mesh *mesh, struct mu_error *err)
{
    mesh->coordinate = mu_malloc(2 * (size_t)mesh->points, sizeof *mesh->coordinate, "the mesh's points", err);
    mesh->corner = mu_malloc(3 * (size_t)mesh->triangles, sizeof *mesh->corner, "the mesh's triangles", err);
    mesh->neighbour = mu_malloc(3 * (size_t)mesh->triangles, sizeof *mesh->neighbour, "the mesh's neighbours", err);
    mesh->fixed = mu_malloc(mesh->triangles, sizeof *mesh->fixed, "the mesh's segments", err);
    return mesh->coordinate != NULL && mesh->corner != NULL && mesh->neighbour != NULL && mesh->fixed != NULL;
}

int mu_mesh_new(uint64_t points, uint64_t triangles, struct mu_mesh **mesh, struct mu_error *err)
{
    if (points > UINT32_MAX - 1 || triangles > MU_MAX_TRIANGLES)
        return mu_fail(err, MU_LIMIT, "a mesh of %" PRIu64 " points and %" PRIu64 " triangles is too large", points,
                       triangles);
    /* Sorting the edges needs the most memory. */
    int status = mu_memory_check(triangles, 28 + 3 * 24, "a mesh's triangles", err);
    if (status == MU_OK) status = mu_memory_check(points, 48, "a mesh's points", err);
    if (status != MU_OK) return status;
    struct mu_mesh *made = mu_calloc(1, sizeof *made, "a mesh", err);
    if (made == NULL) return MU_NO_MEMORY;
    made->points = (uint32_t)points;
    made->triangles = (uint32_t)triangles;
    if (!allocate(made, err)) {
        mu_mesh_free(made);
        return MU_NO_MEMORY;
    }
    *mesh = made;
    return MU_OK;
}

static const char *place(const char *path, const uint64_t *line, const char *kind, uint32_t id,
                         char text[MU_MESH_PLACE_BYTES])
{
    if (line != NULL)
        snprintf(text, MU_MESH_PLACE_BYTES, "%.250s:%" PRIu64, path, line[id]);
    else
        snprintf(text, MU_MESH_PLACE_BYTES, "%s %" PRIu32, kind, id);
    return text;
}

const char *mu_mesh_point_place(const struct mu_mesh_origin *origin, uint32_t point, char text[MU_MESH_PLACE_BYTES])
{
    return place(origin->point_path, origin->point_line, "point", point, text);
}

const char *mu_mesh_triangle_place(const struct mu_mesh_origin *origin, uint32_t triangle,
                                   char text[MU_MESH_PLACE_BYTES])
{
    return place(origin->triangle_path, origin->triangle_line, "triangle", triangle, text);
}

/* ---- Points and triangles, each by itself ---- */

/* Sorts the points by y, then stably by x, so that points with equal coordinates become neighbours. */
static void sort_points(const struct mu_mesh *mesh, struct mu_sort_span *span)
{
    for (uint32_t point = 0; point < mesh->points; point++) span->payload[point] = point;
    for (unsigned axis = 2; axis-- > 0;) {
        for (uint32_t i = 0; i < mesh->points; i++)
            memcpy(&span->key[i], &mesh->coordinate[2 * (size_t)span->payload[i] + axis], sizeof *span->key);
        mu_sort(span);
    }
}

static int compare_sorted_points(const struct mu_mesh *mesh, const struct mu_mesh_origin *origin,
                                 const uint32_t *sorted, struct mu_error *err)
{
    for (uint32_t i = 1; i < mesh->points; i++) {
        const mu_point one = mu_mesh_point(mesh, sorted[i - 1]), other = mu_mesh_point(mesh, sorted[i]);
        char first[MU_MESH_PLACE_BYTES], second[MU_MESH_PLACE_BYTES];
        if (one.x != other.x || one.y != other.y) continue;
        return mu_fail(err, MU_INPUT, "%s: the same point as %s: (%.17g, %.17g)",
                       mu_mesh_point_place(origin, sorted[i], first),
                       mu_mesh_point_place(origin, sorted[i - 1], second), one.x, one.y);
    }
    return MU_OK;
}

static int check_duplicates(const struct mu_mesh *mesh, const struct mu_mesh_origin *origin, struct mu_error *err)
{
    struct mu_sort_span span = {.count = mesh->points};
    span.key = mu_malloc(span.count, sizeof *span.key, "the points' order", err);
    span.spare_key = mu_malloc(span.count, sizeof *span.spare_key, "the points' order", err);
    span.payload = mu_malloc(span.count, sizeof *span.payload, "the points' order", err);
    span.spare_payload = mu_malloc(span.count, sizeof *span.spare_payload, "the points' order", err);
    int status = MU_NO_MEMORY;
    if (span.key != NULL && span.spare_key != NULL && span.payload != NULL && span.spare_payload != NULL) {
        sort_points(mesh, &span);
        status = compare_sorted_points(mesh, origin, span.payload, err);
    }
    mu_free(span.key);
    mu_free(span.spare_key);
    mu_free(span.payload);
    mu_free(span.spare_payload);
    return status;
}

static int turn_left(struct mu_mesh *mesh, const struct mu_mesh_origin *origin, struct mu_error *err)
{
    mesh->turned = 0;
    for (uint32_t triangle = 0; triangle < mesh->triangles; triangle++) {
        uint32_t *corner = mesh->corner + 3 * (size_t)triangle;
        const int turn =
            mu_orient(mu_mesh_point(mesh, corner[0]), mu_mesh_point(mesh, corner[1]), mu_mesh_point(mesh, corner[2]));
        if (turn == 0) {
            char text[MU_MESH_PLACE_BYTES];
            return mu_fail(err, MU_INPUT, "%s: the triangle has no area: its corners are on one line",
                           mu_mesh_triangle_place(origin, triangle, text));
        }
        if (turn > 0) continue;
        const uint32_t second = corner[1];
        corner[1] = corner[2];
        corner[2] = second;
        mesh->turned++;
    }
    return MU_OK;
}

static int check_usage(const struct mu_mesh *mesh, const struct mu_mesh_origin *origin, struct mu_error *err)
{
    char text[MU_MESH_PLACE_BYTES];
    unsigned char *used = mu_calloc(mesh->points, 1, "the points in use", err);
    if (used == NULL) return MU_NO_MEMORY;
    for (size_t i = 0; i < 3 * (size_t)mesh->triangles; i++) used[mesh->corner[i]] = 1;
    int status = MU_OK;
    for (uint32_t point = 0; status == MU_OK && point < mesh->points; point++)
        if (!used[point])
            status =
                mu_fail(err, MU_INPUT, "%s: the point is no triangle's corner (triangle -j leaves such points out)",
                        mu_mesh_point_place(origin, point, text));
    mu_free(used);
    return status;
}

/* ---- Edges ---- */

static uint64_t key_of(uint32_t one, uint32_t other)
{
    return one < other ? (uint64_t)one << 32 | other : (uint64_t)other << 32 | one;
}

static uint32_t first_end(const struct mu_mesh *mesh, uint32_t edge)
{
    return mesh->corner[edge - edge % 3 + (edge + 1) % 3];
}

static uint32_t second_end(const struct mu_mesh *mesh, uint32_t edge)
{
    return mesh->corner[edge - edge % 3 + (edge + 2) % 3];
}

static int allocate_edges(struct edges *edges, struct mu_error *err)
{
    edges->count = 3 * (uint64_t)edges->mesh->triangles;
    edges->key = mu_malloc(edges->count, sizeof *edges->key, "the mesh's edges", err);
    edges->spare_key = mu_malloc(edges->count, sizeof *edges->spare_key, "the mesh's edges", err);
    edges->edge = mu_malloc(edges->count, sizeof *edges->edge, "the mesh's edges", err);
    edges->spare_edge = mu_malloc(edges->count, sizeof *edges->spare_edge, "the mesh's edges", err);
    bool ok = edges->key != NULL && edges->spare_key != NULL && edges->edge != NULL && edges->spare_edge != NULL;
    return ok ? MU_OK : MU_NO_MEMORY;
}

static void release_edges(struct edges *edges)
{
    mu_free(edges->key);
    mu_free(edges->spare_key);
    mu_free(edges->edge);
    mu_free(edges->spare_edge);
}

static void sort_edges(struct edges *edges)
{
    for (uint32_t edge = 0; edge < edges->count; edge++) {
        edges->key[edge] = key_of(first_end(edges->mesh, edge), second_end(edges->mesh, edge));
        edges->edge[edge] = edge;
    }
    mu_sort(&(struct mu_sort_span){edges->key, edges->edge, edges->spare_key, edges->spare_edge, edges->count});
}

static void fix(struct mu_mesh *mesh, uint32_t edge)
{
    mesh->fixed[edge / 3] |= UINT32_C(1) << edge % 3;
}

/* Links the triangles that share one edge. They stand from `at` on in the sorted edges, and must be one, or two on
 * different sides of the edge. */
static int link_edge(const struct edges *edges, uint64_t at, uint64_t sharing, struct mu_error *err)
{
    struct mu_mesh *mesh = edges->mesh;
    const uint32_t edge = edges->edge[at];
    char first[MU_MESH_PLACE_BYTES], second[MU_MESH_PLACE_BYTES];
    if (sharing == 1) {
        mesh->neighbour[edge] = MU_NO_TRIANGLE;
        fix(mesh, edge);
        mesh->segments++;
        return MU_OK;
    }
    const uint32_t other = edges->edge[at + 1];
    mu_mesh_triangle_place(edges->origin, edge / 3, first);
    mu_mesh_triangle_place(edges->origin, other / 3, second);
    const uint32_t from = first_end(mesh, edge) + mesh->first_id, to = second_end(mesh, edge) + mesh->first_id;
    if (sharing > 2)
        return mu_fail(err, MU_INPUT, "%s: the edge from point %" PRIu32 " to %" PRIu32 " is shared with %s and others",
                       first, from, to, second);
    if (first_end(mesh, edge) == first_end(mesh, other))
        return mu_fail(err, MU_INPUT,
                       "%s: overlaps with %s: both are on the same side of points %" PRIu32 " and %" PRIu32, first,
                       second, from, to);
    mesh->neighbour[edge] = other / 3;
    mesh->neighbour[other] = edge / 3;
    return MU_OK;
}

static int link_edges(const struct edges *edges, struct mu_error *err)
{
    int status = MU_OK;
    memset(edges->mesh->fixed, 0, edges->mesh->triangles * sizeof *edges->mesh->fixed);
    edges->mesh->segments = 0;
    for (uint64_t at = 0, sharing; status == MU_OK && at < edges->count; at += sharing) {
        for (sharing = 1; at + sharing < edges->count && edges->key[at + sharing] == edges->key[at];) sharing++;
        status = link_edge(edges, at, sharing, err);
    }
    return status;
}

/* Returns the place of the key in the sorted edges, or where it would be inserted. */
static uint64_t find_key(const struct edges *edges, uint64_t key)
{
    uint64_t low = 0, high = edges->count;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (edges->key[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int fix_segments(const struct edges *edges, struct mu_error *err)
{
    struct mu_mesh *mesh = edges->mesh;
    const struct mu_mesh_origin *origin = edges->origin;
    for (uint32_t segment = 0; segment < origin->segments; segment++) {
        const uint32_t *end = origin->segment + 2 * (size_t)segment;
        const uint64_t key = key_of(end[0], end[1]), at = find_key(edges, key);
        if (at == edges->count || edges->key[at] != key)
            return mu_fail(err, MU_INPUT,
                           "%s:%" PRIu64 ": the segment from point %" PRIu32 " to %" PRIu32 " is no edge of the mesh",
                           origin->segment_path, origin->segment_line[segment], end[0] + mesh->first_id,
                           end[1] + mesh->first_id);
        const uint32_t edge = edges->edge[at];
        if (mesh->fixed[edge / 3] >> edge % 3 & 1) continue;
        fix(mesh, edge);
        fix(mesh, edges->edge[at + 1]);
        mesh->segments++;
    }
    return MU_OK;
}

int mu_mesh_connect(struct mu_mesh *mesh, const struct mu_mesh_origin *origin, struct mu_error *err)
{
    struct edges edges = {.mesh = mesh, .origin = origin};
    int status = check_duplicates(mesh, origin, err);
    if (status == MU_OK) status = turn_left(mesh, origin, err);
    if (status == MU_OK) status = allocate_edges(&edges, err);
    if (status == MU_OK) {
        sort_edges(&edges);
        status = link_edges(&edges, err);
    }
    if (status == MU_OK) status = fix_segments(&edges, err);
    release_edges(&edges);
    if (status == MU_OK) status = check_usage(mesh, origin, err);
    if (status == MU_OK) status = mu_mesh_check_overlap(mesh, origin, err);
    return status;
}
