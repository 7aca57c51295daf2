/* The memory that one input may take, with everything that is made of it. A short file can promise a huge graph, and a
 * small archive can unpack to anything: what is asked for is compared with the limit, together with what is in use,
 * before it is allocated, and the error names it. */
#ifndef MU_BASE_LIMITS_H
#define MU_BASE_LIMITS_H

#include "base/error.h"

#include <stdint.h>

/* The limit in bytes: the environment's MUSTER_MEMORY_LIMIT (in MiB) if it is set, or else half of the machine's
 * memory; or what a test asked for. */
uint64_t mu_memory_limit(void);

/* For tests: the limit from now on; 0 goes back to the rule above. */
void mu_memory_limit_set(uint64_t bytes);

/* From now on, every allocation through base/memory.h keeps the limit. MU_USAGE when MUSTER_MEMORY_LIMIT is no limit.
 */
int mu_memory_enforce(struct mu_error *err);

/* MU_OK if count elements of element_bytes fit under the limit beside what is in use, or else MU_LIMIT with a message
 * that names `what`: for a sum that is known before its parts are allocated, and for memory that others allocate. */
int mu_memory_check(uint64_t count, uint64_t element_bytes, const char *what, struct mu_error *err);

#endif
