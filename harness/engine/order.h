/* The random order in which tests that are compared run. Each round has another one, and the same seed gives the same
 * orders on every machine. */
#ifndef MU_HARNESS_ENGINE_ORDER_H
#define MU_HARNESS_ENGINE_ORDER_H

#include <stdint.h>

/* Fills `order` with 0 … count - 1 in the random order of one round. `what` names the group that is put in order, so
 * that the groups of one plan do not share an order. */
void mu_order_round(uint64_t seed, const char *what, uint32_t round, uint32_t count, uint32_t *order);

/* "splitmix64, seed 1": the generator, for records. */
#define MU_ORDER_TEXT 64
void mu_order_describe(uint64_t seed, char text[MU_ORDER_TEXT]);

#endif
