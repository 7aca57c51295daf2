#include "inputs/hash.h"

#include <stddef.h>

enum { HASH_BLOCK = 4096 };

/* Byte by byte, which compilers turn into a copy where it is one. */
void mu_hash_u64(XXH3_state_t *state, const uint64_t *values, uint64_t count)
{
    unsigned char block[HASH_BLOCK * 8];
    for (uint64_t from = 0; from < count; from += HASH_BLOCK) {
        size_t length = count - from < HASH_BLOCK ? (size_t)(count - from) : HASH_BLOCK;
        for (size_t i = 0; i < length; i++)
            for (unsigned byte = 0; byte < 8; byte++)
                block[8 * i + byte] = (unsigned char)(values[from + i] >> 8 * byte);
        XXH3_64bits_update(state, block, length * 8);
    }
}

void mu_hash_u32(XXH3_state_t *state, const uint32_t *values, uint64_t count)
{
    unsigned char block[HASH_BLOCK * 4];
    for (uint64_t from = 0; from < count; from += HASH_BLOCK) {
        size_t length = count - from < HASH_BLOCK ? (size_t)(count - from) : HASH_BLOCK;
        for (size_t i = 0; i < length; i++)
            for (unsigned byte = 0; byte < 4; byte++)
                block[4 * i + byte] = (unsigned char)(values[from + i] >> 8 * byte);
        XXH3_64bits_update(state, block, length * 4);
    }
}
