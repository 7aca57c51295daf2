/* A hash of the files that an input is read from: a file whose content changed is another input, whatever its name. */
#ifndef MU_INPUTS_FILE_HASH_H
#define MU_INPUTS_FILE_HASH_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

struct mu_file_hash {
    bool known; /* false: a generator's input, or files that cannot be read, as whoever loads them will say */
    uint64_t value;
};

/* Hashes the bytes as they are on the disk, packed or not, by XXH3. Of a mesh's files each one that is there counts,
 * with its length. The specification is that of mu_graph_load or mu_mesh_load. MU_NO_MEMORY. */
int mu_file_hash(const char *specification, struct mu_file_hash *hash, struct mu_error *err);

#endif
