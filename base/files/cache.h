/* The cache on disk: files under $XDG_CACHE_HOME/muster (or ~/.cache/muster), each found by the hash of a key and
 * guarded by the key itself. Several processes may write at once: a file appears whole or not at all. A folder
 * that is a link, belongs to somebody else, or that others may write to is not used: nothing is found and nothing put.
 */
#ifndef MU_BASE_FILES_CACHE_H
#define MU_BASE_FILES_CACHE_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Looks up key (any bytes). Returns a copy of the value, to be freed with mu_free, and its length; NULL when there is
 * none, when it is damaged, or when the cache cannot be read: a cache never fails anybody. */
void *mu_cache_get(const char *kind, const void *key, size_t key_bytes, size_t *value_bytes);

/* Stores value under key. Nonzero when it could not: a caller may ignore it. */
int mu_cache_put(const char *kind, const void *key, size_t key_bytes, const void *value, size_t value_bytes);

/* The same for values that are large, whose parts lie in several places. It is written to the disk, not only handed to
 * the system, when this returns: nothing is left that would be written while somebody measures. */
struct mu_cache_part {
    const void *bytes;
    size_t count;
};
int mu_cache_put_parts(const char *kind, const void *key, size_t key_bytes, const struct mu_cache_part *parts,
                       size_t count);

/* Reads a value part by part. mu_cache_open: NULL where there is none; *value_bytes is the length of the value, which
 * the file really has. mu_cache_read: the next bytes; false where there are not so many. mu_cache_close: true when the
 * whole value was read, and its hash is right; what was read counts for nothing before that. Accepts NULL: false. */
struct mu_cache_reader;
struct mu_cache_reader *mu_cache_open(const char *kind, const void *key, size_t key_bytes, uint64_t *value_bytes);
bool mu_cache_read(struct mu_cache_reader *reader, void *to, size_t bytes);
bool mu_cache_close(struct mu_cache_reader *reader);

/* Removes files of a kind, first those that nobody has read or written for the longest time, until all that is left of
 * it takes at most so many bytes. Returns false where the disk would then have less than `wanted` bytes free twice
 * over, or where there is no folder. */
bool mu_cache_trim(const char *kind, uint64_t bytes, uint64_t wanted);

#endif
