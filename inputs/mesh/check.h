/* Checks whether a mesh is a correct refinement of another one. This is the checker of dmr, and shares no code with it
 * but the exact predicates. */
#ifndef MU_INPUTS_MESH_CHECK_H
#define MU_INPUTS_MESH_CHECK_H

#include "inputs/mesh/mesh.h"

/* Returns the square of the cosine of an angle in degrees, for mu_is_bad; exactly 0.75 for 30. */
double mu_cosine_square(double degrees);

/* Checks a mesh against the one that it was refined from. `mesh` may hold anything: only its numbers of points and
 * triangles, which say how long its arrays are, are trusted. It must have
 *
 * 1. all points of the original first, in place, and new ones with coordinates of the range in inputs/mesh/mesh.h;
 * 2. triangles that are counter-clockwise, decided exactly;
 * 3. neighbours that agree: each edge has two triangles, one on each side, which name each other and agree whether it
 *    is a segment, or it has one and is a segment;
 * 4. only points that are corners, and the original's Euler characteristic, points - edges + triangles;
 * 5. for each segment of the original a chain of segments from end to end, each step forwards, and no other segments;
 *    `segments` counts them. The points of the chain are on the original's segment exactly or, as midpoints are rounded
 *    where it is not parallel to an axis, off by no more than 2^-47 of the greatest coordinate of its ends;
 * 6. the original's area, exactly, computed without rounding; where points of 5 are off, within twice that distance
 *    times the lengths of their segments;
 * 7. edges that are segments or locally Delaunay, by the exact predicate;
 * 8. no triangle with an angle below min_angle, in degrees, as mu_is_bad decides it; 0 allows any angle.
 *
 * Points 2, 3, 5 and 6 together exclude triangles that overlap or are missing. MU_WRONG naming the first thing that is
 * wrong, MU_NO_MEMORY, however many threads (inputs/parallel.h) share the triangles. Takes time linear in the meshes,
 * about 0.1 s for 250 000 triangles on one. */
int mu_mesh_check(const struct mu_mesh *mesh, const struct mu_mesh *original, double min_angle, struct mu_error *err);

/* Does point 5 for mu_mesh_check, once points 1 and 3 hold. *slack becomes the deviation of twice the area that point 6
 * allows. */
int mu_mesh_check_segments(const struct mu_mesh *mesh, const struct mu_mesh *original, double *slack,
                           struct mu_error *err);

#endif
