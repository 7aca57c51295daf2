/* What the two sssp apps share on the host: the reference (Dijkstra's algorithm) and the check of a result. */
#ifndef MU_APPS_DISTANCES_H
#define MU_APPS_DISTANCES_H

#include "apps/app.h"

#include <stdbool.h>
#include <stdint.h>

/* The distance of a vertex that cannot be reached; every other distance is below it. */
#define MU_UNREACHED UINT32_MAX

/* The same for distances of 64 bits, which no path overflows: it has fewer than 2^32 arcs of less than 2^32 each. */
#define MU_UNREACHED_64 UINT64_MAX

/* Computes the distance of every vertex from `source` by Dijkstra's algorithm on the graph's weights. The array is the
 * caller's (mu_free); NULL with MU_NO_MEMORY. */
uint64_t *mu_shortest_distances(const struct mu_graph *graph, uint32_t source, struct mu_error *err);

/* Checks distances from the option `source` on the instance's graph, and keeps the reference in the instance.
 * `overflow` tells whether the run has met a distance that 32 bits do not hold. MU_OK; MU_WRONG; MU_LIMIT where the run
 * has said so, and a vertex can indeed be reached only at such a distance. */
int mu_check_distances(struct mu_instance *instance, const uint32_t *distance, bool overflow, struct mu_error *err);

/* For prepare: makes one word of each arc, column + weight * 2^32, so that one memory access fetches both. NULL with
 * MU_NO_MEMORY. */
uint64_t *mu_pack_arcs(const struct mu_graph *graph, struct mu_error *err);

#endif
