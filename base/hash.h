/* Hashing: XXH3, of bytes and of arrays of numbers, the same on every machine. */
#ifndef MU_BASE_HASH_H
#define MU_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { MU_HASH_TEXT = 17, MU_HASH_LONG_TEXT = 33 }; /* bytes of a hash as text, with the zero byte */

/* A hash of 64 bits that is being computed: start, add, end. */
struct mu_hash {
    XXH3_state_t state;
};

void mu_hash_start(struct mu_hash *hash);
void mu_hash_add(struct mu_hash *hash, const void *bytes, size_t count);
uint64_t mu_hash_end(const struct mu_hash *hash);

/* Adds numbers in little-endian form, so that the hash is the same on every machine. */
void mu_hash_u64(struct mu_hash *hash, const uint64_t *values, uint64_t count);
void mu_hash_u32(struct mu_hash *hash, const uint32_t *values, uint64_t count);

/* Returns the hash of contiguous bytes. */
uint64_t mu_hash_bytes(const void *bytes, size_t count);

/* Write a hash of 64 bits as 16 hexadecimal digits, and the hash of 128 bits of some bytes as 32. The latter is for
 * keys, which must not collide. */
void mu_hash_text(uint64_t hash, char text[MU_HASH_TEXT]);
void mu_hash_long_text(const void *bytes, size_t count, char text[MU_HASH_LONG_TEXT]);

#endif
