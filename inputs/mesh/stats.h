/* Figures of a mesh: its extent, area, angles and boundary. */
#ifndef MU_INPUTS_MESH_STATS_H
#define MU_INPUTS_MESH_STATS_H

#include "inputs/mesh/exact_sum.h"
#include "inputs/mesh/mesh.h"

/* Class k holds the angles from 10 k degrees to below 10 (k + 1). */
#define MU_ANGLE_CLASSES       18
#define MU_ANGLE_CLASS_DEGREES 10

struct mu_mesh_stats {
    double x_min, x_max, y_min, y_max;
    double area;                            /* rounded once */
    double angle_min, angle_max;            /* in degrees */
    uint64_t angle_class[MU_ANGLE_CLASSES]; /* how many corners have such an angle */
    uint32_t bad;                           /* triangles with an angle below the one asked for (mu_is_bad) */
    uint32_t boundary;                      /* segments with a triangle on one side only */
    int64_t euler; /* points - edges + triangles: parts minus holes, unless parts touch in a point */
};

/* Computes the figures. min_angle, in degrees, is what `bad` counts by. */
void mu_mesh_stats(const struct mu_mesh *mesh, double min_angle, struct mu_mesh_stats *stats);

/* Returns the Euler characteristic: points - edges + triangles. */
int64_t mu_mesh_euler(const struct mu_mesh *mesh);

/* Adds twice the area of all triangles to *twice, exactly; subtracts it where sign is -1 instead of 1. */
void mu_mesh_add_area(const struct mu_mesh *mesh, double sign, struct mu_exact_sum *twice);

#endif
