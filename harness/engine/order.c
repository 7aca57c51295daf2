#include "harness/engine/order.h"

#include "base/hash.h"
#include "inputs/rng.h"

#include <stdio.h>
#include <string.h>

/* Stream of random numbers for orders (inputs/rng.h), distinct from those of the generators. */
#define ORDER UINT64_C(0x6f72646572)

/* Shuffles by the algorithm of Fisher and Yates. */
void mu_order_round(uint64_t seed, const char *what, uint32_t round, uint32_t count, uint32_t *order)
{
    const uint64_t stream = mu_random_stream(seed ^ mu_hash_bytes(what, strlen(what)), ORDER + round);
    for (uint32_t i = 0; i < count; i++) order[i] = i;
    for (uint32_t i = count; i > 1; i--) {
        const uint32_t other = mu_random_below(stream, i, i), last = order[i - 1];
        order[i - 1] = order[other];
        order[other] = last;
    }
}

void mu_order_describe(uint64_t seed, char text[MU_ORDER_TEXT])
{
    snprintf(text, MU_ORDER_TEXT, "splitmix64, seed %llu", (unsigned long long)seed);
}
