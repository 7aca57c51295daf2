#include "base/files/unpack_private.h"

#include <string.h>

enum { STEP_MAX = 1 << 24 };

static const char magic[] = "BZh";

static int open_bzip2(struct mu_unpacker *from, struct mu_error *err)
{
    memset(&from->bzip2, 0, sizeof from->bzip2);
    if (BZ2_bzDecompressInit(&from->bzip2, 0, 0) == BZ_OK) return MU_OK;
    return mu_fail(err, MU_NO_MEMORY, "%s: out of memory", from->path);
}

/* Ends a stream: prepares for the next one, or notes the end of the file. */
static int end_stream(struct mu_unpacker *from, struct mu_error *err)
{
    if (mu_unpack_fill(from, sizeof magic - 1, err) != MU_OK) return err->status;
    from->ended = from->at == from->size;
    if (from->ended) return MU_OK;
    if (!mu_unpack_begins_with(from, magic, sizeof magic - 1))
        return mu_unpack_corrupt(from, "bzip2", "something follows its end", err);
    BZ2_bzDecompressEnd(&from->bzip2);
    return open_bzip2(from, err);
}

static int unpack_bzip2(struct mu_unpacker *from, void *bytes, size_t most, size_t *got, struct mu_error *err)
{
    bz_stream *decoder = &from->bzip2;
    if (most > STEP_MAX) most = STEP_MAX;
    for (*got = 0; *got == 0 && !from->ended;) {
        if (mu_unpack_fill(from, 1, err) != MU_OK) return err->status;
        decoder->next_in = (char *)from->packed + from->at;
        decoder->avail_in = (unsigned)(from->size - from->at);
        decoder->next_out = bytes;
        decoder->avail_out = (unsigned)most;
        const int result = BZ2_bzDecompress(decoder);
        from->at = from->size - decoder->avail_in;
        *got = most - decoder->avail_out;
        if (result == BZ_MEM_ERROR) return mu_fail(err, MU_NO_MEMORY, "%s: out of memory", from->path);
        if (result == BZ_OK && *got == 0 && from->at == from->size && from->file_ended)
            return mu_unpack_corrupt(from, "bzip2", "truncated", err);
        if (result == BZ_STREAM_END && end_stream(from, err) != MU_OK) return err->status;
        if (result != BZ_OK && result != BZ_STREAM_END)
            return mu_unpack_corrupt(from, "bzip2", "corrupt, or something follows its end", err);
    }
    return MU_OK;
}

static void close_bzip2(struct mu_unpacker *from)
{
    BZ2_bzDecompressEnd(&from->bzip2);
}

const struct mu_packing mu_packing_bzip2 = {magic, sizeof magic - 1, open_bzip2, unpack_bzip2, close_bzip2};
