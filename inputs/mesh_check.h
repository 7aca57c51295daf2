/* Is a mesh a correct refinement of another? The judge of dmr, which uses nothing of dmr. */
#ifndef MU_INPUTS_MESH_CHECK_H
#define MU_INPUTS_MESH_CHECK_H

#include "inputs/mesh.h"

/* The square of the cosine of an angle in degrees, for mu_is_bad; exactly 0.75 for 30. */
double mu_cosine_square(double degrees);

/* Checks a mesh against the one that it was refined from. `mesh` may hold anything: its numbers of points and triangles
 * say how long its arrays are, and nothing else is believed. It must have
 *
 * 1. all points of the original first, in place, and new ones with coordinates of the range in inputs/mesh.h;
 * 2. triangles that turn to the left, exactly;
 * 3. neighbours that agree: each edge has two triangles, one on each side, which name each other and agree whether it
 *    is a segment, or it has one and is a segment;
 * 4. no point that is no corner, and the original's Euler characteristic, points - edges + triangles;
 * 5. for each segment of the original a chain of segments from end to end, each step forwards, and no other segments;
 *    `segments` counts them. The points of the chain are on the original's segment exactly or, as midpoints are rounded
 *    where it is not parallel to an axis, off by no more than 2^-47 of the greatest coordinate of its ends;
 * 6. the original's area, exactly, computed without rounding; where points of 5 are off, within twice that distance
 *    times the lengths of their segments;
 * 7. no edge but segments that is not locally Delaunay, by the exact predicate;
 * 8. no triangle that mu_is_bad finds bad for the smallest angle, in degrees; 0 asks for nothing.
 *
 * 2, 3, 5 and 6 together leave no room for triangles that overlap, or that are missing. MU_WRONG with the first thing
 * that is wrong, MU_NO_MEMORY. Takes time linear in the meshes, about 0.1 s for 250 000 triangles. */
int mu_mesh_check(const struct mu_mesh *mesh, const struct mu_mesh *original, double min_angle, struct mu_error *err);

/* For mu_mesh_check, point 5, when 1 and 3 hold. *slack becomes the bound for point 6, of twice the area. */
int mu_mesh_check_segments(const struct mu_mesh *mesh, const struct mu_mesh *original, double *slack,
                           struct mu_error *err);

#endif
