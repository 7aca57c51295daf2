#include "harness/cache.h"

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

static char *cache_path(const char *kind, const void *key, size_t key_bytes)
{
    char name[MU_HASH_LONG_TEXT];
    char *folder = cache_folder();
    if (folder == NULL) return NULL;
    mu_hash_long_text(key, key_bytes, name);
    char *path = mu_format(NULL, "%s/%s-%s", folder, kind, name);
    mu_free(folder);
    return path;
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
    char *path = cache_path(kind, key, key_bytes);
    FILE *file = path != NULL ? fopen(path, "rb") : NULL;
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
    mu_free(path);
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
    char *path = cache_path(kind, key, key_bytes);
    char *unfinished = path != NULL ? mu_format(NULL, "%s.%ld", path, (long)getpid()) : NULL;
    FILE *file = unfinished != NULL ? fopen(unfinished, "wb") : NULL;
    if (file != NULL) {
        bool written = write_all(file, &header, sizeof header) && write_all(file, key, key_bytes) &&
                       write_all(file, value, value_bytes);
        written = fclose(file) == 0 && written;
        status = written && rename(unfinished, path) == 0 ? 0 : -1;
        if (status != 0) unlink(unfinished);
    }
    mu_free(unfinished);
    mu_free(path);
    return status;
}
