/* A file's content, piece by piece: plain, or unpacked from gzip, xz, bzip2 or zstd, told apart by their first bytes.
 */
#ifndef MU_BASE_FILES_UNPACK_H
#define MU_BASE_FILES_UNPACK_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

struct mu_unpacker;

/* Opens a file. NULL with MU_IO, MU_NO_MEMORY, or MU_LIMIT where the decoder would need too much memory. Close it with
 * mu_unpack_close. `path` is the caller's, and is named in messages. */
struct mu_unpacker *mu_unpack_open(const char *path, struct mu_error *err);

/* The next piece of the content, of at most `most` bytes, at least 1; *got is its length, and 0 at the end. The content
 * must be the whole file: what is truncated, corrupt or followed by anything else is MU_INPUT, though pieces may have
 * come before that is known. Several packed parts in a row are fine. MU_IO, MU_NO_MEMORY, MU_LIMIT. */
int mu_unpack_read(struct mu_unpacker *unpacker, void *bytes, size_t most, size_t *got, struct mu_error *err);

/* The size of a regular file that is not packed; 0 where that is not known. */
size_t mu_unpack_size(const struct mu_unpacker *unpacker);

/* Finds out whether a file that begins with these bytes, eight or more, is packed. */
bool mu_unpack_is_packed(const unsigned char *bytes);

/* Accepts NULL. */
void mu_unpack_close(struct mu_unpacker *unpacker);

#endif
