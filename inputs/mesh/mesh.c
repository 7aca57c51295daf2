#include "inputs/mesh/mesh.h"

#include "base/hash.h"
#include "base/memory.h"
#include "inputs/generators/generators.h"
#include "inputs/mesh/files.h"

#include <string.h>

void mu_mesh_free(struct mu_mesh *mesh)
{
    if (mesh == NULL) return;
    mu_free(mesh->name);
    mu_free(mesh->coordinate);
    mu_free(mesh->corner);
    mu_free(mesh->neighbour);
    mu_free(mesh->fixed);
    mu_free(mesh);
}

uint64_t mu_mesh_hash(const struct mu_mesh *mesh)
{
    const uint64_t sizes[] = {mesh->points, mesh->triangles, mesh->segments};
    struct mu_hash hash;
    mu_hash_start(&hash);
    mu_hash_u64(&hash, sizes, sizeof sizes / sizeof sizes[0]);
    for (uint32_t point = 0; point < mesh->points; point++) {
        uint64_t bits[2];
        memcpy(bits, mesh->coordinate + 2 * (size_t)point, sizeof bits);
        mu_hash_u64(&hash, bits, 2);
    }
    mu_hash_u32(&hash, mesh->corner, 3 * (uint64_t)mesh->triangles);
    mu_hash_u32(&hash, mesh->fixed, mesh->triangles);
    return mu_hash_end(&hash);
}

bool mu_mesh_is_named(const char *specification)
{
    const char *parameters;
    const struct mu_generator *generator = mu_generator_find(specification, &parameters);
    if (generator != NULL) return generator->generate_mesh != NULL;
    return mu_mesh_files_are_named(specification);
}

static int load(const char *specification, uint64_t seed, struct mu_mesh **mesh, struct mu_error *err)
{
    const char *parameters;
    const struct mu_generator *generator = mu_generator_find(specification, &parameters);
    if (generator != NULL && generator->generate_mesh == NULL)
        return mu_fail(err, MU_USAGE, "'%s' is a graph, and a mesh is needed", specification);
    if (generator != NULL) {
        int status = generator->generate_mesh(parameters, seed, mesh, err);
        if (status == MU_OK) (*mesh)->format = generator->name;
        return status;
    }
    if (mu_mesh_files_are_named(specification)) return mu_mesh_files_read(specification, mesh, err);
    return mu_generator_refuse(specification, MU_OF_MESHES, err);
}

int mu_mesh_load(const char *specification, uint64_t seed, struct mu_mesh **mesh, struct mu_error *err)
{
    struct mu_mesh *loaded = NULL;
    int status = load(specification, seed, &loaded, err);
    if (loaded != NULL && status == MU_OK && (loaded->name = mu_strdup(specification, err)) == NULL)
        status = MU_NO_MEMORY;
    if (status != MU_OK) {
        mu_mesh_free(loaded);
        return status;
    }
    *mesh = loaded;
    return MU_OK;
}
