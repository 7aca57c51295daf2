/* Hashing arrays of numbers, the same on every machine: XXH3 over their little-endian form. */
#ifndef MU_INPUTS_HASH_H
#define MU_INPUTS_HASH_H

#define XXH_INLINE_ALL

#include <stdint.h>
#include <xxhash.h>

/* The state is made ready by XXH3_64bits_reset, and XXH3_64bits_digest gives the hash. */
void mu_hash_u64(XXH3_state_t *state, const uint64_t *values, uint64_t count);
void mu_hash_u32(XXH3_state_t *state, const uint32_t *values, uint64_t count);

#endif
