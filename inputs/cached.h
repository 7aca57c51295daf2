/* Inputs that a generator takes long to make go into the cache on disk (base/files/cache.h), so that of many processes
 * only the first makes them. Files of the user are read where they are. */
#ifndef MU_INPUTS_CACHED_H
#define MU_INPUTS_CACHED_H

#include "inputs/formats/reading.h"
#include "inputs/graph/graph.h"
#include "inputs/mesh/mesh.h"

/* Names of files in the cache begin with it. Kinds that begin with it and a "-" share the room. */
#define MU_INPUT_CACHE_KIND "input"

struct mu_input_cache {
    bool use;            /* look into the cache, and store there what is not in it */
    uint64_t least_ns;   /* what takes less to make is not stored */
    uint64_t most_bytes; /* that all inputs in the cache may take; those that were not used for longest are removed */
    bool found;          /* whether the input came from the cache: set by the functions below */
};

/* Fills in the usual bounds: a tenth of a second, and the environment's MUSTER_INPUT_CACHE in MiB, or 8 GiB. MU_USAGE
 * where that is no number. */
int mu_input_cache_usual(bool use, struct mu_input_cache *cache, struct mu_error *err);

/* Load as mu_graph_load_as and mu_mesh_load do. A cached input is found by the specification, the seed, and the
 * versions of the generators and of the files. It must have the hash that it was written with, and ids that exist; else
 * it is made anew. Where it cannot be stored it is made by the next process, too. */
int mu_graph_load_cached(const char *specification, struct mu_reading *reading, struct mu_input_cache *cache,
                         struct mu_graph **graph, struct mu_error *err);
int mu_mesh_load_cached(const char *specification, uint64_t seed, struct mu_input_cache *cache, struct mu_mesh **mesh,
                        struct mu_error *err);

#endif
