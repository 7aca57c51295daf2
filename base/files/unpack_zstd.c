#include "base/files/unpack_private.h"

#include <zstd_errors.h>

static const char magic[] = "\x28\xb5\x2f\xfd";

static int open_zstd(struct mu_unpacker *from, struct mu_error *err)
{
    from->zstd = ZSTD_createDStream();
    if (from->zstd == NULL) return mu_fail(err, MU_NO_MEMORY, "%s: out of memory", from->path);
    ZSTD_DCtx_setParameter(from->zstd, ZSTD_d_windowLogMax, MU_DECODER_BYTES_LOG);
    return MU_OK;
}

static int zstd_failure(const struct mu_unpacker *from, size_t result, struct mu_error *err)
{
    switch (ZSTD_getErrorCode(result)) {
    case ZSTD_error_memory_allocation:
        return mu_fail(err, MU_NO_MEMORY, "%s: out of memory", from->path);
    case ZSTD_error_frameParameter_windowTooLarge:
        return mu_fail(err, MU_LIMIT, "%s: bad zstd data: its decoder would need more than 1 GiB", from->path);
    default:
        return mu_unpack_corrupt(from, "zstd", ZSTD_getErrorName(result), err);
    }
}

/* Ends a frame: prepares for the next one, or notes the end of the file. */
static int end_frame(struct mu_unpacker *from, struct mu_error *err)
{
    if (mu_unpack_fill(from, sizeof magic - 1, err) != MU_OK) return err->status;
    from->ended = from->at == from->size;
    if (from->ended || mu_unpack_begins_with(from, magic, sizeof magic - 1)) return MU_OK;
    return mu_unpack_corrupt(from, "zstd", "something follows its end", err);
}

/* Unpacks the next piece. The decoder may still hold content that did not fit into the last one, so it is called again
 * even when the file has ended. */
static int unpack_zstd(struct mu_unpacker *from, void *bytes, size_t most, size_t *got, struct mu_error *err)
{
    for (*got = 0; *got == 0 && !from->ended;) {
        if (mu_unpack_fill(from, 1, err) != MU_OK) return err->status;
        ZSTD_inBuffer in = {from->packed + from->at, from->size - from->at, 0};
        ZSTD_outBuffer out = {bytes, most, 0};
        const size_t result = ZSTD_decompressStream(from->zstd, &out, &in);
        from->at += in.pos;
        *got = out.pos;
        if (ZSTD_isError(result)) return zstd_failure(from, result, err);
        if (result == 0 && end_frame(from, err) != MU_OK) return err->status;
        if (result != 0 && *got == 0 && in.size == 0) return mu_unpack_corrupt(from, "zstd", "truncated", err);
    }
    return MU_OK;
}

static void close_zstd(struct mu_unpacker *from)
{
    ZSTD_freeDStream(from->zstd);
}

const struct mu_packing mu_packing_zstd = {magic, sizeof magic - 1, open_zstd, unpack_zstd, close_zstd};
