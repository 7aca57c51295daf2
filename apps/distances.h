/* What the two sssp apps share on the host: the reference (Dijkstra's algorithm) and the judgement of a result. */
#ifndef MU_APPS_DISTANCES_H
#define MU_APPS_DISTANCES_H

#include "apps/app.h"

#include <stdbool.h>
#include <stdint.h>

/* The distance of a vertex that cannot be reached; every other distance is below it. */
#define MU_UNREACHED UINT32_MAX

/* The same in 64 bits, where no distance overflows: fewer than 2^32 arcs of less than 2^32 each. */
#define MU_UNREACHED_64 UINT64_MAX

/* distance[v] from `source`, by Dijkstra's algorithm on the graph's weights: an array of the caller's (mu_free), or
 * NULL with MU_NO_MEMORY. */
uint64_t *mu_shortest_distances(const struct mu_graph *graph, uint32_t source, struct mu_error *err);

/* Judges distances from the option `source` on the instance's graph; keeps the reference in the instance. `overflow` is
 * the run's own word for having met a distance that 32 bits do not hold. MU_OK; MU_WRONG; MU_LIMIT when a vertex can be
 * reached, but not within 32 bits, and the run has said so. */
int mu_check_distances(struct mu_instance *instance, const uint32_t *distance, bool overflow, struct mu_error *err);

/* For prepare: the graph's arcs as one word each, column + weight * 2^32, so that one access fetches both. NULL with
 * MU_NO_MEMORY. */
uint64_t *mu_pack_arcs(const struct mu_graph *graph, struct mu_error *err);

#endif
