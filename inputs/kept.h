/* Inputs that a generator takes long to make are kept in the cache on disk (base/files/cache.h), so that of many
 * processes only the first makes them. Files of the user are read where they are. */
#ifndef MU_INPUTS_KEPT_H
#define MU_INPUTS_KEPT_H

#include "inputs/formats/reading.h"
#include "inputs/graph/graph.h"
#include "inputs/mesh/mesh.h"

/* What names of files in the cache begin with. Kinds that begin with it and a "-" share the room. */
#define MU_KEPT_KIND "input"

struct mu_keeping {
    bool use;            /* look into the cache, and keep there what is not in it */
    uint64_t least_ns;   /* what takes less to make is not kept */
    uint64_t most_bytes; /* that all inputs in the cache may take; those that were not used for longest are removed */
    bool found;          /* whether the input came from the cache: set by the functions below */
};

/* What takes a tenth of a second, and the environment's MUSTER_INPUT_CACHE in MiB, or 8 GiB. MU_USAGE where that is no
 * number. */
int mu_keeping_usual(bool use, struct mu_keeping *keeping, struct mu_error *err);

/* As mu_graph_load_as and mu_mesh_load. What is kept is found by the specification, the seed, and the versions of the
 * generators and of the files; it must have the hash that it was written with, and ids that exist, else it is made
 * anew. Where it cannot be kept it is made by the next process, too. */
int mu_graph_load_kept(const char *specification, struct mu_reading *reading, struct mu_keeping *keeping,
                       struct mu_graph **graph, struct mu_error *err);
int mu_mesh_load_kept(const char *specification, uint64_t seed, struct mu_keeping *keeping, struct mu_mesh **mesh,
                      struct mu_error *err);

#endif
