/* The random order of tests that are compared. Each round has an order of its own, and the same seed gives the same
 * orders on every machine. */
#ifndef MU_HARNESS_ENGINE_ORDER_H
#define MU_HARNESS_ENGINE_ORDER_H

#include <stdint.h>

/* Fills in `order` with a random permutation of 0 … count - 1 for one round. `what` names the group of tests, so that
 * the groups of one plan get different orders. */
void mu_order_round(uint64_t seed, const char *what, uint32_t round, uint32_t count, uint32_t *order);

/* Writes the name of the generator and its seed, for records: "splitmix64, seed 1". */
#define MU_ORDER_TEXT 64
void mu_order_describe(uint64_t seed, char text[MU_ORDER_TEXT]);

#endif
