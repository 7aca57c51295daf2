/* Checked memory: sizes are checked before they are multiplied, and every failure is a message. */
#ifndef MU_BASE_MEMORY_H
#define MU_BASE_MEMORY_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Compute a * b and a + b. Return false, leaving *result alone, if the result does not fit. Counts have 64 bits here
 * and below even if size_t has 32, so that none is truncated before it is checked. */
bool mu_mul_size(uint64_t a, uint64_t b, size_t *result);
bool mu_add_size(size_t a, size_t b, size_t *result);

/* Allocate `count` elements of `element_bytes`, zeroed (mu_calloc) or not (mu_malloc). Return NULL with MU_NO_MEMORY,
 * naming `what`, or with MU_LIMIT if the judge refuses. A count of 0 gives a valid pointer. The caller frees with
 * mu_free. */
void *mu_calloc(uint64_t count, size_t element_bytes, const char *what, struct mu_error *err);
void *mu_malloc(uint64_t count, size_t element_bytes, const char *what, struct mu_error *err);

/* Allocates bytes at a multiple of `alignment`, a power of two, for types that need more than malloc's alignment. Not
 * for mu_resize. */
void *mu_malloc_aligned(size_t alignment, size_t bytes, const char *what, struct mu_error *err);

/* Resizes *block to `count` elements; on failure *block is untouched. Returns MU_OK, MU_NO_MEMORY or MU_LIMIT. */
int mu_resize(void **block, uint64_t count, size_t element_bytes, const char *what, struct mu_error *err);

/* Return a copy of a text, or a formatted text, to be freed with mu_free. NULL with MU_NO_MEMORY. */
char *mu_strdup(const char *text, struct mu_error *err);
char *mu_format(struct mu_error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Frees a block; accepts NULL. */
void mu_free(void *block);

/* Returns the bytes in all blocks that were allocated here and not yet freed. */
uint64_t mu_memory_in_use(void);

/* A function that is asked before each allocation whether `bytes` more may be used beside `in_use`; it fails with
 * MU_LIMIT. NULL, as at the start, allows everything. */
typedef int (*mu_memory_judge)(uint64_t in_use, uint64_t bytes, const char *what, struct mu_error *err);
void mu_memory_set_judge(mu_memory_judge function);

/* For tests: lets the n-th allocation from now fail (1 = the next one), and later ones succeed. 0 switches this off. */
void mu_fail_allocation(unsigned long n);

#endif
