/* The cache on disk: files under $XDG_CACHE_HOME/muster (or ~/.cache/muster). Each is found by the hash of a key, and
 * holds the key itself, which is compared.
 *
 * Several processes may write at once: a file appears whole or not at all. A folder that is a symbolic link, belongs to
 * another user or is writable by others is not used: then nothing is found and nothing is stored. */
#ifndef MU_BASE_FILES_CACHE_H
#define MU_BASE_FILES_CACHE_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Looks up a key (any bytes). Returns a copy of the value, to be freed with mu_free, and its length. NULL if there is
 * none, if it is damaged, or if the cache cannot be read; this is never an error. */
void *mu_cache_get(const char *kind, const void *key, size_t key_bytes, size_t *value_bytes);

/* Stores a value under a key. Returns nonzero if that failed, which a caller may ignore. */
int mu_cache_put(const char *kind, const void *key, size_t key_bytes, const void *value, size_t value_bytes);

/* The same for a large value whose parts lie in several places. It is on the disk when this returns, so that the system
 * does not write it during a later measurement. */
struct mu_cache_part {
    const void *bytes;
    size_t count;
};
int mu_cache_put_parts(const char *kind, const void *key, size_t key_bytes, const struct mu_cache_part *parts,
                       size_t count);

/* Read a value piece by piece. mu_cache_open: NULL if there is none; *value_bytes gets the length, which the file is
 * known to have. mu_cache_read: reads the next bytes; false if fewer are left. mu_cache_close: returns true if the
 * whole value was read and its hash is right; nothing that was read may be used before that. Accepts NULL: false. */
struct mu_cache_reader;
struct mu_cache_reader *mu_cache_open(const char *kind, const void *key, size_t key_bytes, uint64_t *value_bytes);
bool mu_cache_read(struct mu_cache_reader *reader, void *to, size_t bytes);
bool mu_cache_close(struct mu_cache_reader *reader);

/* Removes files of a kind, the least recently used first, until the rest takes at most `bytes` bytes. Returns false if
 * the disk would then have less than twice `wanted` bytes free, or if there is no folder. */
bool mu_cache_trim(const char *kind, uint64_t bytes, uint64_t wanted);

#endif
