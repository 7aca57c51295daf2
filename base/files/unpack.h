/* Reads a file's content piece by piece. The file may be packed by gzip, xz, bzip2 or zstd; its first bytes tell
 * which. */
#ifndef MU_BASE_FILES_UNPACK_H
#define MU_BASE_FILES_UNPACK_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

struct mu_unpacker;

/* Opens a file. `path` is borrowed, for messages. Returns NULL with MU_IO, MU_NO_MEMORY, or with MU_LIMIT if the
 * decoder needs too much memory. Close it with mu_unpack_close. */
struct mu_unpacker *mu_unpack_open(const char *path, struct mu_error *err);

/* Reads the next piece of the content, of at most `most` bytes, at least 1. *got gets its length, 0 at the end. Fails
 * with MU_IO, MU_NO_MEMORY, MU_LIMIT, or with MU_INPUT for truncated, corrupt or trailing data, even after earlier
 * pieces were returned. Several packed parts in a row are allowed. */
int mu_unpack_read(struct mu_unpacker *unpacker, void *bytes, size_t most, size_t *got, struct mu_error *err);

/* Returns the size in bytes of a regular file that is not packed; 0 if unknown. */
size_t mu_unpack_size(const struct mu_unpacker *unpacker);

/* Returns true if a file that begins with these bytes, at least eight, is packed. */
bool mu_unpack_is_packed(const unsigned char *bytes);

/* Closes the file. Accepts NULL. */
void mu_unpack_close(struct mu_unpacker *unpacker);

#endif
