#include "inputs/mesh/files.h"

#include "base/memory.h"
#include "inputs/mesh/build.h"
#include "inputs/mesh/text.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum kind { NODE, ELE, POLY, KINDS = MU_MESH_FILES };

static const char *const suffixes[KINDS] = {".node", ".ele", ".poly"};
static const char *const packed[] = {"", ".gz", ".xz"};

enum { PACKINGS = sizeof packed / sizeof packed[0] };

/* The files of one mesh. A file that is not there has no path. */
struct files {
    char *base;
    char *path[KINDS];
    struct mu_source source[KINDS];
};

static bool ends_with(const char *text, size_t length, const char *end)
{
    const size_t end_length = strlen(end);
    return length > end_length && memcmp(text + length - end_length, end, end_length) == 0;
}

/* Returns the length of the path without a mesh file's suffix; 0 if it has none. */
static size_t base_length(const char *path)
{
    size_t length = strlen(path);
    for (unsigned i = 1; i < PACKINGS; i++)
        if (ends_with(path, length, packed[i])) {
            length -= strlen(packed[i]);
            break;
        }
    for (unsigned kind = 0; kind < KINDS; kind++)
        if (ends_with(path, length, suffixes[kind])) return length - strlen(suffixes[kind]);
    return 0;
}

/* Finds the file of that kind that belongs to the base, plain or packed. *path is NULL if there is none. */
static int find_file(const char *base, enum kind kind, char **path, struct mu_error *err)
{
    *path = NULL;
    for (unsigned i = 0; i < PACKINGS; i++) {
        char *tried = mu_format(err, "%s%s%s", base, suffixes[kind], packed[i]);
        if (tried == NULL) return MU_NO_MEMORY;
        if (access(tried, F_OK) == 0) {
            *path = tried;
            return MU_OK;
        }
        mu_free(tried);
    }
    return MU_OK;
}

/* Skips a path that is too long for the buffer, since no file has it. */
bool mu_mesh_files_are_named(const char *path)
{
    char node[PATH_MAX];
    if (base_length(path) > 0) return true;
    if (access(path, F_OK) == 0) return false;
    for (unsigned i = 0; i < PACKINGS; i++) {
        const int length = snprintf(node, sizeof node, "%s%s%s", path, suffixes[NODE], packed[i]);
        if (length > 0 && (size_t)length < sizeof node && access(node, F_OK) == 0) return true;
    }
    return false;
}

/* Finds the paths of the mesh's files. The caller frees them and *base, also after a failure. */
static int find_paths(const char *path, char **base, char **paths, struct mu_error *err)
{
    const size_t length = base_length(path);
    *base = mu_format(err, "%.*s", (int)(length > 0 ? length : strlen(path)), path);
    int status = *base == NULL ? MU_NO_MEMORY : MU_OK;
    for (unsigned kind = 0; status == MU_OK && kind < KINDS; kind++) status = find_file(*base, kind, &paths[kind], err);
    return status;
}

int mu_mesh_files_find(const char *path, char *paths[MU_MESH_FILES], struct mu_error *err)
{
    char *base = NULL;
    const int status = find_paths(path, &base, paths, err);
    mu_free(base);
    return status;
}

static int find_files(const char *path, struct files *files, struct mu_error *err)
{
    const int status = find_paths(path, &files->base, files->path, err);
    if (status != MU_OK) return status;
    if (files->path[ELE] == NULL)
        return mu_fail(err, MU_IO, "%s.ele: no such file, plain or packed: it holds the mesh's triangles", files->base);
    if (files->path[NODE] == NULL && files->path[POLY] == NULL)
        return mu_fail(err, MU_IO, "%s.node: no such file, plain or packed: it holds the mesh's points", files->base);
    return MU_OK;
}

static int read_sources(struct files *files, struct mu_error *err)
{
    int status = MU_OK;
    for (unsigned kind = 0; status == MU_OK && kind < KINDS; kind++)
        if (files->path[kind] != NULL) status = mu_source_read(files->path[kind], &files->source[kind], err);
    return status;
}

static void release(struct files *files)
{
    mu_free(files->base);
    for (unsigned kind = 0; kind < KINDS; kind++) {
        mu_source_release(&files->source[kind]);
        mu_free(files->path[kind]);
    }
}

int mu_mesh_files_check(const char *path, struct mu_error *err)
{
    struct files files = {0};
    const int status = find_files(path, &files, err);
    release(&files);
    return status;
}

int mu_mesh_files_read(const char *path, struct mu_mesh **mesh, struct mu_error *err)
{
    struct files files = {0};
    int status = find_files(path, &files, err);
    if (status == MU_OK) status = read_sources(&files, err);
    if (status == MU_OK)
        status = mu_mesh_text_read(files.path[NODE] != NULL ? &files.source[NODE] : NULL, &files.source[ELE],
                                   files.path[POLY] != NULL ? &files.source[POLY] : NULL, mesh, err);
    release(&files);
    return status;
}
