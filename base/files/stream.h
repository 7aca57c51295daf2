/* A file's content, whole: plain, or unpacked from gzip, xz, bzip2 or zstd, told apart by their first bytes. */
#ifndef MU_BASE_FILES_STREAM_H
#define MU_BASE_FILES_STREAM_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

struct mu_source {
    const char *path;     /* the caller's, for messages */
    unsigned char *bytes; /* a zero byte follows the last one, so that scanners need not look for the end */
    size_t size;
};

/* Reads and unpacks. The content must be the whole file: what is truncated, corrupt or followed by anything else is an
 * error (several packed parts in a row are fine). MU_IO, MU_INPUT, MU_NO_MEMORY; MU_LIMIT if the content
 * exceeds base/limits.h. Messages name the file. Release with mu_source_release. */
int mu_source_read(const char *path, struct mu_source *source, struct mu_error *err);

/* Frees the bytes; accepts a source of zeros. */
void mu_source_release(struct mu_source *source);

#endif
