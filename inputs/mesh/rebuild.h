/* The state of a triangulation made anew: for inputs/mesh/insert.c, which inserts the points, and
 * inputs/mesh/rebuild.c, which makes the segments and the mesh. */
#ifndef MU_INPUTS_MESH_REBUILD_H
#define MU_INPUTS_MESH_REBUILD_H

#include "inputs/mesh/flip.h"
#include "inputs/mesh/predicates.h"

/* The triangulation of all points and of the three around them, whose ids follow. */
struct mu_rebuild {
    struct mu_mesh *mesh; /* the old one */
    struct mu_mesh *work;
    uint32_t last;         /* the triangle where the next walk begins */
    uint32_t *of_point;    /* [points + 3]: a triangle of each */
    uint32_t *stack;       /* [triangles]: to be looked at */
    uint64_t *crossing;    /* [capacity]: a ring of edges, the lower end above the higher one */
    unsigned char *inside; /* [triangles]: is it within the old mesh? */
};

/* Triangulates all points; room is there. MU_NO_MEMORY. */
int mu_rebuild_insert(struct mu_rebuild *rebuild, struct mu_error *err);

/* Flips the edge opposite corner k, which is no side of the outermost triangle. */
void mu_rebuild_flip(struct mu_rebuild *rebuild, uint32_t triangle, unsigned k);

static inline mu_point mu_rebuild_point(const struct mu_rebuild *rebuild, uint32_t point)
{
    return mu_mesh_point(rebuild->work, point);
}

static inline int mu_rebuild_side(const struct mu_rebuild *rebuild, uint32_t from, uint32_t to, uint32_t point)
{
    return mu_orient(mu_rebuild_point(rebuild, from), mu_rebuild_point(rebuild, to), mu_rebuild_point(rebuild, point));
}

static inline const uint32_t *mu_rebuild_corners(const struct mu_rebuild *rebuild, uint32_t triangle)
{
    return rebuild->work->corner + 3 * (size_t)triangle;
}

static inline const uint32_t *mu_rebuild_neighbours(const struct mu_rebuild *rebuild, uint32_t triangle)
{
    return rebuild->work->neighbour + 3 * (size_t)triangle;
}

static inline unsigned mu_rebuild_place(const struct mu_rebuild *rebuild, uint32_t triangle, uint32_t point)
{
    const uint32_t *corner = mu_rebuild_corners(rebuild, triangle);
    return corner[0] == point ? 0 : corner[1] == point ? 1 : 2;
}

#endif
