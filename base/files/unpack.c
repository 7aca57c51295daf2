#include "base/files/unpack_private.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PACKED_BYTES = 1 << 16, STEP_MAX = 1 << 24 };

/* ---- The file ---- */

static int read_file(struct mu_unpacker *from, void *bytes, size_t most, size_t *got, struct mu_error *err)
{
    for (;;) {
        const ssize_t count = read(from->descriptor, bytes, most < STEP_MAX ? most : STEP_MAX);
        *got = count > 0 ? (size_t)count : 0;
        from->file_ended = count == 0;
        if (count >= 0) return MU_OK;
        if (errno != EINTR) return mu_fail(err, MU_IO, "cannot read '%s': %s", from->path, strerror(errno));
    }
}

int mu_unpack_fill(struct mu_unpacker *from, size_t least, struct mu_error *err)
{
    size_t got = 0;
    if (from->size - from->at >= least || from->file_ended) return MU_OK;
    memmove(from->packed, from->packed + from->at, from->size - from->at);
    from->size -= from->at;
    from->at = 0;
    while (from->size < least && !from->file_ended) {
        if (read_file(from, from->packed + from->size, PACKED_BYTES - from->size, &got, err) != MU_OK) return MU_IO;
        from->size += got;
    }
    return MU_OK;
}

bool mu_unpack_begins_with(const struct mu_unpacker *from, const char *magic, size_t bytes)
{
    return from->size - from->at >= bytes && memcmp(from->packed + from->at, magic, bytes) == 0;
}

int mu_unpack_corrupt(const struct mu_unpacker *from, const char *kind, const char *why, struct mu_error *err)
{
    return mu_fail(err, MU_INPUT, "%s: bad %s data: %s", from->path, kind, why);
}

/* ---- gzip ---- */

static const char gzip_magic[] = "\x1f\x8b";

static int open_gzip(struct mu_unpacker *from, struct mu_error *err)
{
    if (inflateInit2(&from->gzip, 16 + MAX_WBITS) == Z_OK) return MU_OK;
    return mu_fail(err, MU_NO_MEMORY, "%s: out of memory", from->path);
}

/* Ends a packed part: prepares for the next one, or notes the end of the file. */
static int end_member(struct mu_unpacker *from, struct mu_error *err)
{
    if (mu_unpack_fill(from, sizeof gzip_magic - 1, err) != MU_OK) return err->status;
    from->ended = from->at == from->size;
    if (from->ended) return MU_OK;
    if (mu_unpack_begins_with(from, gzip_magic, sizeof gzip_magic - 1) && inflateReset(&from->gzip) == Z_OK)
        return MU_OK;
    return mu_unpack_corrupt(from, "gzip", "something follows its end", err);
}

static int unpack_gzip(struct mu_unpacker *from, void *bytes, size_t most, size_t *got, struct mu_error *err)
{
    z_stream *decoder = &from->gzip;
    if (most > STEP_MAX) most = STEP_MAX;
    for (*got = 0; *got == 0 && !from->ended;) {
        if (mu_unpack_fill(from, 1, err) != MU_OK) return err->status;
        decoder->next_in = from->packed + from->at;
        decoder->avail_in = (uInt)(from->size - from->at);
        decoder->next_out = bytes;
        decoder->avail_out = (uInt)most;
        const int result = inflate(decoder, Z_NO_FLUSH);
        from->at = from->size - decoder->avail_in;
        *got = most - decoder->avail_out;
        if (result == Z_MEM_ERROR) return mu_fail(err, MU_NO_MEMORY, "%s: out of memory", from->path);
        if (result == Z_BUF_ERROR) return mu_unpack_corrupt(from, "gzip", "truncated", err);
        if (result == Z_STREAM_END && end_member(from, err) != MU_OK) return err->status;
        if (result != Z_OK && result != Z_STREAM_END)
            return mu_unpack_corrupt(from, "gzip", decoder->msg != NULL ? decoder->msg : "corrupt", err);
    }
    return MU_OK;
}

static void close_gzip(struct mu_unpacker *from)
{
    inflateEnd(&from->gzip);
}

/* ---- xz ---- */

static const struct {
    lzma_ret result;
    int status;
    const char *why;
} xz_failures[] = {
    {LZMA_MEM_ERROR, MU_NO_MEMORY, "out of memory"},
    {LZMA_MEMLIMIT_ERROR, MU_LIMIT, "its decoder would need more than 1 GiB"},
    {LZMA_FORMAT_ERROR, MU_INPUT, "something follows its end"},
    {LZMA_OPTIONS_ERROR, MU_INPUT, "unknown options"},
    {LZMA_DATA_ERROR, MU_INPUT, "corrupt, or something follows its end"},
    {LZMA_BUF_ERROR, MU_INPUT, "truncated, or something follows its end"},
};

static int xz_failure(const struct mu_unpacker *from, lzma_ret result, struct mu_error *err)
{
    for (size_t i = 0; i < sizeof xz_failures / sizeof xz_failures[0]; i++)
        if (xz_failures[i].result == result)
            return mu_fail(err, xz_failures[i].status, "%s: bad xz data: %s", from->path, xz_failures[i].why);
    return mu_unpack_corrupt(from, "xz", "the decoder failed", err);
}

static int open_xz(struct mu_unpacker *from, struct mu_error *err)
{
    from->xz = (lzma_stream)LZMA_STREAM_INIT;
    const lzma_ret result = lzma_stream_decoder(&from->xz, MU_DECODER_BYTES, LZMA_CONCATENATED);
    return result == LZMA_OK ? MU_OK : xz_failure(from, result, err);
}

static int unpack_xz(struct mu_unpacker *from, void *bytes, size_t most, size_t *got, struct mu_error *err)
{
    lzma_stream *decoder = &from->xz;
    for (*got = 0; *got == 0 && !from->ended;) {
        if (mu_unpack_fill(from, 1, err) != MU_OK) return err->status;
        decoder->next_in = from->packed + from->at;
        decoder->avail_in = from->size - from->at;
        decoder->next_out = bytes;
        decoder->avail_out = most;
        const lzma_ret result = lzma_code(decoder, from->file_ended ? LZMA_FINISH : LZMA_RUN);
        from->at = from->size - decoder->avail_in;
        *got = most - decoder->avail_out;
        from->ended = result == LZMA_STREAM_END;
        if (result != LZMA_OK && result != LZMA_STREAM_END) return xz_failure(from, result, err);
    }
    return MU_OK;
}

static void close_xz(struct mu_unpacker *from)
{
    lzma_end(&from->xz);
}

static const struct mu_packing packing_gzip = {gzip_magic, sizeof gzip_magic - 1, open_gzip, unpack_gzip, close_gzip};
static const struct mu_packing packing_xz = {"\xfd"
                                             "7zXZ\0",
                                             6, open_xz, unpack_xz, close_xz};
static const struct mu_packing *const packings[] = {&packing_gzip, &packing_xz, &mu_packing_bzip2, &mu_packing_zstd};

/* ---- Any of them ---- */

bool mu_unpack_is_packed(const unsigned char *bytes)
{
    for (size_t i = 0; i < sizeof packings / sizeof packings[0]; i++)
        if (memcmp(bytes, packings[i]->magic, packings[i]->magic_bytes) == 0) return true;
    return false;
}

/* Chooses the decoder by the file's first bytes. */
static int choose_packing(struct mu_unpacker *from, struct mu_error *err)
{
    if (mu_unpack_fill(from, 8, err) != MU_OK) return err->status;
    for (size_t i = 0; i < sizeof packings / sizeof packings[0]; i++) {
        if (!mu_unpack_begins_with(from, packings[i]->magic, packings[i]->magic_bytes)) continue;
        if (packings[i]->open(from, err) != MU_OK) return err->status;
        from->packing = packings[i];
        return MU_OK;
    }
    return MU_OK;
}

struct mu_unpacker *mu_unpack_open(const char *path, struct mu_error *err)
{
    struct mu_error own = {0};
    struct stat about;
    struct mu_unpacker *unpacker = mu_calloc(1, sizeof *unpacker, path, &own);
    if (unpacker != NULL) {
        unpacker->path = path;
        unpacker->descriptor = open(path, O_RDONLY | O_CLOEXEC);
        if (unpacker->descriptor < 0) mu_fail(&own, MU_IO, "cannot open '%s': %s", path, strerror(errno));
        if (own.status == MU_OK) unpacker->packed = mu_malloc(PACKED_BYTES, 1, path, &own);
        if (own.status == MU_OK) choose_packing(unpacker, &own);
        if (own.status == MU_OK && fstat(unpacker->descriptor, &about) == 0 && S_ISREG(about.st_mode))
            unpacker->file_bytes = (size_t)about.st_size;
    }
    if (own.status == MU_OK) return unpacker;
    mu_unpack_close(unpacker);
    mu_fail(err, own.status, "%s", own.message);
    return NULL;
}

/* Returns content of a file that is not packed, beginning with the bytes that were read to find that out. */
static int copy_plain(struct mu_unpacker *from, void *bytes, size_t most, size_t *got, struct mu_error *err)
{
    const size_t there = from->size - from->at;
    *got = most < there ? most : there;
    memcpy(bytes, from->packed + from->at, *got);
    from->at += *got;
    if (*got > 0 || from->file_ended) return MU_OK;
    return read_file(from, bytes, most, got, err);
}

int mu_unpack_read(struct mu_unpacker *unpacker, void *bytes, size_t most, size_t *got, struct mu_error *err)
{
    struct mu_error own = {0};
    unpacker->packing != NULL ? unpacker->packing->unpack(unpacker, bytes, most, got, &own)
                              : copy_plain(unpacker, bytes, most, got, &own);
    if (own.status != MU_OK) mu_fail(err, own.status, "%s", own.message);
    return own.status;
}

size_t mu_unpack_size(const struct mu_unpacker *unpacker)
{
    return unpacker->packing == NULL ? unpacker->file_bytes : 0;
}

void mu_unpack_close(struct mu_unpacker *unpacker)
{
    if (unpacker == NULL) return;
    if (unpacker->packing != NULL) unpacker->packing->close(unpacker);
    if (unpacker->descriptor >= 0) close(unpacker->descriptor);
    mu_free(unpacker->packed);
    mu_free(unpacker);
}
