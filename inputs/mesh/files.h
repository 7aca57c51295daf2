/* Finds and opens the files of the program Triangle that a name stands for. */
#ifndef MU_INPUTS_MESH_FILES_H
#define MU_INPUTS_MESH_FILES_H

#include "inputs/mesh/mesh.h"

/* Returns true if the path stands for a mesh's files: see mu_mesh_is_named. */
bool mu_mesh_files_are_named(const char *path);

#define MU_MESH_FILES 3 /* .node, .ele, .poly, in this order */

/* Finds which of the three files are there, plain or packed. Each path is the caller's (mu_free), NULL for a file that
 * is not there. MU_NO_MEMORY. */
int mu_mesh_files_find(const char *path, char *paths[MU_MESH_FILES], struct mu_error *err);

/* Checks that enough of these files are there for a mesh: MU_IO, which names the one that is missing; MU_NO_MEMORY. */
int mu_mesh_files_check(const char *path, struct mu_error *err);

/* Reads these files as mu_mesh_load says. The mesh's name is not set yet. */
int mu_mesh_files_read(const char *path, struct mu_mesh **mesh, struct mu_error *err);

#endif
