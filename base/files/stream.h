/* Reads the whole content of a file, which may be packed by gzip, xz, bzip2 or zstd; its first bytes tell which. */
#ifndef MU_BASE_FILES_STREAM_H
#define MU_BASE_FILES_STREAM_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

struct mu_source {
    const char *path;     /* the caller's, for messages */
    unsigned char *bytes; /* a zero byte follows the last one, so that scanners need not look for the end */
    size_t size;
    int rest; /* 0, or a descriptor: `bytes` is only the beginning of a file of file_bytes, of a text cut behind a
               * newline */
    uint64_t file_bytes;
    uint64_t skipped;         /* bytes at the beginning of that file that do not belong to the content */
    struct timespec modified; /* the file, when it was opened */
};

/* Returns the size of the whole content in bytes. */
static inline uint64_t mu_source_total(const struct mu_source *source)
{
    return source->rest != 0 ? source->file_bytes - source->skipped : source->size;
}

/* Reads and unpacks a file. Truncated, corrupt or trailing data is an error; several packed parts in a row are allowed.
 * Fails with MU_IO, also for a device or a socket, MU_INPUT or MU_NO_MEMORY, and with MU_LIMIT if the content exceeds
 * base/limits.h. Messages name the file. Release with mu_source_release. */
int mu_source_read(const char *path, struct mu_source *source, struct mu_error *err);

/* Reads only the beginning of large content, if that is binary or has several lines; else as mu_source_read. Packed
 * content is unpacked to a file without a name (spill.h). */
int mu_source_open(const char *path, struct mu_source *source, struct mu_error *err);

/* Reads `count` bytes of the content from an offset. Returns false if the file has become shorter or cannot be read. */
bool mu_source_read_at(const struct mu_source *source, void *bytes, uint64_t count, uint64_t at);

/* Returns how many bytes are read at once from a source whose beginning alone is in memory. */
size_t mu_source_part_bytes(void);

/* For tests: content of more than `large` bytes is not kept in memory as a whole, and is read in pieces of `part`
 * bytes. 0 restores the default. */
void mu_source_set_parts(size_t large, size_t part);

/* Returns true if a file whose beginning alone was read has been written to since. */
bool mu_source_changed(const struct mu_source *source);

/* Fails with MU_IO, saying that the file changed while it was read. */
int mu_source_fail_changed(const struct mu_source *source, struct mu_error *err);

/* Frees the bytes, and closes the file; accepts a source of zeros. */
void mu_source_release(struct mu_source *source);

#endif
