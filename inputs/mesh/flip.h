/* The flip of an edge between two triangles, by which a mesh is made Delaunay. inputs/mesh/delaunay.c defines it, and
 * inputs/mesh/rebuild.c uses it too. */
#ifndef MU_INPUTS_MESH_FLIP_H
#define MU_INPUTS_MESH_FLIP_H

#include "inputs/mesh/mesh.h"

/* Returns the triangle's edge, walked counter-clockwise, that begins at this point. It is opposite the corner
 * before. */
unsigned mu_mesh_edge_from(const struct mu_mesh *mesh, uint32_t triangle, uint32_t point);

/* Triangles t = (a, b, c) and u = (d, c, b) become t = (a, b, d) and u = (d, c, a), corners in this order; `at` is the
 * place of a in t, `u_at` that of d in u. t keeps its edge from a to b and takes u's from b to d; u keeps its edge from
 * d to c and takes t's from c to a. */
void mu_mesh_flip(struct mu_mesh *mesh, uint32_t t, unsigned at, uint32_t u, unsigned u_at);

/* Triangulates the points and segments of a connected mesh anew, in time that does not depend on how far it is from
 * Delaunay; a few flips are left to do. *rebuilt tells whether it did: never for want of anything but memory, unless
 * the mesh breaks a promise of inputs/mesh/mesh.h; then the mesh is as it was. MU_NO_MEMORY, MU_LIMIT. */
int mu_mesh_rebuild(struct mu_mesh *mesh, bool *rebuilt, struct mu_error *err);

#endif
