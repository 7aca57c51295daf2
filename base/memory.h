/* Checked memory: sizes are checked before they are multiplied, and every failure is a message. */
#ifndef MU_BASE_MEMORY_H
#define MU_BASE_MEMORY_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* a * b and a + b into *result; false, leaving *result alone, when they do not fit. Counts have 64 bits here and below,
 * also where a size has 32, so that none is cut before it is checked. */
bool mu_mul_size(uint64_t a, uint64_t b, size_t *result);
bool mu_add_size(size_t a, size_t b, size_t *result);

/* count elements of element_bytes, zeroed (mu_calloc) or not (mu_malloc); NULL with MU_NO_MEMORY in err, whose message
 * names `what`, or with MU_LIMIT, when the judge refuses. count 0 gives a valid pointer. The caller frees with mu_free.
 */
void *mu_calloc(uint64_t count, size_t element_bytes, const char *what, struct mu_error *err);
void *mu_malloc(uint64_t count, size_t element_bytes, const char *what, struct mu_error *err);

/* So many bytes at an address that is a multiple of `alignment`, a power of two: for types that ask for more than
 * malloc's. Not for mu_resize. */
void *mu_malloc_aligned(size_t alignment, size_t bytes, const char *what, struct mu_error *err);

/* Resizes *block to count elements; on failure *block is untouched. Returns MU_OK, MU_NO_MEMORY or MU_LIMIT. */
int mu_resize(void **block, uint64_t count, size_t element_bytes, const char *what, struct mu_error *err);

/* A copy of text; of a formatted text. NULL with MU_NO_MEMORY. */
char *mu_strdup(const char *text, struct mu_error *err);
char *mu_format(struct mu_error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Accepts NULL. */
void mu_free(void *block);

/* The bytes in all blocks that were handed out here and not freed yet. */
uint64_t mu_memory_in_use(void);

/* A function that is asked before each allocation whether `bytes` more may be taken beside those in use; it fails with
 * MU_LIMIT. NULL, as at the start, allows everything. */
typedef int (*mu_memory_judge)(uint64_t in_use, uint64_t bytes, const char *what, struct mu_error *err);
void mu_memory_set_judge(mu_memory_judge function);

/* For tests: the n-th allocation from now fails (1 = the next one), and all later ones succeed; 0 switches it off. */
void mu_fail_allocation(unsigned long n);

#endif
