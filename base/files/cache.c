#include "base/files/cache_folder.h"

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

/* Largest request to the system: some systems do not serve more than 2^31 bytes at once. */
#define PIECE ((size_t)1 << 30)

struct mu_cache_reader {
    FILE *file;
    uint64_t left, expected;
    struct mu_hash hash;
};

/* Returns the path of the folder, which is made if it is missing. NULL: there is no place for it. Free with mu_free. */
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

int mu_cache_folder(void)
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

/* Opens a file of the folder for reading; NULL if there is none. Does not block on a pipe in its place. Sets the file's
 * time to now, so that it is removed last; if that fails, it is removed earlier. */
static FILE *open_entry(int folder, const char *name, struct stat *status)
{
    const int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    FILE *file = fd >= 0 && fstat(fd, status) == 0 && S_ISREG(status->st_mode) ? fdopen(fd, "rb") : NULL;
    if (file == NULL && fd >= 0) close(fd);
    if (file != NULL) (void)futimens(fd, NULL);
    return file;
}

/* Makes a file of the folder for writing; NULL if one of that name exists. */
static FILE *make_entry(int folder, const char *name)
{
    const int fd = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    FILE *file = fd >= 0 ? fdopen(fd, "wb") : NULL;
    if (file == NULL && fd >= 0) close(fd);
    return file;
}

/* Reads the header and the key. Returns true if the key is equal and the file is as long as the header says. */
static bool read_header(FILE *file, uint64_t file_bytes, const void *key, size_t key_bytes, struct header *header)
{
    if (fread(header, sizeof *header, 1, file) != 1 || memcmp(header->magic, magic, sizeof magic) != 0 ||
        header->key_bytes != key_bytes || header->value_bytes > file_bytes ||
        header->value_bytes + sizeof *header + key_bytes != file_bytes)
        return false;
    char *stored = mu_malloc(key_bytes, 1, "a cache key", NULL);
    const bool same =
        stored != NULL && fread(stored, 1, key_bytes, file) == key_bytes && memcmp(stored, key, key_bytes) == 0;
    mu_free(stored);
    return same;
}

struct mu_cache_reader *mu_cache_open(const char *kind, const void *key, size_t key_bytes, uint64_t *value_bytes)
{
    struct header header;
    struct stat status;
    struct mu_cache_reader *reader = NULL;
    const int folder = mu_cache_folder();
    char *name = folder >= 0 ? cache_name(kind, key, key_bytes) : NULL;
    FILE *file = name != NULL ? open_entry(folder, name, &status) : NULL;
    if (file != NULL && read_header(file, (uint64_t)status.st_size, key, key_bytes, &header))
        reader = mu_malloc_aligned(_Alignof(struct mu_cache_reader), sizeof *reader, "a file of the cache", NULL);
    if (reader != NULL) {
        *value_bytes = header.value_bytes;
        *reader = (struct mu_cache_reader){.file = file, .left = header.value_bytes, .expected = header.value_hash};
        mu_hash_start(&reader->hash);
    } else if (file != NULL) {
        fclose(file);
    }
    if (folder >= 0) close(folder);
    mu_free(name);
    return reader;
}

bool mu_cache_read(struct mu_cache_reader *reader, void *to, size_t bytes)
{
    if (bytes > reader->left) return false;
    for (size_t done = 0, piece; done < bytes; done += piece) {
        piece = bytes - done < PIECE ? bytes - done : PIECE;
        if (fread((char *)to + done, 1, piece, reader->file) != piece) return false;
        mu_hash_add(&reader->hash, (char *)to + done, piece);
    }
    reader->left -= bytes;
    return true;
}

bool mu_cache_close(struct mu_cache_reader *reader)
{
    if (reader == NULL) return false;
    const bool right = reader->left == 0 && mu_hash_end(&reader->hash) == reader->expected;
    fclose(reader->file);
    mu_free(reader);
    return right;
}

void *mu_cache_get(const char *kind, const void *key, size_t key_bytes, size_t *value_bytes)
{
    uint64_t bytes = 0;
    struct mu_cache_reader *reader = mu_cache_open(kind, key, key_bytes, &bytes);
    void *value = reader != NULL ? mu_malloc(bytes, 1, "a cached value", NULL) : NULL;
    const bool whole = value != NULL && mu_cache_read(reader, value, (size_t)bytes);
    if (mu_cache_close(reader) && whole) {
        *value_bytes = (size_t)bytes;
        return value;
    }
    mu_free(value);
    return NULL;
}

static bool write_all(FILE *file, const void *bytes, size_t count)
{
    return count == 0 || fwrite(bytes, 1, count, file) == count;
}

/* Writes header, key and value. Large values are forced to the disk; the system may write small ones later. */
static bool write_value(FILE *file, const struct header *header, const void *key, const struct mu_cache_part *parts,
                        size_t count)
{
    bool written = write_all(file, header, sizeof *header) && write_all(file, key, (size_t)header->key_bytes);
    for (size_t i = 0; i < count && written; i++) written = write_all(file, parts[i].bytes, parts[i].count);
    if (written && count > 1) written = fflush(file) == 0 && fdatasync(fileno(file)) == 0;
    return fclose(file) == 0 && written;
}

int mu_cache_put_parts(const char *kind, const void *key, size_t key_bytes, const struct mu_cache_part *parts,
                       size_t count)
{
    struct header header = {.key_bytes = key_bytes};
    struct mu_hash hash;
    memcpy(header.magic, magic, sizeof magic);
    mu_hash_start(&hash);
    for (size_t i = 0; i < count; i++) {
        mu_hash_add(&hash, parts[i].bytes, parts[i].count);
        header.value_bytes += parts[i].count;
    }
    header.value_hash = mu_hash_end(&hash);
    int status = -1;
    const int folder = mu_cache_folder();
    char *name = folder >= 0 ? cache_name(kind, key, key_bytes) : NULL;
    char *unfinished = name != NULL ? mu_format(NULL, "%s.%ld", name, (long)getpid()) : NULL;
    /* A killed process with the same number may have left a file of this name. */
    if (unfinished != NULL) unlinkat(folder, unfinished, 0);
    FILE *file = unfinished != NULL ? make_entry(folder, unfinished) : NULL;
    if (file != NULL) {
        const bool written = write_value(file, &header, key, parts, count);
        status = written && renameat(folder, unfinished, folder, name) == 0 ? 0 : -1;
        if (status != 0) unlinkat(folder, unfinished, 0);
    }
    if (folder >= 0) close(folder);
    mu_free(unfinished);
    mu_free(name);
    return status;
}

int mu_cache_put(const char *kind, const void *key, size_t key_bytes, const void *value, size_t value_bytes)
{
    const struct mu_cache_part part = {value, value_bytes};
    return mu_cache_put_parts(kind, key, key_bytes, &part, 1);
}
