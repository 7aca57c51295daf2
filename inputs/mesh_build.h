/* Making a mesh: what its readers and generators share. */
#ifndef MU_INPUTS_MESH_BUILD_H
#define MU_INPUTS_MESH_BUILD_H

#include "inputs/mesh.h"

/* Segments, and the lines that points, triangles and segments come from, for messages; all zero for a generator. */
struct mu_mesh_origin {
    const char *point_path, *triangle_path, *segment_path;
    const uint64_t *point_line, *triangle_line, *segment_line; /* [of each], or NULL */
    const uint32_t *segment;                                   /* [2 * segments]: the ends, in either order */
    uint32_t segments;
};

/* A mesh with room for so many points and triangles, none of which is set. MU_LIMIT, MU_NO_MEMORY. */
int mu_mesh_new(uint64_t points, uint64_t triangles, struct mu_mesh **mesh, struct mu_error *err);

/* From points and corners to a mesh as inputs/mesh.h promises, but for being Delaunay: refuses what cannot be one,
 * turns clockwise triangles, and sets neighbours and segments. The corners must be points' ids. MU_INPUT, MU_LIMIT,
 * MU_NO_MEMORY. */
int mu_mesh_connect(struct mu_mesh *mesh, const struct mu_mesh_origin *origin, struct mu_error *err);

/* "<path>:<line>" of a point or triangle, or its kind and id where there are no lines. */
#define MU_MESH_PLACE_BYTES 300
const char *mu_mesh_point_place(const struct mu_mesh_origin *origin, uint32_t point, char text[MU_MESH_PLACE_BYTES]);
const char *mu_mesh_triangle_place(const struct mu_mesh_origin *origin, uint32_t triangle,
                                   char text[MU_MESH_PLACE_BYTES]);

/* Are all triangles of a connected mesh apart from one another? Decided by a sweep over the boundary, exactly. */
int mu_mesh_check_overlap(const struct mu_mesh *mesh, const struct mu_mesh_origin *origin, struct mu_error *err);

/* Flips edges of a connected mesh, never segments, until all are locally Delaunay by the exact predicate (C. L. Lawson,
 * "Software for C1 surface interpolation", 1977), and counts them in `flipped`. Of points on one circle every
 * triangulation is Delaunay: with `canonical` the one is made whose diagonals all begin at the lowest point, so that
 * the mesh depends on its points only. */
int mu_mesh_make_delaunay(struct mu_mesh *mesh, bool canonical, struct mu_error *err);

/* Rotates each triangle of a connected mesh so that its lowest point comes first, and orders the triangles by their
 * corners: what follows from the points only. */
int mu_mesh_sort_triangles(struct mu_mesh *mesh, struct mu_error *err);

#endif
