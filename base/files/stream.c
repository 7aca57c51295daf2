#include "base/files/stream.h"

#include "base/files/spill.h"
#include "base/files/unpack.h"
#include "base/limits.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    FIRST_CAPACITY = 1 << 16,
    STEP_MAX = 1 << 24,
    LARGE_BYTES = 1 << 22,
    BEGINNING_BYTES = 1 << 20,
    MAGIC_BYTES = 8
};

static size_t large_bytes = LARGE_BYTES, part_bytes = BEGINNING_BYTES;

/* A growing block of bytes, always with room for the zero byte at its end. */
struct content {
    const char *path;
    unsigned char *bytes;
    size_t size, capacity;
    bool may_spill; /* what is large goes to a file */
    struct mu_spill spill;
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

static int fail_limit(const struct content *content, struct mu_error *err)
{
    return mu_fail(err, MU_LIMIT,
                   "%s: its content exceeds the limit of %" PRIu64
                   " MiB for one input (MUSTER_MEMORY_LIMIT, in MiB, sets another)",
                   content->path, mu_memory_limit() >> 20);
}

static int grow(struct content *content, struct mu_error *err)
{
    /* The limit is shared with all other memory in use, so the content may take what is left. */
    const uint64_t most = mu_memory_limit(), others = mu_memory_in_use() - content->capacity;
    const uint64_t limit = others < most ? most - others : 0;
    size_t capacity = content->capacity < FIRST_CAPACITY ? FIRST_CAPACITY : 2 * content->capacity;
    if (content->size + 1 >= limit) return fail_limit(content, err);
    if (capacity > limit) capacity = (size_t)limit;
    return set_capacity(content, capacity, err);
}

/* Returns how many more bytes fit before the zero byte, growing the block if needed; at least one. 0: failure. */
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

/* Moves what is in memory to the file. If there is no place for a file, everything stays in memory. */
static int spill(struct content *content, struct mu_error *err)
{
    if (content->spill.descriptor == 0 && !mu_spill_open(&content->spill)) {
        content->may_spill = false;
        return MU_OK;
    }
    if (content->spill.bytes + content->size > mu_memory_limit()) return fail_limit(content, err);
    const int status = mu_spill_write(&content->spill, content->bytes, content->size, content->path, err);
    content->size = 0;
    return status;
}

static int read_content(struct mu_unpacker *unpacker, struct content *content, struct mu_error *err)
{
    size_t got = 0;
    do {
        if (content->may_spill && content->size >= large_bytes && spill(content, err) != MU_OK) return err->status;
        const size_t most = room(content, err);
        if (most == 0) return room_failure(err);
        const int status = mu_unpack_read(unpacker, content->bytes + content->size, most, &got, err);
        if (status != MU_OK) return status;
        content->size += got;
    } while (got > 0);
    return content->spill.descriptor != 0 ? spill(content, err) : MU_OK;
}

/* Allocates room for a plain file as a whole, the zero byte, and one more byte, so that its end is seen without growing
 * the block. */
static int reserve(struct content *content, size_t bytes, struct mu_error *err)
{
    const int status = bytes > 0 ? mu_memory_check(bytes, 1, content->path, err) : MU_OK;
    return status == MU_OK && bytes > 0 ? set_capacity(content, bytes + 2, err) : status;
}

/* ---- Content of which only the beginning is held ---- */

/* Cuts a text behind its last newline. Returns false if its second half has no newline. */
static bool cut_text(unsigned char *bytes, size_t *size, bool whole)
{
    size_t cut = *size;
    while (cut > 0 && bytes[cut - 1] != '\n') cut--;
    const bool binary = memchr(bytes, 0, *size) != NULL;
    if (!binary && cut <= (whole ? 0 : *size / 2)) return false;
    if (!binary && !whole) *size = cut;
    bytes[*size] = 0; /* there is room for it */
    return true;
}

/* Reads the beginning of the file at a descriptor, which then belongs to *source. Changes neither if the content must
 * be in memory as a whole. Fails with MU_NO_MEMORY or MU_LIMIT. */
static int take_beginning(const char *path, int rest, struct mu_source *source, struct mu_error *err)
{
    struct stat about;
    if (fstat(rest, &about) != 0 || !S_ISREG(about.st_mode) || (uintmax_t)about.st_size < large_bytes) return MU_OK;
    const size_t most = about.st_size < BEGINNING_BYTES ? (size_t)about.st_size : BEGINNING_BYTES;
    unsigned char *bytes = mu_calloc(most + MAGIC_BYTES, 1, path, err); /* zeros, where the file is as short as that */
    if (bytes == NULL) return room_failure(err);
    const ssize_t got = pread(rest, bytes, most, 0);
    size_t size = got > 0 ? (size_t)got : 0;
    if (size == 0 || mu_unpack_is_packed(bytes) || !cut_text(bytes, &size, size == (uintmax_t)about.st_size)) {
        mu_free(bytes);
        return MU_OK;
    }
    *source = (struct mu_source){.path = path,
                                 .bytes = bytes,
                                 .size = size,
                                 .rest = rest,
                                 .file_bytes = (uint64_t)about.st_size,
                                 .modified = about.st_mtim};
    return MU_OK;
}

/* Reads back everything that was unpacked to a file. */
static int read_spilled(const char *path, const struct mu_spill *spilled, struct mu_source *source,
                        struct mu_error *err)
{
    const struct mu_source file = {.path = path, .rest = spilled->descriptor, .file_bytes = spilled->bytes};
    int status = mu_memory_check(spilled->bytes, 1, path, err);
    unsigned char *bytes = status == MU_OK ? mu_malloc(spilled->bytes + 1, 1, path, err) : NULL;
    if (status == MU_OK && bytes == NULL) status = MU_NO_MEMORY;
    if (status == MU_OK && !mu_source_read_at(&file, bytes, spilled->bytes, 0))
        status = mu_source_fail_changed(&file, err);
    if (status != MU_OK) {
        mu_free(bytes);
        return status;
    }
    bytes[spilled->bytes] = 0;
    *source = (struct mu_source){.path = path, .bytes = bytes, .size = (size_t)spilled->bytes};
    return MU_OK;
}

/* ---- A file ---- */

static int finish(struct content *content, struct mu_source *source, struct mu_error *err)
{
    if (content->spill.descriptor == 0) {
        content->bytes[content->size] = 0;
        *source = (struct mu_source){.path = content->path, .bytes = content->bytes, .size = content->size};
        return MU_OK;
    }
    mu_free(content->bytes);
    content->bytes = NULL;
    *source = (struct mu_source){0};
    int status = take_beginning(content->path, content->spill.descriptor, source, err);
    if (status == MU_OK && source->rest != 0) return MU_OK;
    if (status == MU_OK) status = read_spilled(content->path, &content->spill, source, err);
    close(content->spill.descriptor);
    content->spill.descriptor = 0;
    return status;
}

/* Refuses what may have no end, or is not read like a file. A pipe is read. Opening says why a path cannot be. */
static int check_kind(const char *path, struct mu_error *err)
{
    struct stat about;
    if (stat(path, &about) != 0) return MU_OK;
    if (S_ISSOCK(about.st_mode)) return mu_fail(err, MU_IO, "%s: a socket, and neither a file nor a pipe", path);
    if (!S_ISCHR(about.st_mode) && !S_ISBLK(about.st_mode)) return MU_OK;
    return mu_fail(err, MU_IO, "%s: a device, and neither a file nor a pipe", path);
}

static int read_file(const char *path, bool may_spill, struct mu_source *source, struct mu_error *err)
{
    struct content content = {.path = path, .may_spill = may_spill};
    struct mu_error own = {0};
    struct mu_unpacker *unpacker = check_kind(path, &own) == MU_OK ? mu_unpack_open(path, &own) : NULL;
    const size_t plain_bytes = unpacker != NULL ? mu_unpack_size(unpacker) : 0;
    if (plain_bytes > 0) content.may_spill = false;
    if (unpacker != NULL && reserve(&content, plain_bytes, &own) == MU_OK) read_content(unpacker, &content, &own);
    mu_unpack_close(unpacker);
    if (own.status == MU_OK && content.bytes != NULL && finish(&content, source, &own) == MU_OK) return MU_OK;
    mu_free(content.bytes);
    if (content.spill.descriptor != 0) close(content.spill.descriptor);
    mu_fail(err, own.status, "%s", own.message);
    return own.status;
}

int mu_source_read(const char *path, struct mu_source *source, struct mu_error *err)
{
    return read_file(path, false, source, err);
}

int mu_source_open(const char *path, struct mu_source *source, struct mu_error *err)
{
    struct stat about;
    *source = (struct mu_source){0};
    /* A pipe may be opened only once. The descriptor must be above 0, which stands for none. */
    const bool is_file = stat(path, &about) == 0 && S_ISREG(about.st_mode);
    const int opened = is_file ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
    const int rest = opened >= 0 ? fcntl(opened, F_DUPFD_CLOEXEC, 3) : -1;
    if (opened >= 0) close(opened);
    const int status = rest >= 0 ? take_beginning(path, rest, source, err) : MU_OK;
    if (rest >= 0 && source->rest == 0) close(rest);
    return status == MU_OK && source->rest == 0 ? read_file(path, true, source, err) : status;
}

bool mu_source_read_at(const struct mu_source *source, void *bytes, uint64_t count, uint64_t at)
{
    unsigned char *to = bytes;
    at += source->skipped;
    while (count > 0) {
        const ssize_t got = pread(source->rest, to, count < STEP_MAX ? (size_t)count : STEP_MAX, (off_t)at);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        to += got;
        count -= (uint64_t)got;
        at += (uint64_t)got;
    }
    return true;
}

size_t mu_source_part_bytes(void)
{
    return part_bytes;
}

void mu_source_set_parts(size_t large, size_t part)
{
    large_bytes = large != 0 ? large : LARGE_BYTES;
    part_bytes = part != 0 ? part : BEGINNING_BYTES;
}

bool mu_source_changed(const struct mu_source *source)
{
    struct stat about;
    if (source->rest == 0) return false;
    return fstat(source->rest, &about) != 0 || (uint64_t)about.st_size != source->file_bytes ||
           about.st_mtim.tv_sec != source->modified.tv_sec || about.st_mtim.tv_nsec != source->modified.tv_nsec;
}

int mu_source_fail_changed(const struct mu_source *source, struct mu_error *err)
{
    return mu_fail(err, MU_IO, "%s: the file changed while it was read", source->path);
}

void mu_source_release(struct mu_source *source)
{
    if (source->rest != 0) close(source->rest);
    mu_free(source->bytes);
    *source = (struct mu_source){0};
}
