/* Reads the content of files of the program Triangle. */
#ifndef MU_INPUTS_MESH_TEXT_H
#define MU_INPUTS_MESH_TEXT_H

#include "base/files/stream.h"
#include "inputs/mesh/mesh.h"

/* Reads a mesh from the content of .node, .ele and .poly files. node or poly may be NULL, but not both: without a .node
 * the points come from the .poly. A mesh is made as inputs/mesh/mesh.h promises; its name is not set yet. MU_INPUT,
 * MU_LIMIT, MU_NO_MEMORY; messages name file and line. */
int mu_mesh_text_read(const struct mu_source *node, const struct mu_source *ele, const struct mu_source *poly,
                      struct mu_mesh **mesh, struct mu_error *err);

#endif
