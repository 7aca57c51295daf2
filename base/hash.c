#include "base/hash.h"

#include <inttypes.h>
#include <stdio.h>

enum { HASH_BLOCK = 4096 };

void mu_hash_start(struct mu_hash *hash)
{
    XXH3_64bits_reset(&hash->state);
}

void mu_hash_add(struct mu_hash *hash, const void *bytes, size_t count)
{
    XXH3_64bits_update(&hash->state, bytes, count);
}

uint64_t mu_hash_end(const struct mu_hash *hash)
{
    return XXH3_64bits_digest(&hash->state);
}

/* Writes byte by byte, which compilers turn into a copy on little-endian machines. */
void mu_hash_u64(struct mu_hash *hash, const uint64_t *values, uint64_t count)
{
    unsigned char block[HASH_BLOCK * 8];
    for (uint64_t from = 0; from < count; from += HASH_BLOCK) {
        size_t length = count - from < HASH_BLOCK ? (size_t)(count - from) : HASH_BLOCK;
        for (size_t i = 0; i < length; i++)
            for (unsigned byte = 0; byte < 8; byte++)
                block[8 * i + byte] = (unsigned char)(values[from + i] >> 8 * byte);
        mu_hash_add(hash, block, length * 8);
    }
}

void mu_hash_u32(struct mu_hash *hash, const uint32_t *values, uint64_t count)
{
    unsigned char block[HASH_BLOCK * 4];
    for (uint64_t from = 0; from < count; from += HASH_BLOCK) {
        size_t length = count - from < HASH_BLOCK ? (size_t)(count - from) : HASH_BLOCK;
        for (size_t i = 0; i < length; i++)
            for (unsigned byte = 0; byte < 4; byte++)
                block[4 * i + byte] = (unsigned char)(values[from + i] >> 8 * byte);
        mu_hash_add(hash, block, length * 4);
    }
}

uint64_t mu_hash_bytes(const void *bytes, size_t count)
{
    return XXH3_64bits(bytes, count);
}

void mu_hash_text(uint64_t hash, char text[MU_HASH_TEXT])
{
    snprintf(text, MU_HASH_TEXT, "%016" PRIx64, hash);
}

void mu_hash_long_text(const void *bytes, size_t count, char text[MU_HASH_LONG_TEXT])
{
    const XXH128_hash_t hash = XXH3_128bits(bytes, count);
    snprintf(text, MU_HASH_LONG_TEXT, "%016" PRIx64 "%016" PRIx64, (uint64_t)hash.high64, (uint64_t)hash.low64);
}
