#include "base/sink.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUFFER_BYTES = 1 << 16, DECIMAL_MAX = 20 };

struct mu_sink {
    char *path;      /* where the content is to go, symbolic links resolved */
    char *temporary; /* NULL when it goes there directly */
    int descriptor;
    int failure; /* errno of the first failure */
    size_t used;
    unsigned char buffer[BUFFER_BYTES];
};

/* Returns the path itself, or what it points to, which the caller frees. */
static char *resolve(const char *path, struct mu_error *err)
{
    char *real = realpath(path, NULL);
    char *resolved = mu_strdup(real != NULL ? real : path, err);
    free(real);
    return resolved;
}

static bool is_special(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && !S_ISREG(about.st_mode);
}

/* Returns the permissions of a file that is replaced, or those that new files have. */
static mode_t mode_of(const char *path)
{
    struct stat about;
    if (stat(path, &about) == 0) return about.st_mode & 0777;
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

static int open_descriptor(struct mu_sink *sink, struct mu_error *err)
{
    if (is_special(sink->path)) {
        sink->descriptor = open(sink->path, O_WRONLY | O_CLOEXEC);
    } else {
        sink->temporary = mu_format(err, "%s.XXXXXX", sink->path);
        if (sink->temporary == NULL) return MU_NO_MEMORY;
        sink->descriptor = mkostemp(sink->temporary, O_CLOEXEC);
        if (sink->descriptor >= 0) fchmod(sink->descriptor, mode_of(sink->path));
    }
    if (sink->descriptor >= 0) return MU_OK;
    return mu_fail(err, MU_IO, "cannot write '%s': %s", sink->path, strerror(errno));
}

static void release(struct mu_sink *sink)
{
    mu_free(sink->path);
    mu_free(sink->temporary);
    mu_free(sink);
}

int mu_sink_open(const char *path, struct mu_sink **sink, struct mu_error *err)
{
    if (path[0] == '\0') return mu_fail(err, MU_IO, "cannot write '': a file needs a name");
    struct mu_sink *opened = mu_calloc(1, sizeof *opened, "a file's buffer", err);
    if (opened == NULL) return MU_NO_MEMORY;
    opened->path = resolve(path, err);
    int status = opened->path == NULL ? MU_NO_MEMORY : open_descriptor(opened, err);
    if (status != MU_OK) {
        release(opened);
        return status;
    }
    *sink = opened;
    return MU_OK;
}

/* Tries to open the file, but not a pipe: that would wait for its reader, or end what it reads. */
int mu_sink_check(const char *path, struct mu_error *err)
{
    struct mu_sink *sink = NULL;
    struct stat about;
    if (is_special(path)) {
        errno = 0;
        if (access(path, W_OK) == 0 && stat(path, &about) == 0 && !S_ISDIR(about.st_mode)) return MU_OK;
        return mu_fail(err, MU_IO, "cannot write '%s': %s", path, strerror(errno != 0 ? errno : EISDIR));
    }
    if (mu_sink_open(path, &sink, err) != MU_OK) return err->status;
    struct mu_error ignored = {0};
    mu_sink_close(sink, MU_INTERRUPTED, &ignored);
    return MU_OK;
}

static void flush(struct mu_sink *sink)
{
    size_t written = 0;
    while (sink->failure == 0 && written < sink->used) {
        ssize_t now = write(sink->descriptor, sink->buffer + written, sink->used - written);
        if (now >= 0)
            written += (size_t)now;
        else if (errno != EINTR)
            sink->failure = errno;
    }
    sink->used = 0;
}

static void fail(struct mu_sink *sink)
{
    if (sink->failure == 0) sink->failure = errno;
}

int mu_sink_close(struct mu_sink *sink, int status, struct mu_error *err)
{
    if (sink == NULL) return status;
    if (status == MU_OK) {
        flush(sink);
        if (sink->temporary != NULL && sink->failure == 0 && fsync(sink->descriptor) != 0) fail(sink);
    }
    if (close(sink->descriptor) != 0) fail(sink);
    if (status == MU_OK && sink->failure == 0 && sink->temporary != NULL && rename(sink->temporary, sink->path) != 0)
        fail(sink);
    if (status == MU_OK && sink->failure != 0)
        status = mu_fail(err, MU_IO, "cannot write '%s': %s", sink->path, strerror(sink->failure));
    if (status != MU_OK && sink->temporary != NULL) unlink(sink->temporary);
    release(sink);
    return status;
}

void mu_sink_bytes(struct mu_sink *sink, const void *bytes, size_t count)
{
    const unsigned char *from = bytes;
    while (count > 0) {
        if (sink->used == BUFFER_BYTES) flush(sink);
        size_t now = BUFFER_BYTES - sink->used < count ? BUFFER_BYTES - sink->used : count;
        memcpy(sink->buffer + sink->used, from, now);
        sink->used += now;
        from += now;
        count -= now;
    }
}

void mu_sink_text(struct mu_sink *sink, const char *text)
{
    mu_sink_bytes(sink, text, strlen(text));
}

void mu_sink_number(struct mu_sink *sink, uint64_t number, char after)
{
    char text[DECIMAL_MAX + 1];
    size_t at = DECIMAL_MAX;
    text[at] = after;
    do {
        text[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (number != 0);
    mu_sink_bytes(sink, text + at, DECIMAL_MAX + 1 - at);
}

void mu_sink_u8(struct mu_sink *sink, unsigned char value)
{
    mu_sink_bytes(sink, &value, 1);
}

void mu_sink_u32(struct mu_sink *sink, uint32_t value)
{
    unsigned char bytes[4];
    for (unsigned i = 0; i < 4; i++) bytes[i] = (unsigned char)(value >> 8 * i);
    mu_sink_bytes(sink, bytes, sizeof bytes);
}

void mu_sink_u64(struct mu_sink *sink, uint64_t value)
{
    mu_sink_u32(sink, (uint32_t)value);
    mu_sink_u32(sink, (uint32_t)(value >> 32));
}
