/* For tests that go through all apps: an input of each kind, and an instance on the one that an app takes. */
#ifndef MU_TESTS_APP_INPUTS_H
#define MU_TESTS_APP_INPUTS_H

#include "apps/app.h"

#include <stdio.h>

struct app_inputs {
    struct mu_graph *graph; /* with weights */
    struct mu_mesh *mesh;
};

/* False, saying why on standard output, when one of them cannot be loaded. */
static inline bool load_inputs(const char *graph, const char *mesh, struct app_inputs *inputs)
{
    struct mu_error err = {0};
    if (mu_graph_load(graph, 1, &inputs->graph, &err) == MU_OK) mu_graph_need_weights(inputs->graph, &err);
    if (err.status == MU_OK) mu_mesh_load(mesh, 1, &inputs->mesh, &err);
    if (err.status != MU_OK) printf("Bail out! %s, %s: %s\n", graph, mesh, err.message);
    return err.status == MU_OK;
}

static inline void free_inputs(struct app_inputs *inputs)
{
    mu_graph_free(inputs->graph);
    mu_mesh_free(inputs->mesh);
}

static inline const char *input_name(const struct mu_app *app, const struct app_inputs *inputs)
{
    return app->kind == MU_KIND_MESH ? inputs->mesh->name : inputs->graph->name;
}

static inline int new_instance(const struct mu_app *app, const struct app_inputs *inputs,
                               const struct mu_app_setup *setup, struct mu_instance **instance, struct mu_error *err)
{
    if (app->kind == MU_KIND_MESH) return mu_instance_new_mesh(app, inputs->mesh, setup, instance, err);
    return mu_instance_new(app, inputs->graph, setup, instance, err);
}

#endif
