/* Packed files of every kind: whole, in several parts, damaged, and too large for memory or disk. */
#include "base/limits.h"
#include "tests/inputs/input_files.h"
#include "tests/tap.h"

#include <bzlib.h>
#include <lzma.h>
#include <signal.h>
#include <sys/resource.h>
#include <zlib.h>
#include <zstd.h>

/* A packed file of the text, twice over if so wanted. */
static struct bytes pack_gzip(const char *text)
{
    struct bytes packed = {0};
    z_stream stream = {.next_in = (unsigned char *)(uintptr_t)text, .avail_in = (uInt)strlen(text)};
    stream.next_out = packed.data;
    stream.avail_out = sizeof packed.data;
    if (deflateInit2(&stream, 9, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK) abort();
    if (deflate(&stream, Z_FINISH) != Z_STREAM_END) abort();
    packed.size = stream.total_out;
    deflateEnd(&stream);
    return packed;
}

static struct bytes pack_xz(const char *text)
{
    struct bytes packed = {0};
    if (lzma_easy_buffer_encode(1, LZMA_CHECK_CRC32, NULL, (const unsigned char *)text, strlen(text), packed.data,
                                &packed.size, sizeof packed.data) != LZMA_OK)
        abort();
    return packed;
}

static struct bytes pack_bzip2(const char *text)
{
    struct bytes packed = {0};
    unsigned size = sizeof packed.data;
    if (BZ2_bzBuffToBuffCompress((char *)packed.data, &size, (char *)(uintptr_t)text, (unsigned)strlen(text), 9, 0,
                                 0) != BZ_OK)
        abort();
    packed.size = size;
    return packed;
}

/* With a checksum, as the program zstd makes them. */
static struct bytes pack_zstd(const char *text)
{
    struct bytes packed = {0};
    ZSTD_CCtx *context = ZSTD_createCCtx();
    if (context == NULL || ZSTD_isError(ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1))) abort();
    packed.size = ZSTD_compress2(context, packed.data, sizeof packed.data, text, strlen(text));
    if (ZSTD_isError(packed.size)) abort();
    ZSTD_freeCCtx(context);
    return packed;
}

static void append_bytes(struct bytes *bytes, const struct bytes *more)
{
    memcpy(bytes->data + bytes->size, more->data, more->size);
    bytes->size += more->size;
}

/* Held as a whole, and from a temporary file in parts. */
static void check_packed(const char *title, const struct bytes *bytes, int expected, const char *part)
{
    for (unsigned parts = 0; parts < 2; parts++) {
        struct mu_graph *graph = NULL;
        struct mu_error err = {0};
        mu_source_set_parts(parts, parts * PART_BYTES);
        int status = mu_graph_load(make_file("packed", bytes->data, bytes->size), 0, &graph, &err);
        mu_source_set_parts(0, 0);
        bool named = status == MU_OK || strstr(err.message, "/packed") != NULL;
        CHECK(status == expected && named && (status == MU_OK || strstr(err.message, part) != NULL), "%s%s: %s", title,
              parts == 1 ? ", in parts" : "", status == MU_OK ? show(graph) : err.message);
        mu_graph_free(graph);
    }
}

static void test_one_packing(const char *kind, struct bytes (*pack)(const char *text))
{
    char title[64];
    struct bytes whole = pack("p sp 3 2\na 1 2 3\na 2 3 4\n"), first = pack("p sp 3 2\na 1 2 3\n"),
                 second = pack("a 2 3 4\n");
    snprintf(title, sizeof title, "%s", kind);
    check_packed(title, &whole, MU_OK, "");
    append_bytes(&first, &second);
    snprintf(title, sizeof title, "%s in two parts", kind);
    check_packed(title, &first, MU_OK, "");
    unsigned survivors = 0;
    for (struct bytes cut = whole; cut.size-- > 6;) {
        struct mu_graph *graph = NULL;
        struct mu_error err = {0};
        int status = mu_graph_load(make_file("cut", cut.data, cut.size), 0, &graph, &err);
        survivors += status != MU_INPUT || strstr(err.message, "truncated") == NULL;
        mu_graph_free(graph);
    }
    CHECK(survivors == 0, "%s cut short anywhere is said to be truncated", kind);
    struct bytes longer = whole, corrupt = whole;
    for (unsigned i = 0; i < 4; i++) put(&longer, 0x6b6e756a, 4);
    snprintf(title, sizeof title, "%s with something behind it", kind);
    check_packed(title, &longer, MU_INPUT, "something follows its end");
    corrupt.data[corrupt.size / 2] ^= 0x55;
    snprintf(title, sizeof title, "%s with a changed byte", kind);
    check_packed(title, &corrupt, MU_INPUT, kind);
}

static void test_packings(void)
{
    test_one_packing("gzip", pack_gzip);
    test_one_packing("xz", pack_xz);
    test_one_packing("bzip2", pack_bzip2);
    test_one_packing("zstd", pack_zstd);
    static char zeros[1 << 20];
    memset(zeros, ' ', sizeof zeros - 1);
    struct bytes bombs[] = {pack_gzip(zeros), pack_xz(zeros), pack_bzip2(zeros), pack_zstd(zeros)};
    mu_memory_limit_set(1 << 19);
    check_packed("a gzip bomb", &bombs[0], MU_LIMIT, "MUSTER_MEMORY_LIMIT");
    check_packed("an xz bomb", &bombs[1], MU_LIMIT, "MUSTER_MEMORY_LIMIT");
    check_packed("a bzip2 bomb", &bombs[2], MU_LIMIT, "MUSTER_MEMORY_LIMIT");
    check_packed("a zstd bomb", &bombs[3], MU_LIMIT, "MUSTER_MEMORY_LIMIT");
    mu_memory_limit_set(0);
}

/* A large packed file is unpacked to a temporary one, for which the disk may be too full. */
static void test_spilling(void)
{
    const struct bytes packed = pack_gzip("p sp 3 2\na 1 2 3\na 2 3 4\n");
    const struct rlimit none = {.rlim_cur = 4, .rlim_max = RLIM_INFINITY};
    struct rlimit before;
    const char *path = make_file("packed", packed.data, packed.size);
    struct mu_graph *graph = NULL;
    struct mu_error err = {0};
    setenv("TMPDIR", folder, 1);
    mu_source_set_parts(1, PART_BYTES);
    signal(SIGXFSZ, SIG_IGN);
    CHECK(getrlimit(RLIMIT_FSIZE, &before) == 0 && setrlimit(RLIMIT_FSIZE, &none) == 0, "files get a limit");
    CHECK(mu_graph_load(path, 0, &graph, &err) == MU_IO && strstr(err.message, "/packed: ") != NULL &&
              strstr(err.message, "cannot be written to a temporary file after 4 bytes") != NULL,
          "a full disk: %s", err.message);
    setrlimit(RLIMIT_FSIZE, &before);
    mu_source_set_parts(0, 0);
    unsetenv("TMPDIR");
    mu_graph_free(graph);
}

int main(void)
{
    make_folder();
    test_packings();
    test_spilling();
    remove_folder();
    return tap_done();
}
