/* For the tests of inputs: a folder of temporary files, bytes made by hand, and graphs as text. */
#ifndef MU_TESTS_INPUT_FILES_H
#define MU_TESTS_INPUT_FILES_H

#include "base/files/unpack.h"
#include "inputs/formats/formats.h"
#include "inputs/graph/graph.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Bytes that grow; a binary file made number by number. */
struct bytes {
    unsigned char data[4096];
    size_t size;
};

static inline void put(struct bytes *bytes, uint64_t value, unsigned width)
{
    if (bytes->size + width > sizeof bytes->data) abort();
    for (unsigned i = 0; i < width; i++) bytes->data[bytes->size++] = (unsigned char)(value >> 8 * i);
}

static inline void put_all(struct bytes *bytes, unsigned width, size_t count, const int64_t *values)
{
    for (size_t i = 0; i < count; i++) put(bytes, (uint64_t)values[i], width);
}

/* PUT(bytes, width, 1, 2, 3): the numbers, each of so many bytes. */
#define PUT(bytes, width, ...)                                                                                         \
    put_all((bytes), (width), sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t), (const int64_t[]){__VA_ARGS__})

static char folder[] = "/tmp/muster-inputs-XXXXXX";

static inline void make_folder(void)
{
    if (mkdtemp(folder) == NULL) {
        perror("mkdtemp");
        exit(99);
    }
}

/* How many files the folder has. */
static inline unsigned count_files(void)
{
    unsigned count = 0;
    DIR *stream = opendir(folder);
    for (struct dirent *entry; stream != NULL && (entry = readdir(stream)) != NULL;) count += entry->d_name[0] != '.';
    if (stream != NULL) closedir(stream);
    return count;
}

static inline void remove_folder(void)
{
    DIR *stream = opendir(folder);
    for (struct dirent *entry; stream != NULL && (entry = readdir(stream)) != NULL;)
        if (entry->d_name[0] != '.') unlinkat(dirfd(stream), entry->d_name, 0);
    if (stream != NULL) closedir(stream);
    rmdir(folder);
}

/* The path of a file in the folder, good until the call after the next. */
static inline const char *path_of(const char *name)
{
    static char paths[2][256];
    static unsigned turn;
    char *path = paths[turn ^= 1];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static inline const char *make_file(const char *name, const void *bytes, size_t size)
{
    const char *path = path_of(name);
    FILE *stream = fopen(path, "wb");
    if (stream == NULL || fwrite(bytes, 1, size, stream) != size || fclose(stream) != 0) {
        perror(path);
        exit(99);
    }
    return path;
}

enum { PART_BYTES = 48 };

/* Reads the same bytes from a file of which only parts are held. Says so in *err where that makes a difference. */
static inline int read_in_parts(const void *bytes, size_t size, const struct mu_graph *expected, struct mu_error *err)
{
    static const char too_long[] = "a word is longer than";
    char path[32];
    struct mu_source source = {0};
    struct mu_reading reading = {0};
    struct mu_graph *graph = NULL;
    struct mu_error own = {0};
    const int file = memfd_create("parts", MFD_CLOEXEC);
    if (file < 0 || write(file, bytes, size) != (ssize_t)size) abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    mu_source_set_parts(1, PART_BYTES);
    if (mu_source_open(path, &source, &own) == MU_OK) {
        source.path = "test";
        mu_format_read(&source, &reading, &graph, &own);
    }
    mu_source_set_parts(0, 0);
    mu_source_release(&source);
    close(file);
    const bool same = own.status == err->status && strcmp(own.message, err->message) == 0 &&
                      (own.status != MU_OK || mu_graph_equal(graph, expected));
    if (!same && strstr(own.message, too_long) == NULL) {
        const struct mu_error was = *err;
        *err = (struct mu_error){0};
        mu_fail(err, MU_IO, "in parts: '%s', not '%s'", own.message, was.message);
    }
    mu_graph_free(graph);
    return err->status;
}

/* Reads a graph from bytes in memory, in a block of exactly their size, so that a sanitizer sees every step outside;
 * and, where they are few, once more from a file in parts. */
static inline int read_bytes(const void *bytes, size_t size, struct mu_graph **graph, struct mu_error *err)
{
    enum { FEW_BYTES = 4096 };
    struct mu_source source = {.path = "test", .bytes = malloc(size + 1), .size = size};
    if (source.bytes == NULL) abort();
    if (size > 0) memcpy(source.bytes, bytes, size);
    source.bytes[size] = 0;
    *err = (struct mu_error){0};
    *graph = NULL;
    struct mu_reading reading = {0};
    const int status = mu_format_read(&source, &reading, graph, err);
    free(source.bytes);
    unsigned char first[8] = {0};
    if (size > 0) memcpy(first, bytes, size < sizeof first ? size : sizeof first);
    if (mu_unpack_is_packed(first)) return status;
    return size <= FEW_BYTES && status != MU_LIMIT ? read_in_parts(bytes, size, *graph, err) : status;
}

/* "vertices: tail>head/weight …", without the weights where there are none. Good until the next call. */
static inline const char *show(const struct mu_graph *graph)
{
    static char text[8192];
    size_t used = (size_t)snprintf(text, sizeof text, "%" PRIu32 ":", graph->vertices);
    for (uint32_t tail = 0; tail < graph->vertices; tail++)
        for (uint64_t arc = graph->row_start[tail]; arc < graph->row_start[tail + 1]; arc++) {
            if (used + 64 > sizeof text) return text;
            used +=
                (size_t)snprintf(text + used, sizeof text - used, " %" PRIu32 ">%" PRIu32, tail, graph->column[arc]);
            if (graph->weight != NULL)
                used += (size_t)snprintf(text + used, sizeof text - used, "/%" PRIu32, graph->weight[arc]);
        }
    return text;
}

#endif
