/* What a mesh looks like, in numbers. */
#ifndef MU_INPUTS_MESH_STATS_H
#define MU_INPUTS_MESH_STATS_H

#include "inputs/exact_sum.h"
#include "inputs/mesh.h"

/* Class k holds the angles from 10 k degrees to below 10 (k + 1). */
#define MU_ANGLE_CLASSES       18
#define MU_ANGLE_CLASS_DEGREES 10

struct mu_mesh_stats {
    double x_min, x_max, y_min, y_max;
    double area;                            /* rounded once */
    double angle_min, angle_max;            /* in degrees */
    uint64_t angle_class[MU_ANGLE_CLASSES]; /* corners */
    uint32_t bad;                           /* triangles that mu_is_bad finds bad for the angle asked about */
    uint32_t boundary;                      /* segments with a triangle on one side only */
    int64_t euler;                          /* points - edges + triangles: parts - holes, but for touching points */
};

/* min_angle: in degrees, for `bad`. */
void mu_mesh_stats(const struct mu_mesh *mesh, double min_angle, struct mu_mesh_stats *stats);

/* Points - edges + triangles, where an edge within is counted by two triangles. */
int64_t mu_mesh_euler(const struct mu_mesh *mesh);

/* *twice += sign * twice the area of all triangles, exactly; sign is 1 or -1. */
void mu_mesh_add_area(const struct mu_mesh *mesh, double sign, struct mu_exact_sum *twice);

#endif
