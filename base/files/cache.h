/* The cache on disk: small files under $XDG_CACHE_HOME/muster (or ~/.cache/muster), each found by the hash of a key and
 * guarded by the key itself. Several processes may write at once: a file appears whole or not at all. A folder
 * that is a link, belongs to somebody else, or that others may write to is not used: nothing is found and nothing put.
 */
#ifndef MU_BASE_FILES_CACHE_H
#define MU_BASE_FILES_CACHE_H

#include "base/error.h"

#include <stddef.h>

/* Looks up key (any bytes). Returns a copy of the value, to be freed with mu_free, and its length; NULL when there is
 * none, when it is damaged, or when the cache cannot be read: a cache never fails anybody. */
void *mu_cache_get(const char *kind, const void *key, size_t key_bytes, size_t *value_bytes);

/* Stores value under key. Nonzero when it could not: a caller may ignore it. */
int mu_cache_put(const char *kind, const void *key, size_t key_bytes, const void *value, size_t value_bytes);

#endif
