/* The files of the program Triangle: which ones a name stands for, and reading them. */
#ifndef MU_INPUTS_MESH_FILES_H
#define MU_INPUTS_MESH_FILES_H

#include "inputs/mesh.h"

/* True if the path stands for a mesh's files: see mu_mesh_is_named. */
bool mu_mesh_files_are_named(const char *path);

/* Reads them: see mu_mesh_load. The mesh's name is not set yet. */
int mu_mesh_files_read(const char *path, struct mu_mesh **mesh, struct mu_error *err);

#endif
