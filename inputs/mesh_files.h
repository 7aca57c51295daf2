/* The files of the program Triangle: which ones a name stands for, and reading them. */
#ifndef MU_INPUTS_MESH_FILES_H
#define MU_INPUTS_MESH_FILES_H

#include "inputs/mesh.h"

/* True if the path stands for a mesh's files: see mu_mesh_is_named. */
bool mu_mesh_files_are_named(const char *path);

#define MU_MESH_FILES 3 /* .node, .ele, .poly, in this order */

/* The paths of those that are there, plain or packed, each to be freed with mu_free; NULL for the others. MU_NO_MEMORY.
 */
int mu_mesh_files_find(const char *path, char *paths[MU_MESH_FILES], struct mu_error *err);

/* Reads them: see mu_mesh_load. The mesh's name is not set yet. */
int mu_mesh_files_read(const char *path, struct mu_mesh **mesh, struct mu_error *err);

#endif
