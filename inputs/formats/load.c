#include "base/memory.h"
#include "inputs/formats/formats.h"
#include "inputs/generators/generators.h"

#include <errno.h>
#include <unistd.h>

static int read_file(const char *path, struct mu_reading *reading, struct mu_graph **graph, struct mu_error *err)
{
    struct mu_source source = {0};
    int status = mu_source_open(path, &source, err);
    if (status == MU_OK) status = mu_format_read(&source, reading, graph, err);
    mu_source_release(&source);
    return status;
}

static int generate(const struct mu_generator *generator, const char *parameters, struct mu_reading *reading,
                    struct mu_graph **graph, struct mu_error *err)
{
    const int status = generator->generate(parameters, reading->seed, graph, err);
    if (status != MU_OK) return status;
    (*graph)->format = generator->name;
    mu_graph_settle_weights(*graph, reading);
    return MU_OK;
}

static int load(const char *specification, struct mu_reading *reading, struct mu_graph **graph, struct mu_error *err)
{
    const char *parameters;
    const struct mu_generator *generator = mu_generator_find(specification, &parameters);
    if (generator != NULL && generator->generate == NULL)
        return mu_fail(err, MU_USAGE, "'%s' is a mesh, and a graph is needed", specification);
    if (generator != NULL && reading->format != NULL)
        return mu_fail(err, MU_USAGE, "--input-format is for files, and '%s' is a generator's graph", specification);
    if (generator != NULL) return generate(generator, parameters, reading, graph, err);
    if (access(specification, F_OK) != 0 && errno == ENOENT)
        return mu_generator_refuse(specification, MU_OF_GRAPHS, err);
    return read_file(specification, reading, graph, err);
}

int mu_graph_load_as(const char *specification, struct mu_reading *reading, struct mu_graph **graph,
                     struct mu_error *err)
{
    struct mu_graph *loaded = NULL;
    int status = load(specification, reading, &loaded, err);
    if (loaded != NULL && status == MU_OK && (loaded->name = mu_strdup(specification, err)) == NULL)
        status = MU_NO_MEMORY;
    if (status != MU_OK) {
        mu_graph_free(loaded);
        return status;
    }
    *graph = loaded;
    return MU_OK;
}

int mu_graph_load(const char *specification, uint64_t seed, struct mu_graph **graph, struct mu_error *err)
{
    struct mu_reading reading = {.seed = seed};
    return mu_graph_load_as(specification, &reading, graph, err);
}
