/* What all decoders share: reading packed bytes from the file. */
#ifndef MU_BASE_FILES_UNPACK_PRIVATE_H
#define MU_BASE_FILES_UNPACK_PRIVATE_H

#include "base/files/unpack.h"

#include <bzlib.h>
#include <lzma.h>
#include <stdint.h>
#include <zlib.h>
#include <zstd.h>

/* Memory that a decoder may use, as a power of two. Some formats state their need; no real file needs more than
 * this. */
#define MU_DECODER_BYTES_LOG 30
#define MU_DECODER_BYTES     (UINT64_C(1) << MU_DECODER_BYTES_LOG)

struct mu_packing {
    const char *magic;
    size_t magic_bytes;
    int (*open)(struct mu_unpacker *unpacker, struct mu_error *err);
    int (*unpack)(struct mu_unpacker *unpacker, void *bytes, size_t most, size_t *got, struct mu_error *err);
    void (*close)(struct mu_unpacker *unpacker);
};

struct mu_unpacker {
    const char *path;
    int descriptor;
    const struct mu_packing *packing; /* NULL: plain */
    size_t file_bytes;                /* of a regular file */
    unsigned char *packed;            /* bytes of the file that nobody has taken yet: from `at` to `size` */
    size_t at, size;
    bool file_ended, ended; /* all of the file was read; all of the content was given */
    z_stream gzip;
    lzma_stream xz;
    bz_stream bzip2;
    ZSTD_DStream *zstd;
};

/* Reads until at least `least` bytes are waiting to be decoded, or the file has ended. */
int mu_unpack_fill(struct mu_unpacker *from, size_t least, struct mu_error *err);

/* Returns true if the bytes that wait to be decoded begin with these. */
bool mu_unpack_begins_with(const struct mu_unpacker *from, const char *magic, size_t bytes);

/* Fails with MU_INPUT: "path: bad <kind> data: <why>". */
int mu_unpack_corrupt(const struct mu_unpacker *from, const char *kind, const char *why, struct mu_error *err);

extern const struct mu_packing mu_packing_bzip2, mu_packing_zstd;

#endif
