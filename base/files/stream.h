/* A file's content, whole: plain, or unpacked from gzip, xz, bzip2 or zstd, told apart by their first bytes. */
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

/* The bytes of the whole content. */
static inline uint64_t mu_source_total(const struct mu_source *source)
{
    return source->rest != 0 ? source->file_bytes - source->skipped : source->size;
}

/* Reads and unpacks. The content must be the whole file: what is truncated, corrupt or followed by anything else is an
 * error (several packed parts in a row are fine). MU_IO, MU_INPUT, MU_NO_MEMORY; MU_LIMIT if the content
 * exceeds base/limits.h. Messages name the file. Release with mu_source_release. */
int mu_source_read(const char *path, struct mu_source *source, struct mu_error *err);

/* The same, but of large content only the beginning, if that is binary or has several lines. What was packed is
 * unpacked to a file without a name (spill.h). */
int mu_source_open(const char *path, struct mu_source *source, struct mu_error *err);

/* Reads so many bytes of the content from there on. False where the file has become shorter, or cannot be read. */
bool mu_source_read_at(const struct mu_source *source, void *bytes, uint64_t count, uint64_t at);

/* How many bytes are read at once of a source of which only the beginning is there. */
size_t mu_source_part_bytes(void);

/* For tests: content of more than `large` bytes is not held as a whole, and is read in parts of so many bytes; 0 goes
 * back to the usual. */
void mu_source_set_parts(size_t large, size_t part);

/* Finds out whether a file of which only the beginning was read has been written to since. */
bool mu_source_changed(const struct mu_source *source);

/* Fails with MU_IO: the file changed while it was read. */
int mu_source_fail_changed(const struct mu_source *source, struct mu_error *err);

/* Frees the bytes, and closes the file; accepts a source of zeros. */
void mu_source_release(struct mu_source *source);

#endif
