/* Limit on the memory that an input and everything made of it may take. A short file can promise a huge graph, and a
 * small archive can unpack to any size. So each allocation is compared with the limit before it is made, together with
 * the memory in use; an error names the limit. */
#ifndef MU_BASE_LIMITS_H
#define MU_BASE_LIMITS_H

#include "base/error.h"

#include <stdint.h>

/* Returns the limit in bytes: what a test has set, else the environment's MUSTER_MEMORY_LIMIT (in MiB), else half of
 * the machine's memory. */
uint64_t mu_memory_limit(void);

/* For tests: sets the limit in bytes; 0 restores the rule above. */
void mu_memory_limit_set(uint64_t bytes);

/* Makes every later allocation through base/memory.h obey the limit. Fails with MU_USAGE if MUSTER_MEMORY_LIMIT cannot
 * be read. */
int mu_memory_enforce(struct mu_error *err);

/* Returns MU_OK if `count` elements of `element_bytes` fit under the limit together with the memory in use, else
 * MU_LIMIT with a message that names `what`. For a sum that is known before its parts are allocated, and for memory
 * that libraries allocate. */
int mu_memory_check(uint64_t count, uint64_t element_bytes, const char *what, struct mu_error *err);

#endif
