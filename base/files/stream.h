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
    int rest; /* 0, or a descriptor: `bytes` is only the beginning of a plain file of file_bytes, cut behind a newline
               */
    uint64_t file_bytes;
    struct timespec modified; /* the file, when it was opened */
};

/* The bytes of the whole content. */
static inline uint64_t mu_source_total(const struct mu_source *source)
{
    return source->rest != 0 ? source->file_bytes : source->size;
}

/* Reads and unpacks. The content must be the whole file: what is truncated, corrupt or followed by anything else is an
 * error (several packed parts in a row are fine). MU_IO, MU_INPUT, MU_NO_MEMORY; MU_LIMIT if the content
 * exceeds base/limits.h. Messages name the file. Release with mu_source_release. */
int mu_source_read(const char *path, struct mu_source *source, struct mu_error *err);

/* The same, but of a large plain file only the beginning, if it has several lines; mu_source_complete reads the rest.
 */
int mu_source_open(const char *path, struct mu_source *source, struct mu_error *err);
int mu_source_complete(struct mu_source *source, struct mu_error *err);

/* Finds out whether a file of which only the beginning was read has been written to since. */
bool mu_source_changed(const struct mu_source *source);

/* Frees the bytes, and closes the file; accepts a source of zeros. */
void mu_source_release(struct mu_source *source);

#endif
