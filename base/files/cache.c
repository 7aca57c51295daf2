#include "base/files/cache.h"

#include "base/hash.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file is this header, the key, the value. */
struct header {
    char magic[8];
    uint64_t key_bytes, value_bytes, value_hash;
};

static const char magic[8] = "muster1";

/* A cached value larger than this is taken for damage. */
#define MU_MAX_CACHED (UINT64_C(1) << 30)

/* The folder, made where it is missing; NULL when there is no place for it. */
static char *cache_folder(void)
{
    const char *base = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");
    char *folder = NULL;
    if (base != NULL && base[0] == '/')
        folder = mu_format(NULL, "%s/muster", base);
    else if (home != NULL && home[0] == '/')
        folder = mu_format(NULL, "%s/.cache/muster", home);
    if (folder == NULL) return NULL;
    for (char *slash = strchr(folder + 1, '/');; slash = strchr(slash + 1, '/')) {
        if (slash != NULL) *slash = '\0';
        const bool made = mkdir(folder, 0700) == 0 || errno == EEXIST;
        if (slash != NULL) *slash = '/';
        if (!made) {
            mu_free(folder);
            return NULL;
        }
        if (slash == NULL) return folder;
    }
}

/* The folder, open; -1 when there is none that this user alone can write to. Whoever else could would plant links that
 * lead to other files, and binaries that the device then runs. */
static int open_folder(void)
{
    struct stat status;
    char *folder = cache_folder();
    const int fd = folder != NULL ? open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
    mu_free(folder);
    if (fd >= 0 && fstat(fd, &status) == 0 && status.st_uid == geteuid() && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0)
        return fd;
    if (fd >= 0) close(fd);
    return -1;
}

static char *cache_name(const char *kind, const void *key, size_t key_bytes)
{
    char hash[MU_HASH_LONG_TEXT];
    mu_hash_long_text(key, key_bytes, hash);
    return mu_format(NULL, "%s-%s", kind, hash);
}

/* A file of the folder for reading; NULL when there is none. A pipe in its place must not block. */
static FILE *open_entry(int folder, const char *name)
{
    struct stat status;
    const int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    FILE *file = fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode) ? fdopen(fd, "rb") : NULL;
    if (file == NULL && fd >= 0) close(fd);
    return file;
}

/* A new file of the folder for writing; NULL when there is one of that name. */
static FILE *make_entry(int folder, const char *name)
{
    const int fd = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    FILE *file = fd >= 0 ? fdopen(fd, "wb") : NULL;
    if (file == NULL && fd >= 0) close(fd);
    return file;
}

/* Reads and compares the header and the key; true when the value that follows is the key's. */
static bool read_header(FILE *file, const void *key, size_t key_bytes, struct header *header)
{
    if (fread(header, sizeof *header, 1, file) != 1 || memcmp(header->magic, magic, sizeof magic) != 0 ||
        header->key_bytes != key_bytes || header->value_bytes > MU_MAX_CACHED)
        return false;
    char *stored = mu_malloc(key_bytes, 1, "a cache key", NULL);
    const bool same =
        stored != NULL && fread(stored, 1, key_bytes, file) == key_bytes && memcmp(stored, key, key_bytes) == 0;
    mu_free(stored);
    return same;
}

void *mu_cache_get(const char *kind, const void *key, size_t key_bytes, size_t *value_bytes)
{
    struct header header;
    void *value = NULL;
    const int folder = open_folder();
    char *name = folder >= 0 ? cache_name(kind, key, key_bytes) : NULL;
    FILE *file = name != NULL ? open_entry(folder, name) : NULL;
    if (file != NULL && read_header(file, key, key_bytes, &header)) {
        value = mu_malloc(header.value_bytes, 1, "a cached value", NULL);
        if (value != NULL && (fread(value, 1, header.value_bytes, file) != header.value_bytes ||
                              mu_hash_bytes(value, header.value_bytes) != header.value_hash)) {
            mu_free(value);
            value = NULL;
        }
        *value_bytes = header.value_bytes;
    }
    if (file != NULL) fclose(file);
    if (folder >= 0) close(folder);
    mu_free(name);
    return value;
}

static bool write_all(FILE *file, const void *bytes, size_t count)
{
    return count == 0 || fwrite(bytes, 1, count, file) == count;
}

int mu_cache_put(const char *kind, const void *key, size_t key_bytes, const void *value, size_t value_bytes)
{
    struct header header = {.key_bytes = key_bytes, .value_bytes = value_bytes};
    memcpy(header.magic, magic, sizeof magic);
    header.value_hash = mu_hash_bytes(value, value_bytes);
    int status = -1;
    const int folder = open_folder();
    char *name = folder >= 0 ? cache_name(kind, key, key_bytes) : NULL;
    char *unfinished = name != NULL ? mu_format(NULL, "%s.%ld", name, (long)getpid()) : NULL;
    /* What a process of the same number left behind, when it was killed, is in the way. */
    if (unfinished != NULL) unlinkat(folder, unfinished, 0);
    FILE *file = unfinished != NULL ? make_entry(folder, unfinished) : NULL;
    if (file != NULL) {
        bool written = write_all(file, &header, sizeof header) && write_all(file, key, key_bytes) &&
                       write_all(file, value, value_bytes);
        written = fclose(file) == 0 && written;
        status = written && renameat(folder, unfinished, folder, name) == 0 ? 0 : -1;
        if (status != 0) unlinkat(folder, unfinished, 0);
    }
    if (folder >= 0) close(folder);
    mu_free(unfinished);
    mu_free(name);
    return status;
}
