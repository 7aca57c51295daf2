#include "apps/app.h"

#include "base/memory.h"
#include "base/user/nearest.h"

#include <stdio.h>
#include <string.h>

static bool app_is_called(const struct mu_app *app, const char *name)
{
    const char *slash = strchr(name, '/');
    if (slash == NULL) return strcmp(app->name, name) == 0;
    const size_t suite_length = (size_t)(slash - name);
    return strlen(app->suite) == suite_length && strncmp(app->suite, name, suite_length) == 0 &&
           strcmp(app->name, slash + 1) == 0;
}

static void list_apps(const char *name, char *text, size_t bytes)
{
    size_t used = 0;
    text[0] = '\0';
    for (const struct mu_app *const *app = mu_apps; *app != NULL && used < bytes; app++)
        if (name == NULL || app_is_called(*app, name))
            used +=
                (size_t)snprintf(text + used, bytes - used, "%s%s/%s", used ? ", " : "", (*app)->suite, (*app)->name);
}

/* Finds the app that the name most likely stands for: by its own name, or by the part behind a suite, which need not be
 * its. */
static const char *hint_at(const char *name, char *hint, size_t bytes)
{
    const char *slash = strchr(name, '/');
    struct mu_nearest nearest = {.word = slash != NULL ? slash + 1 : name};
    for (const struct mu_app *const *app = mu_apps; *app != NULL; app++) mu_nearest_try(&nearest, (*app)->name);
    return mu_nearest_hint(&nearest, hint, bytes);
}

const struct mu_app *mu_app_find(const char *name, struct mu_error *err)
{
    const struct mu_app *found = NULL;
    size_t matches = 0;
    for (const struct mu_app *const *app = mu_apps; *app != NULL; app++)
        if (app_is_called(*app, name)) {
            found = *app;
            matches++;
        }
    if (matches == 1) return found;
    char choices[1024], hint[MU_HINT_BYTES];
    list_apps(matches == 0 ? NULL : name, choices, sizeof choices);
    mu_fail(err, MU_USAGE, matches == 0 ? "no app '%s'%s; there are: %s" : "app '%s' is ambiguous%s: say one of %s",
            name, matches == 0 ? hint_at(name, hint, sizeof hint) : "", choices);
    return NULL;
}

bool mu_role_reduces(enum mu_role role)
{
    return role == MU_ROLE_SUM || role == MU_ROLE_MAX;
}

bool mu_role_has_protocol(enum mu_role role)
{
    return mu_role_reduces(role) || role == MU_ROLE_FLAG || role == MU_ROLE_COUNTER;
}

/* Checks what a compiler does not see: names in texts, and types that a role cannot have. */
static int check_descriptor(const struct mu_app *app, struct mu_error *err)
{
    bool result = false, wanted = app->wanted == NULL;
    for (size_t i = 0; i < app->buffer_count; i++) {
        const struct mu_buffer *row = &app->buffers[i];
        const bool fits = row->type == MU_TYPE_uint || (row->type == MU_TYPE_real && mu_role_reduces(row->role));
        if (mu_role_has_protocol(row->role) && !fits)
            return mu_fail(err, MU_BUILD,
                           "%s/%s: buffer %s: a FLAG or COUNTER is of uint, a SUM or MAX of uint or real", app->suite,
                           app->name, row->name);
        result |= row->role == MU_ROLE_RESULT && app->result != NULL && strcmp(row->name, app->result) == 0;
        wanted |= row->role == MU_ROLE_STATE && app->wanted != NULL && strcmp(row->name, app->wanted) == 0;
    }
    if (!result)
        return mu_fail(err, MU_BUILD,
                       "%s/%s: its descriptor says .result = \"%s\", which is no RESULT of its state list", app->suite,
                       app->name, app->result != NULL ? app->result : "");
    if (wanted) return MU_OK;
    return mu_fail(err, MU_BUILD, "%s/%s: its descriptor says .wanted = \"%s\", which is no STATE of its state list",
                   app->suite, app->name, app->wanted);
}

size_t mu_app_buffer(const struct mu_app *app, const char *name)
{
    size_t buffer = 0;
    while (buffer + 1 < app->buffer_count && strcmp(app->buffers[buffer].name, name) != 0) buffer++;
    return buffer;
}

void **mu_instance_array(const struct mu_instance *instance, size_t buffer)
{
    return (void **)((char *)instance->state + instance->app->buffers[buffer].host_pointer);
}

size_t mu_instance_element_bytes(const struct mu_instance *instance, size_t buffer)
{
    static const size_t bytes[MU_TYPES] = {[MU_TYPE_uint] = 4,  [MU_TYPE_offset] = 4, [MU_TYPE_ulong] = 8,
                                           [MU_TYPE_float] = 4, [MU_TYPE_double] = 8, [MU_TYPE_real] = 8};
    const enum mu_type type = instance->app->buffers[buffer].type;
    if (type == MU_TYPE_offset && instance->wide_offsets) return 8;
    if (type == MU_TYPE_real && instance->setup.single) return 4;
    return bytes[type];
}

double mu_instance_scalar(const struct mu_instance *instance, size_t scalar)
{
    const struct mu_scalar *row = &instance->app->scalars[scalar];
    const char *value = (const char *)instance->state + row->host_value;
    return row->type == MU_TYPE_real ? *(const double *)(const void *)value : *(const uint32_t *)(const void *)value;
}

double mu_instance_real(const struct mu_instance *instance, const void *array, uint64_t i)
{
    return instance->setup.single ? (double)((const float *)array)[i] : ((const double *)array)[i];
}

/* ---- Options ---- */

int mu_app_set(const struct mu_app *app, const char *name, const char *text, struct mu_app_setup *setup,
               struct mu_error *err)
{
    const int i = mu_option_find(app->options, name);
    if (i < 0 || i >= MU_MAX_APP_OPTIONS)
        return mu_fail(err, MU_USAGE, "--%s: %s/%s does not take it", name, app->suite, app->name);
    return mu_option_parse(&app->options[i], text, &setup->values[i], err);
}

void mu_app_complete(const struct mu_app *app, struct mu_app_setup *setup)
{
    for (size_t i = 0; app->options[i].name != NULL; i++)
        if (setup->values[i].from == MU_FROM_NOBODY) setup->values[i] = mu_option_default(&app->options[i]);
}

struct mu_value mu_instance_value(const struct mu_instance *instance, const char *name)
{
    return instance->setup.values[mu_option_find(instance->app->options, name)];
}

static uint32_t first_with_an_arc(const struct mu_graph *graph)
{
    for (uint32_t v = 0; v < graph->vertices; v++)
        if (graph->row_start[v + 1] > graph->row_start[v]) return v;
    return 0;
}

static int choose_vertex(const struct mu_option *row, const struct mu_graph *graph, struct mu_value *value,
                         struct mu_error *err)
{
    if (graph->vertices == 0)
        return mu_fail(err, MU_INPUT, "%s: the graph has no vertices, so no %s", graph->name, row->name);
    if (value->number == MU_VERTEX_AUTO)
        *value = (struct mu_value){.from = MU_FROM_INPUT, .number = first_with_an_arc(graph)};
    if (value->number < graph->vertices) return MU_OK;
    return mu_fail(err, MU_USAGE, "%s %u is not a vertex of %s, whose vertices are 0 to %u", row->name,
                   (uint32_t)value->number, graph->name, graph->vertices - 1);
}

/* Puts the values into the state, where prepare finds them. */
static int put_options(struct mu_instance *made, struct mu_error *err)
{
    const struct mu_option *rows = made->app->options;
    for (size_t i = 0; rows[i].name != NULL; i++) {
        struct mu_value *value = &made->setup.values[i];
        if ((rows[i].is & MU_OPTION_VERTEX) != 0 && choose_vertex(&rows[i], made->graph, value, err) != MU_OK)
            return err->status;
        mu_option_put(&rows[i], value, made->state);
    }
    return MU_OK;
}

/* Reads back what prepare has chosen for options that were `auto`. */
static void get_options(struct mu_instance *made)
{
    const struct mu_option *rows = made->app->options;
    for (size_t i = 0; rows[i].name != NULL; i++) {
        struct mu_value value = mu_option_get(&rows[i], made->state);
        value.from = MU_FROM_INPUT;
        if (!mu_option_same(&rows[i], &value, &made->setup.values[i])) made->setup.values[i] = value;
    }
}

/* Completes `made`, whose input is set, and hands it to the caller; frees it after a failure. */
static int finish_instance(struct mu_instance *made, struct mu_instance **instance, struct mu_error *err)
{
    mu_app_complete(made->app, &made->setup);
    check_descriptor(made->app, err);
    if (made->setup.single && (made->app->needs & MU_NEEDS_DOUBLE))
        mu_fail(err, MU_UNSUPPORTED, "%s/%s needs double precision, which the device does not have", made->app->suite,
                made->app->name);
    if (err->status == MU_OK) made->state = mu_calloc(1, made->app->state_bytes, "an app's state", err);
    if (made->state == NULL || put_options(made, err) != MU_OK || made->app->prepare(made, err) != MU_OK) {
        mu_instance_free(made);
        return err->status;
    }
    get_options(made);
    *instance = made;
    return MU_OK;
}

int mu_instance_new(const struct mu_app *app, const struct mu_graph *graph, const struct mu_app_setup *setup,
                    struct mu_instance **instance, struct mu_error *err)
{
    if (app->kind != MU_KIND_GRAPH)
        return mu_fail(err, MU_USAGE, "%s/%s does not work on graphs", app->suite, app->name);
    struct mu_instance *made = mu_calloc(1, sizeof *made, "an app's instance", err);
    if (made == NULL) return err->status;
    made->app = app;
    made->graph = graph;
    made->setup = *setup;
    made->edges = graph->edges;
    made->wide_offsets = (graph->undirected ? graph->edges : 2 * graph->edges) > mu_narrow_edges;
    return finish_instance(made, instance, err);
}

int mu_instance_new_mesh(const struct mu_app *app, const struct mu_mesh *mesh, const struct mu_app_setup *setup,
                         struct mu_instance **instance, struct mu_error *err)
{
    if (app->kind != MU_KIND_MESH)
        return mu_fail(err, MU_USAGE, "%s/%s does not work on meshes", app->suite, app->name);
    struct mu_instance *made = mu_calloc(1, sizeof *made, "an app's instance", err);
    if (made == NULL) return err->status;
    made->app = app;
    made->mesh = mesh;
    made->setup = *setup;
    return finish_instance(made, instance, err);
}

void mu_instance_free(struct mu_instance *instance)
{
    if (instance == NULL) return;
    for (size_t buffer = 0; instance->state != NULL && buffer < instance->app->buffer_count; buffer++)
        mu_free(*mu_instance_array(instance, buffer));
    mu_free(instance->state);
    mu_graph_free(instance->derived);
    mu_free(instance->reference);
    mu_free(instance);
}

int mu_instance_need_results(struct mu_instance *instance, struct mu_error *err)
{
    for (size_t buffer = 0; buffer < instance->app->buffer_count; buffer++) {
        void **array = mu_instance_array(instance, buffer);
        if (instance->app->buffers[buffer].role != MU_ROLE_RESULT || *array != NULL) continue;
        *array = mu_calloc(instance->app->length(instance, buffer), mu_instance_element_bytes(instance, buffer),
                           instance->app->buffers[buffer].name, err);
        if (*array == NULL) return err->status;
    }
    return MU_OK;
}

bool mu_is_scattered(const struct mu_graph *graph)
{
    const uint32_t near = UINT32_C(1) << 16; /* as many work-items, in order of magnitude, run at once on a large GPU */
    uint64_t far = 0;
    for (uint32_t v = 0; v < graph->vertices; v++)
        for (uint64_t e = graph->row_start[v]; e < graph->row_start[v + 1]; e++) {
            const uint32_t w = graph->column[e];
            far += (v < w ? w - v : v - w) > near;
        }
    return far > graph->edges / 2;
}

int mu_derive_symmetric(struct mu_instance *instance, struct mu_error *err)
{
    if (mu_graph_symmetrise(instance->graph, &instance->derived, err) == MU_OK)
        instance->edges = instance->derived->edges;
    return err->status;
}

int mu_derive_incoming(struct mu_instance *instance, bool *directed, struct mu_error *err)
{
    *directed = false;
    if (instance->graph->undirected || mu_graph_transpose(instance->graph, &instance->derived, err) != MU_OK)
        return err->status;
    *directed = !mu_graph_equal(instance->graph, instance->derived);
    if (*directed) return MU_OK;
    mu_graph_free(instance->derived);
    instance->derived = NULL;
    return MU_OK;
}

uint32_t *mu_copy_words(const uint32_t *words, uint64_t count, const char *what, struct mu_error *err)
{
    uint32_t *copy = mu_malloc(count, sizeof *copy, what, err);
    if (copy != NULL && count != 0) memcpy(copy, words, (size_t)count * sizeof *copy);
    return copy;
}

int mu_take_rows(struct mu_instance *instance, const struct mu_graph *graph, const struct mu_rows *rows,
                 struct mu_error *err)
{
    *rows->vertices = graph->vertices;
    *rows->row_start = mu_copy_rows(instance, graph, err);
    *rows->column = mu_copy_words(graph->column, graph->edges, "columns", err);
    return err->status;
}

int mu_take_graph(struct mu_instance *instance, const struct mu_rows *rows, struct mu_error *err)
{
    return mu_take_rows(instance, instance->graph, rows, err);
}

int mu_take_symmetric(struct mu_instance *instance, const struct mu_rows *rows, struct mu_error *err)
{
    if (mu_derive_symmetric(instance, err) != MU_OK) return err->status;
    return mu_take_rows(instance, instance->derived, rows, err);
}

int mu_check_words(const uint32_t *got, const uint32_t *expected, uint32_t vertices, const char *what,
                   struct mu_error *err)
{
    for (uint32_t v = 0; v < vertices; v++)
        if (got[v] != expected[v])
            return mu_fail(err, MU_WRONG, "vertex %u has %s %u instead of %u", v, what, got[v], expected[v]);
    return MU_OK;
}

void *mu_copy_rows(const struct mu_instance *instance, const struct mu_graph *graph, struct mu_error *err)
{
    const size_t count = (size_t)graph->vertices + 1;
    void *rows = mu_malloc(count, instance->wide_offsets ? 8 : 4, "row offsets", err);
    if (rows == NULL) return NULL;
    if (instance->wide_offsets) {
        memcpy(rows, graph->row_start, count * sizeof *graph->row_start);
        return rows;
    }
    for (size_t v = 0; v < count; v++) ((uint32_t *)rows)[v] = (uint32_t)graph->row_start[v];
    return rows;
}
