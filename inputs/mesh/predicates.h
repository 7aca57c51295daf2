/* The exact predicates for the host: mu_orient, mu_in_circle, mu_is_bad. See inputs/mesh/predicates.clh, which devices
 * read too. */
#ifndef MU_INPUTS_MESH_PREDICATES_H
#define MU_INPUTS_MESH_PREDICATES_H

#include "inputs/mesh/mesh.h"
#include "inputs/mesh/predicates.clh"

#include <stddef.h>

static inline mu_point mu_mesh_point(const struct mu_mesh *mesh, uint32_t point)
{
    const mu_point at = {mesh->coordinate[2 * (size_t)point], mesh->coordinate[2 * (size_t)point + 1]};
    return at;
}

#endif
