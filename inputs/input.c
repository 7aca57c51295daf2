#include "inputs/input.h"

#include "inputs/formats/reading.h"
#include "inputs/generators/generators.h"
#include "inputs/mesh/files.h"

#include <errno.h>
#include <unistd.h>

static int check_generator(const struct mu_generator *generator, const char *specification, const char *parameters,
                           unsigned kinds, struct mu_error *err)
{
    const bool is_mesh = generator->generate_mesh != NULL;
    if ((kinds & (is_mesh ? MU_OF_MESHES : MU_OF_GRAPHS)) != 0) return generator->check(parameters, err);
    return mu_fail(err, MU_USAGE, "'%s' is a %s, and a %s is needed", specification, is_mesh ? "mesh" : "graph",
                   is_mesh ? "graph" : "mesh");
}

int mu_input_check(const char *specification, unsigned kinds, struct mu_error *err)
{
    const char *parameters;
    const struct mu_generator *generator = mu_generator_find(specification, &parameters);
    if (generator != NULL) return check_generator(generator, specification, parameters, kinds, err);
    if ((kinds & MU_OF_MESHES) != 0 && mu_mesh_files_are_named(specification))
        return mu_mesh_files_check(specification, err);
    if ((kinds & MU_OF_GRAPHS) == 0 || (access(specification, F_OK) != 0 && errno == ENOENT))
        return mu_generator_refuse(specification, kinds, err);
    return MU_OK;
}

int mu_input_try(const char *specification, unsigned kind, const struct mu_format *format, struct mu_error *err)
{
    const char *parameters;
    struct mu_graph *graph = NULL;
    struct mu_mesh *mesh = NULL;
    if (mu_input_check(specification, kind, err) != MU_OK || mu_generator_find(specification, &parameters) != NULL)
        return err->status;
    if (kind == MU_OF_MESHES)
        mu_mesh_load(specification, 0, &mesh, err);
    else
        mu_graph_load_as(specification, &(struct mu_reading){.format = format}, &graph, err);
    mu_mesh_free(mesh);
    mu_graph_free(graph);
    return err->status;
}
