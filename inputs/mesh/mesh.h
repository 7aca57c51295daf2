/* A triangle mesh of a planar region: what mesh readers and generators produce and dmr consumes.
 *
 * Every loaded mesh keeps these promises. It is conforming: no two triangles overlap, and no corner lies on another
 * triangle's edge. Every triangle is counter-clockwise and has an area. No two points have the same coordinates, and
 * every point is a corner. Every edge that is no segment is locally Delaunay, so that the mesh is the constrained
 * Delaunay triangulation of its points and segments. */
#ifndef MU_INPUTS_MESH_MESH_H
#define MU_INPUTS_MESH_MESH_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

#define MU_NO_TRIANGLE UINT32_C(0xffffffff)

/* The most triangles that a mesh may have: three times their number, and a mark for "none", must fit into 32 bits. */
#define MU_MAX_TRIANGLES UINT32_C(0x55555554)

struct mu_mesh {
    char *name;          /* the input as the user wrote it */
    const char *format;  /* "triangle" or the generator's name, not owned */
    uint32_t points;     /* ids 0 .. points - 1 */
    uint32_t triangles;  /* ids 0 .. triangles - 1 */
    uint32_t segments;   /* edges that refinement keeps: the boundary, and inner constraints of a .poly */
    double *coordinate;  /* [2 * points]: x, y of each point; 0, or of a magnitude from 2^-140 to 2^140 */
    uint32_t *corner;    /* [3 * triangles]: points of each triangle, counter-clockwise */
    uint32_t *neighbour; /* [3 * triangles]: the triangle across the edge opposite corner k, or MU_NO_TRIANGLE */
    uint32_t *fixed;     /* [triangles]: bit k set when the edge opposite corner k is a segment; every edge without a
                          * neighbour is one */
    uint32_t first_id;   /* 0 or 1: the id of the first point in the file */
    uint32_t turned;     /* how many triangles were clockwise in the file, which users are told */
    uint64_t flipped;    /* how many edges were flipped to make the file's mesh Delaunay: likewise */
};

/* Returns true if this names a mesh: a mesh generator with its parameters; a path that ends in .node, .ele or .poly,
 * perhaps followed by .gz or .xz; or one that is no file itself, while there is such a .node beside it. */
bool mu_mesh_is_named(const char *specification);

/* Loads a mesh: from a generator such as "mesh:1000" (the same mesh for the same specification and seed on every
 * machine, bit for bit), or from the files of J. R. Shewchuk's program Triangle, given by any of their names or by what
 * these have in common. <base>.node holds the points and <base>.ele the triangles; <base>.poly may be there, and adds
 * segments, which must be edges of the triangles (points in it are read if there is no .node). Attributes, markers,
 * holes and regions are ignored. Clockwise triangles are turned, and edges that are not Delaunay flipped; `turned` and
 * `flipped` count them. On success *mesh is the caller's, to be freed with mu_mesh_free. MU_INPUT (bad content: the
 * message names file and line), MU_IO, MU_USAGE (a malformed specification, or neither file nor generator), MU_LIMIT
 * (larger than base/limits.h allows), MU_NO_MEMORY. */
int mu_mesh_load(const char *specification, uint64_t seed, struct mu_mesh **mesh, struct mu_error *err);

/* Accepts NULL. */
void mu_mesh_free(struct mu_mesh *mesh);

/* Returns a 64-bit hash of coordinates, corners and segments; the same on every machine, whatever the name. */
uint64_t mu_mesh_hash(const struct mu_mesh *mesh);

/* Writes <base>.node, <base>.ele and <base>.poly, each replaced as a whole or not at all; ids begin with first_id. The
 * path is the base or the name of one of the files. Coordinates are written with 17 digits, so that reading gives the
 * same doubles. MU_IO, MU_NO_MEMORY. */
int mu_mesh_write(const struct mu_mesh *mesh, const char *path, struct mu_error *err);

#endif
