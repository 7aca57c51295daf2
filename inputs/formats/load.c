#include "base/memory.h"
#include "inputs/formats/formats.h"
#include "inputs/generators/generators.h"

#include <errno.h>
#include <unistd.h>

static int read_file(const char *path, struct mu_graph **graph, struct mu_error *err)
{
    struct mu_source source = {0};
    int status = mu_source_read(path, &source, err);
    if (status == MU_OK) status = mu_format_read(&source, graph, err);
    mu_source_release(&source);
    return status;
}

static int load(const char *specification, uint64_t seed, struct mu_graph **graph, struct mu_error *err)
{
    const char *parameters;
    const struct mu_generator *generator = mu_generator_find(specification, &parameters);
    if (generator != NULL && generator->generate == NULL)
        return mu_fail(err, MU_USAGE, "'%s' is a mesh, and a graph is needed", specification);
    if (generator != NULL) {
        int status = generator->generate(parameters, seed, graph, err);
        if (status == MU_OK) (*graph)->format = generator->name;
        return status;
    }
    if (access(specification, F_OK) != 0 && errno == ENOENT)
        return mu_generator_refuse(specification, MU_OF_GRAPHS, err);
    return read_file(specification, graph, err);
}

int mu_graph_load(const char *specification, uint64_t seed, struct mu_graph **graph, struct mu_error *err)
{
    struct mu_graph *loaded = NULL;
    int status = load(specification, seed, &loaded, err);
    if (loaded != NULL && status == MU_OK && (loaded->name = mu_strdup(specification, err)) == NULL)
        status = MU_NO_MEMORY;
    if (status != MU_OK) {
        mu_graph_free(loaded);
        return status;
    }
    *graph = loaded;
    return MU_OK;
}
