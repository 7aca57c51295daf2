#include "inputs/file_hash.h"

#include "base/hash.h"
#include "base/memory.h"
#include "inputs/generators/generators.h"
#include "inputs/mesh/files.h"

#include <stdio.h>
#include <sys/stat.h>

#define CHUNK ((size_t)1 << 20)

/* Adds a file's bytes to the hash. Returns false if it cannot be read to its end, or is no plain file: a pipe cannot be
 * read twice. */
static bool add_file(struct mu_hash *state, const char *path, unsigned char *chunk)
{
    uint64_t size = 0;
    size_t got;
    struct stat status;
    FILE *file = stat(path, &status) == 0 && S_ISREG(status.st_mode) ? fopen(path, "rb") : NULL;
    if (file == NULL) return false;
    while ((got = fread(chunk, 1, CHUNK, file)) != 0) {
        mu_hash_add(state, chunk, got);
        size += got;
    }
    const bool whole = ferror(file) == 0;
    fclose(file);
    mu_hash_u64(state, &size, 1);
    return whole;
}

/* Finds the files of one input; NULL for those that it has not. The caller frees the paths. */
static int find_paths(const char *specification, char *paths[MU_MESH_FILES], struct mu_error *err)
{
    if (mu_mesh_files_are_named(specification)) return mu_mesh_files_find(specification, paths, err);
    paths[0] = mu_strdup(specification, err);
    return err->status;
}

int mu_file_hash(const char *specification, struct mu_file_hash *hash, struct mu_error *err)
{
    const char *parameters;
    char *paths[MU_MESH_FILES] = {NULL};
    struct mu_hash state;
    *hash = (struct mu_file_hash){false, 0};
    if (mu_generator_find(specification, &parameters) != NULL) return MU_OK;
    unsigned char *chunk = mu_malloc(CHUNK, 1, "a part of a file", err);
    if (chunk != NULL && find_paths(specification, paths, err) == MU_OK) {
        mu_hash_start(&state);
        uint32_t files = 0, whole = 0;
        for (uint64_t i = 0; i < MU_MESH_FILES; i++) {
            if (paths[i] == NULL) continue;
            mu_hash_u64(&state, &i, 1);
            files++;
            whole += add_file(&state, paths[i], chunk);
        }
        hash->known = files != 0 && whole == files;
        hash->value = hash->known ? mu_hash_end(&state) : 0;
    }
    for (int i = 0; i < MU_MESH_FILES; i++) mu_free(paths[i]);
    mu_free(chunk);
    return err->status;
}
