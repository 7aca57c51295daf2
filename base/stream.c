#include "base/stream.h"

#include "base/limits.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <lzma.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

/* An xz file says how much memory its decoder needs; no real one asks for more than this. */
#define XZ_DECODER_BYTES (UINT64_C(1) << 30)

enum { FIRST_CAPACITY = 1 << 16, STEP_MAX = 1 << 24 };

/* A growing block of bytes, always with room for the zero byte at its end. */
struct content {
    const char *path;
    unsigned char *bytes;
    size_t size, capacity;
};

static int set_capacity(struct content *content, size_t capacity, struct mu_error *err)
{
    void *bytes = content->bytes;
    const int status = mu_resize(&bytes, capacity, 1, content->path, err);
    if (status != MU_OK) return status;
    content->bytes = bytes;
    content->capacity = capacity;
    return MU_OK;
}

static int grow(struct content *content, struct mu_error *err)
{
    /* Bounded by what others have left over, so that the content may fill the limit. */
    const uint64_t most = mu_memory_limit(), others = mu_memory_in_use() - content->capacity;
    const uint64_t limit = others < most ? most - others : 0;
    size_t capacity = content->capacity < FIRST_CAPACITY ? FIRST_CAPACITY : 2 * content->capacity;
    if (content->size + 1 >= limit)
        return mu_fail(err, MU_LIMIT,
                       "%s: its content exceeds the limit of %" PRIu64
                       " MiB for one input (MUSTER_MEMORY_LIMIT, in MiB, sets another)",
                       content->path, most >> 20);
    if (capacity > limit) capacity = (size_t)limit;
    return set_capacity(content, capacity, err);
}

/* How many more bytes fit before the zero byte, at least one; 0 on failure. */
static size_t room(struct content *content, struct mu_error *err)
{
    if (content->size + 1 >= content->capacity && grow(content, err) != MU_OK) return 0;
    size_t free_bytes = content->capacity - content->size - 1;
    return free_bytes < STEP_MAX ? free_bytes : STEP_MAX;
}

static int room_failure(const struct mu_error *err)
{
    return err != NULL && err->status != MU_OK ? err->status : MU_NO_MEMORY;
}

static int read_descriptor(int descriptor, struct content *content, struct mu_error *err)
{
    for (;;) {
        size_t most = room(content, err);
        if (most == 0) return room_failure(err);
        ssize_t got = read(descriptor, content->bytes + content->size, most);
        if (got == 0) return MU_OK;
        if (got > 0)
            content->size += (size_t)got;
        else if (errno != EINTR)
            return mu_fail(err, MU_IO, "cannot read '%s': %s", content->path, strerror(errno));
    }
}

static int read_file(struct content *content, struct mu_error *err)
{
    int descriptor = open(content->path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return mu_fail(err, MU_IO, "cannot open '%s': %s", content->path, strerror(errno));
    struct stat about;
    int status = MU_OK;
    if (fstat(descriptor, &about) == 0 && about.st_size > 0) {
        /* Room for all and for the zero byte, and one more so that the end is seen without growing. */
        uint64_t wanted = (uint64_t)about.st_size + 2;
        status = mu_memory_check(wanted - 2, 1, content->path, err);
        if (status == MU_OK) status = set_capacity(content, wanted, err);
    }
    if (status == MU_OK) status = read_descriptor(descriptor, content, err);
    close(descriptor);
    return status;
}

static int corrupt(const struct content *packed, const char *kind, const char *why, struct mu_error *err)
{
    return mu_fail(err, MU_INPUT, "%s: bad %s data: %s", packed->path, kind, why);
}

static const unsigned char gzip_magic[] = {0x1f, 0x8b};
static const unsigned char xz_magic[] = {0xfd, '7', 'z', 'X', 'Z', 0x00};

static bool begins_with(const unsigned char *bytes, size_t size, const unsigned char *magic, size_t magic_bytes)
{
    return size >= magic_bytes && memcmp(bytes, magic, magic_bytes) == 0;
}

/* After one gzip member: true if another begins. */
static bool next_member(z_stream *decoder, const struct content *packed, size_t at)
{
    bool more = begins_with(packed->bytes + at, packed->size - at, gzip_magic, sizeof gzip_magic);
    return more && inflateReset(decoder) == Z_OK;
}

static int run_gzip(z_stream *decoder, const struct content *packed, struct content *plain, struct mu_error *err)
{
    size_t at = 0;
    for (;;) {
        size_t given = packed->size - at < STEP_MAX ? packed->size - at : STEP_MAX;
        size_t most = room(plain, err);
        if (most == 0) return room_failure(err);
        decoder->next_in = packed->bytes + at;
        decoder->avail_in = (uInt)given;
        decoder->next_out = plain->bytes + plain->size;
        decoder->avail_out = (uInt)most;
        int result = inflate(decoder, Z_NO_FLUSH);
        at += given - decoder->avail_in;
        plain->size += most - decoder->avail_out;
        if (result == Z_STREAM_END && at == packed->size) return MU_OK;
        if (result == Z_STREAM_END && !next_member(decoder, packed, at))
            return corrupt(packed, "gzip", "something follows its end", err);
        if (result == Z_MEM_ERROR) return mu_fail(err, MU_NO_MEMORY, "%s: out of memory", packed->path);
        if (result == Z_BUF_ERROR) return corrupt(packed, "gzip", "truncated", err);
        if (result != Z_OK && result != Z_STREAM_END)
            return corrupt(packed, "gzip", decoder->msg != NULL ? decoder->msg : "corrupt", err);
    }
}

static int unpack_gzip(const struct content *packed, struct content *plain, struct mu_error *err)
{
    z_stream decoder = {0};
    if (inflateInit2(&decoder, 16 + MAX_WBITS) != Z_OK)
        return mu_fail(err, MU_NO_MEMORY, "%s: out of memory", packed->path);
    int status = run_gzip(&decoder, packed, plain, err);
    inflateEnd(&decoder);
    return status;
}

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
    {LZMA_BUF_ERROR, MU_INPUT, "truncated"},
};

static int xz_failure(const struct content *packed, lzma_ret result, struct mu_error *err)
{
    for (size_t i = 0; i < sizeof xz_failures / sizeof xz_failures[0]; i++)
        if (xz_failures[i].result == result)
            return mu_fail(err, xz_failures[i].status, "%s: bad xz data: %s", packed->path, xz_failures[i].why);
    return corrupt(packed, "xz", "the decoder failed", err);
}

static int unpack_xz(const struct content *packed, struct content *plain, struct mu_error *err)
{
    lzma_stream decoder = LZMA_STREAM_INIT;
    lzma_ret result = lzma_stream_decoder(&decoder, XZ_DECODER_BYTES, LZMA_CONCATENATED);
    int status = MU_OK;
    decoder.next_in = packed->bytes;
    decoder.avail_in = packed->size;
    while (result == LZMA_OK) {
        size_t most = room(plain, err);
        if (most == 0) {
            status = room_failure(err);
            break;
        }
        decoder.next_out = plain->bytes + plain->size;
        decoder.avail_out = most;
        result = lzma_code(&decoder, LZMA_FINISH);
        plain->size += most - decoder.avail_out;
    }
    lzma_end(&decoder);
    return status != MU_OK || result == LZMA_STREAM_END ? status : xz_failure(packed, result, err);
}

static const struct {
    const unsigned char *magic;
    size_t magic_bytes;
    int (*unpack)(const struct content *packed, struct content *plain, struct mu_error *err);
} packings[] = {
    {gzip_magic, sizeof gzip_magic, unpack_gzip},
    {xz_magic, sizeof xz_magic, unpack_xz},
};

static int unpack(struct content *content, struct mu_error *err)
{
    for (size_t i = 0; i < sizeof packings / sizeof packings[0]; i++) {
        if (!begins_with(content->bytes, content->size, packings[i].magic, packings[i].magic_bytes)) continue;
        struct content plain = {.path = content->path};
        int status = packings[i].unpack(content, &plain, err);
        mu_free(content->bytes);
        *content = plain;
        return status;
    }
    return MU_OK;
}

int mu_source_read(const char *path, struct mu_source *source, struct mu_error *err)
{
    struct content content = {.path = path};
    int status = read_file(&content, err);
    if (status == MU_OK) status = unpack(&content, err);
    if (status != MU_OK) {
        mu_free(content.bytes);
        return status;
    }
    content.bytes[content.size] = 0;
    *source = (struct mu_source){path, content.bytes, content.size};
    return MU_OK;
}

void mu_source_release(struct mu_source *source)
{
    mu_free(source->bytes);
    *source = (struct mu_source){0};
}
