/* The hash of what a JSON value says, from the hashes of its parts: shared by the scan of a line and by the walk
 * through a value that was parsed, which must agree. */
#ifndef MU_RECORDS_CONTENT_H
#define MU_RECORDS_CONTENT_H

#include "base/hash.h"

#include <stddef.h>
#include <stdint.h>

enum mu_content_kind {
    MU_CONTENT_TEXT = 1,
    MU_CONTENT_INTEGER,
    MU_CONTENT_REAL,
    MU_CONTENT_TRUE,
    MU_CONTENT_FALSE,
    MU_CONTENT_NULL,
    MU_CONTENT_ARRAY,
    MU_CONTENT_OBJECT,
};

static inline uint64_t mu_content_text(const char *text, size_t length)
{
    return XXH3_64bits(text, length);
}

/* Returns the hash of two numbers in this order. */
static inline uint64_t mu_content_pair(uint64_t a, uint64_t b)
{
    const uint64_t both[2] = {a, b};
    return XXH3_64bits(both, sizeof both);
}

/* Elements of an array follow each other; the hash of an object is the sum of its members', in any order. */
static inline uint64_t mu_content_element(uint64_t before, uint64_t element)
{
    return mu_content_pair(before, element);
}

static inline uint64_t mu_content_member(uint64_t name, uint64_t value)
{
    return mu_content_pair(name, value);
}

static inline uint64_t mu_content_number(enum mu_content_kind kind, uint64_t bits)
{
    return mu_content_pair((uint64_t)kind, bits);
}

#endif
