/* Building a mesh: what readers and generators of meshes share. */
#ifndef MU_INPUTS_MESH_BUILD_H
#define MU_INPUTS_MESH_BUILD_H

#include "inputs/mesh/mesh.h"

/* Where the parts of a mesh come from: the segments that a file asks for, and for messages the file and line of each
 * point, triangle and segment. A generator leaves it all zero. */
struct mu_mesh_origin {
    const char *point_path, *triangle_path, *segment_path;
    const uint64_t *point_line, *triangle_line, *segment_line; /* [of each], or NULL */
    const uint32_t *segment;                                   /* [2 * segments]: the ends, in either order */
    uint32_t segments;
};

/* Makes a mesh with space for so many points and triangles; their values are not set. MU_LIMIT, MU_NO_MEMORY. */
int mu_mesh_new(uint64_t points, uint64_t triangles, struct mu_mesh **mesh, struct mu_error *err);

/* Turns points and corners into a mesh that keeps all promises of inputs/mesh/mesh.h but that of being Delaunay: it
 * sets neighbours and segments, makes clockwise triangles counter-clockwise, and refuses what cannot be a mesh. The
 * corners must be ids of points. MU_INPUT, MU_LIMIT, MU_NO_MEMORY. */
int mu_mesh_connect(struct mu_mesh *mesh, const struct mu_mesh_origin *origin, struct mu_error *err);

/* Writes where a point or triangle comes from into text, which is returned: "<path>:<line>", or its kind and id where
 * there are no lines. */
#define MU_MESH_PLACE_BYTES 300
const char *mu_mesh_point_place(const struct mu_mesh_origin *origin, uint32_t point, char text[MU_MESH_PLACE_BYTES]);
const char *mu_mesh_triangle_place(const struct mu_mesh_origin *origin, uint32_t triangle,
                                   char text[MU_MESH_PLACE_BYTES]);

/* Checks, exactly, that no two triangles of a connected mesh overlap. MU_INPUT naming two that do; MU_NO_MEMORY. */
int mu_mesh_check_overlap(const struct mu_mesh *mesh, const struct mu_mesh_origin *origin, struct mu_error *err);

/* Flips edges of a connected mesh, never segments, until all are locally Delaunay by the exact predicate (C. L. Lawson,
 * "Software for C1 surface interpolation", 1977), and counts them in `flipped`. Of points on one circle every
 * triangulation is Delaunay: with `canonical` the one is made whose diagonals all begin at the lowest point, so that
 * the mesh depends on its points only. A mesh that is very far from Delaunay is triangulated anew
 * (inputs/mesh/rebuild.c) before the last flips, and its triangles are then in the order of mu_mesh_sort_triangles.
 * MU_NO_MEMORY, MU_LIMIT. */
int mu_mesh_make_delaunay(struct mu_mesh *mesh, bool canonical, struct mu_error *err);

/* Brings the triangles of a connected mesh into an order that depends on its points only: the corner with the lowest id
 * comes first in each triangle, and triangles are sorted by their corners. MU_NO_MEMORY. */
int mu_mesh_sort_triangles(struct mu_mesh *mesh, struct mu_error *err);

#endif
