#include "base/files/stream.h"

#include "base/files/unpack.h"
#include "base/limits.h"
#include "base/memory.h"

#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIRST_CAPACITY = 1 << 16, STEP_MAX = 1 << 24, LARGE_BYTES = 1 << 22, BEGINNING_BYTES = 1 << 20 };

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

static int read_content(struct mu_unpacker *unpacker, struct content *content, struct mu_error *err)
{
    size_t got = 0;
    do {
        const size_t most = room(content, err);
        if (most == 0) return room_failure(err);
        const int status = mu_unpack_read(unpacker, content->bytes + content->size, most, &got, err);
        if (status != MU_OK) return status;
        content->size += got;
    } while (got > 0);
    return MU_OK;
}

/* Room for all of a plain file, and for the zero byte, and one more so that the end is seen without growing. */
static int reserve(struct content *content, size_t bytes, struct mu_error *err)
{
    const int status = bytes > 0 ? mu_memory_check(bytes, 1, content->path, err) : MU_OK;
    return status == MU_OK && bytes > 0 ? set_capacity(content, bytes + 2, err) : status;
}

int mu_source_read(const char *path, struct mu_source *source, struct mu_error *err)
{
    struct content content = {.path = path};
    struct mu_error own = {0};
    struct mu_unpacker *unpacker = mu_unpack_open(path, &own);
    if (unpacker != NULL && reserve(&content, mu_unpack_size(unpacker), &own) == MU_OK)
        read_content(unpacker, &content, &own);
    mu_unpack_close(unpacker);
    if (own.status != MU_OK || content.bytes == NULL) {
        mu_free(content.bytes);
        mu_fail(err, own.status, "%s", own.message);
        return own.status;
    }
    content.bytes[content.size] = 0;
    *source = (struct mu_source){.path = path, .bytes = content.bytes, .size = content.size};
    return MU_OK;
}

/* Reads the beginning of a plain file that is larger; leaves *source alone where that is not wanted. */
static void open_beginning(const char *path, struct mu_source *source)
{
    struct stat about;
    /* Above 0, which stands for none. */
    const int opened = open(path, O_RDONLY | O_CLOEXEC), rest = opened >= 0 ? fcntl(opened, F_DUPFD_CLOEXEC, 3) : -1;
    if (opened >= 0) close(opened);
    unsigned char *bytes = NULL;
    const bool large = rest >= 0 && fstat(rest, &about) == 0 && S_ISREG(about.st_mode) && about.st_size >= LARGE_BYTES;
    if (large) bytes = mu_malloc(BEGINNING_BYTES + 1, 1, path, NULL);
    ssize_t size = bytes != NULL ? pread(rest, bytes, BEGINNING_BYTES, 0) : 0;
    while (size > 0 && bytes[size - 1] != '\n') size--;
    if (size <= BEGINNING_BYTES / 2 || memchr(bytes, 0, (size_t)size) != NULL || mu_unpack_is_packed(bytes)) {
        mu_free(bytes);
        if (rest >= 0) close(rest);
        return;
    }
    bytes[size] = 0;
    *source = (struct mu_source){path, bytes, (size_t)size, rest, (uint64_t)about.st_size, about.st_mtim};
}

int mu_source_open(const char *path, struct mu_source *source, struct mu_error *err)
{
    *source = (struct mu_source){0};
    open_beginning(path, source);
    return source->rest != 0 ? MU_OK : mu_source_read(path, source, err);
}

int mu_source_complete(struct mu_source *source, struct mu_error *err)
{
    if (source->rest == 0) return MU_OK;
    const char *path = source->path;
    mu_source_release(source);
    return mu_source_read(path, source, err);
}

bool mu_source_changed(const struct mu_source *source)
{
    struct stat about;
    if (source->rest == 0) return false;
    return fstat(source->rest, &about) != 0 || (uint64_t)about.st_size != source->file_bytes ||
           about.st_mtim.tv_sec != source->modified.tv_sec || about.st_mtim.tv_nsec != source->modified.tv_nsec;
}

void mu_source_release(struct mu_source *source)
{
    if (source->rest != 0) close(source->rest);
    mu_free(source->bytes);
    *source = (struct mu_source){0};
}
