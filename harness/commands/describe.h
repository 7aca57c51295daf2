/* Describes an input: the parts of `muster graph` that are for one kind of input. */
#ifndef MU_HARNESS_COMMANDS_DESCRIBE_H
#define MU_HARNESS_COMMANDS_DESCRIBE_H

#include "inputs/mesh/mesh.h"

/* Prints the line of an input's name, made plain. */
void mu_describe_name(const char *name);

/* Prints a mesh's figures on standard output, as text or as one JSON object. Fails with MU_NO_MEMORY or MU_IO. */
int mu_describe_mesh(const struct mu_mesh *mesh, uint64_t seed, double load_seconds, bool json, struct mu_error *err);

#endif
