/* apps/app and the registry: names, tables and lengths of every app, sources, copies of rows. */
#include "apps/app.h"
#include "base/memory.h"
#include "harness/campaign/suites.h"
#include "inputs/generators/generators.h"
#include "tests/apps/app_inputs.h"
#include "tests/tap.h"
#include "variants/launch/execution.h"

#include <string.h>

static int compare(const struct mu_app *a, const struct mu_app *b)
{
    const int suites = strcmp(a->suite, b->suite);
    return suites != 0 ? suites : strcmp(a->name, b->name);
}

static size_t count_called(const char *name)
{
    size_t count = 0;
    for (const struct mu_app *const *app = mu_apps; *app != NULL; app++) count += strcmp((*app)->name, name) == 0;
    return count;
}

static void test_find(void)
{
    static const char *const strangers[] = {
        "", "/", "bf", "bfss", "lonestar", "lonestar/", "/bfs", "pannotia/bfs", "lonestar/bfs/", "BFS", "lone/bfs"};
    char full[128];
    for (const struct mu_app *const *app = mu_apps; *app != NULL; app++) {
        struct mu_error err = {0}, short_err = {0};
        snprintf(full, sizeof full, "%s/%s", (*app)->suite, (*app)->name);
        CHECK(mu_app_find(full, &err) == *app, "%s is found", full);
        const struct mu_app *found = mu_app_find((*app)->name, &short_err);
        if (count_called((*app)->name) == 1)
            CHECK(found == *app, "%s is enough", (*app)->name);
        else
            CHECK(found == NULL && short_err.status == MU_USAGE && strstr(short_err.message, "ambiguous") != NULL &&
                      strstr(short_err.message, full) != NULL,
                  "%s is not enough: %s", (*app)->name, short_err.message);
        if (app != mu_apps) CHECK(compare(app[-1], *app) < 0, "%s is in order", full);
    }
    for (size_t i = 0; i < sizeof strangers / sizeof strangers[0]; i++) {
        struct mu_error err = {0};
        CHECK(mu_app_find(strangers[i], &err) == NULL && err.status == MU_USAGE &&
                  strstr(err.message, "lonestar/bfs") != NULL,
              "'%s' is no app, and the message lists those there are", strangers[i]);
    }
}

/* The tables that come from an app's state list. */
static void test_tables(const struct mu_app *app)
{
    bool distinct = true, ours = true;
    for (size_t i = 0; i < app->buffer_count; i++)
        for (size_t j = 0; j < i; j++) distinct &= strcmp(app->buffers[i].name, app->buffers[j].name) != 0;
    for (size_t i = 0; i < app->buffer_count; i++) ours &= mu_app_buffer(app, app->buffers[i].name) == i;
    CHECK(app->buffer_count >= 1 && app->buffer_count <= MU_MAX_BUFFERS && distinct && ours, "%s/%s: %zu buffers",
          app->suite, app->name, app->buffer_count);
    const struct mu_buffer *result = &app->buffers[mu_app_buffer(app, app->result)];
    CHECK(strcmp(result->name, app->result) == 0 && result->role == MU_ROLE_RESULT, "%s/%s: %s is a result", app->suite,
          app->name, app->result);
    CHECK(app->purpose[0] != '\0' && strchr(app->purpose, '\n') == NULL, "%s/%s: one line of purpose", app->suite,
          app->name);
}

static void test_instance(const struct mu_app *app, const struct app_inputs *inputs)
{
    const struct mu_app_setup setup = {.seed = 1};
    const char *name = input_name(app, inputs);
    struct mu_instance *instance = NULL;
    struct mu_error err = {0};
    const int status = new_instance(app, inputs, &setup, &instance, &err);
    if (!CHECK(status == MU_OK && instance != NULL, "%s/%s on %s: an instance %s", app->suite, app->name, name,
               err.message))
        return;
    bool filled = true, zeros = true;
    for (size_t buffer = 0; buffer < app->buffer_count; buffer++) {
        const bool input = app->buffers[buffer].role == MU_ROLE_INPUT;
        const void *array = *mu_instance_array(instance, buffer);
        filled &= input ? array != NULL || app->length(instance, buffer) == 0 : array == NULL;
        if (app->buffers[buffer].type == MU_TYPE_offset && array != NULL && app->length(instance, buffer) > 0)
            zeros &= *(const uint32_t *)array == 0;
    }
    CHECK(filled && zeros, "%s/%s on %s: inputs are there, and nothing else", app->suite, app->name, name);
    const size_t result = mu_app_buffer(app, app->result);
    CHECK(app->kind == MU_KIND_MESH || app->length(instance, result) == inputs->graph->vertices,
          "%s/%s on %s: a value for each vertex", app->suite, app->name, name);
    CHECK(mu_instance_need_results(instance, &err) == MU_OK && *mu_instance_array(instance, result) != NULL,
          "%s/%s on %s: room for results", app->suite, app->name, name);
    mu_instance_free(instance);
}

/* An app on graphs refuses a mesh, and the other way round. */
static void test_kind(const struct mu_app *app, const struct app_inputs *inputs)
{
    const struct mu_app_setup setup = {.seed = 1};
    struct mu_instance *instance = NULL;
    struct mu_error err = {0};
    if (app->kind == MU_KIND_MESH)
        mu_instance_new(app, inputs->graph, &setup, &instance, &err);
    else
        mu_instance_new_mesh(app, inputs->mesh, &setup, &instance, &err);
    CHECK(err.status == MU_USAGE && instance == NULL, "%s/%s: the other kind of input: %s", app->suite, app->name,
          err.message);
}

/* What needs double precision says so where there is none. */
static void test_double(const struct mu_app *app, const struct app_inputs *inputs)
{
    const struct mu_app_setup setup = {.seed = 1, .single = true};
    struct mu_instance *instance = NULL;
    struct mu_error err = {0};
    const int status = new_instance(app, inputs, &setup, &instance, &err);
    if (app->needs & MU_NEEDS_DOUBLE)
        CHECK(status == MU_UNSUPPORTED && instance == NULL && strstr(err.message, "double") != NULL,
              "%s/%s without double precision: %s", app->suite, app->name, err.message);
    else
        CHECK(status == MU_OK, "%s/%s does without double precision %s", app->suite, app->name, err.message);
    mu_instance_free(instance);
}

static void test_source(const struct mu_app *app, const struct mu_graph *graph)
{
    const uint32_t sources[] = {graph->vertices, UINT32_MAX - 1};
    if (mu_option_find(app->options, "source") < 0) return;
    for (size_t i = 0; i < 2; i++) {
        struct mu_app_setup setup = {0};
        struct mu_instance *instance = NULL;
        struct mu_error err = {0};
        char text[16];
        snprintf(text, sizeof text, "%u", sources[i]);
        mu_app_set(app, "source", text, &setup, &err);
        CHECK(mu_instance_new(app, graph, &setup, &instance, &err) == MU_USAGE && instance == NULL, "%s/%s: %s",
              app->suite, app->name, err.message);
    }
    uint64_t row_start[] = {0};
    char name[] = "nothing";
    const struct mu_graph nothing = {.name = name, .row_start = row_start};
    const struct mu_app_setup setup = {0};
    struct mu_instance *instance = NULL;
    struct mu_error err = {0};
    CHECK(mu_instance_new(app, &nothing, &setup, &instance, &err) == MU_INPUT && instance == NULL, "%s/%s: %s",
          app->suite, app->name, err.message);
}

/* A name in a text that the compiler does not see: an error that says so, not another buffer. */
static void test_descriptor(const struct mu_app *app, const struct app_inputs *inputs)
{
    static const struct {
        const char *result, *wanted, *message;
    } wrong[] = {
        {"statsu", NULL, ".result = \"statsu\""},
        {NULL, NULL, ".result = \"\""},
        {"", NULL, ".result = \"\""},
        {"row_start", NULL, ".result = \"row_start\""}, /* an INPUT of every app on graphs */
        {"", "romo", ".wanted = \"romo\""},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        const struct mu_app_setup setup = {.seed = 1};
        struct mu_instance *instance = NULL;
        struct mu_error err = {0};
        struct mu_app misspelt = *app;
        misspelt.result = wrong[i].wanted != NULL ? app->result : wrong[i].result;
        misspelt.wanted = wrong[i].wanted;
        CHECK(new_instance(&misspelt, inputs, &setup, &instance, &err) == MU_BUILD && instance == NULL &&
                  strstr(err.message, wrong[i].message) != NULL,
              "%s", err.message);
    }
}

/* What a role cannot be of. That it can be of the other types, tests/apps/own/reach shows. */
static void test_roles(const struct app_inputs *inputs)
{
    static const struct {
        enum mu_role role;
        enum mu_type type;
    } wrong[] = {
        {MU_ROLE_FLAG, MU_TYPE_real},  {MU_ROLE_COUNTER, MU_TYPE_ulong}, {MU_ROLE_SUM, MU_TYPE_float},
        {MU_ROLE_SUM, MU_TYPE_double}, {MU_ROLE_MAX, MU_TYPE_offset},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        const struct mu_buffer buffers[] = {{"queer", wrong[i].type, wrong[i].role, 0}};
        const struct mu_app_setup setup = {.seed = 1};
        struct mu_instance *instance = NULL;
        struct mu_error err = {0};
        struct mu_app app = *mu_app_find("pannotia/mis", &err);
        app.buffers = buffers;
        app.buffer_count = 1;
        CHECK(new_instance(&app, inputs, &setup, &instance, &err) == MU_BUILD &&
                  strstr(err.message, "buffer queer: a FLAG or COUNTER is of uint") != NULL,
              "%s", err.message);
    }
}

static void test_rows(const struct mu_graph *graph)
{
    struct mu_error err = {0};
    struct mu_instance narrow = {0}, wide = {.wide_offsets = true};
    uint32_t *rows = mu_copy_rows(&narrow, graph, &err);
    uint64_t *wide_rows = mu_copy_rows(&wide, graph, &err);
    bool same = rows != NULL && wide_rows != NULL;
    for (uint32_t v = 0; same && v <= graph->vertices; v++)
        same = rows[v] == graph->row_start[v] && wide_rows[v] == graph->row_start[v];
    CHECK(same, "row starts in 32 and in 64 bits");
    mu_free(rows);
    mu_free(wide_rows);
    const struct mu_buffer buffers[] = {{.name = "a", .type = MU_TYPE_offset}, {.name = "b", .type = MU_TYPE_uint}};
    const struct mu_app app = {.buffers = buffers, .buffer_count = 2};
    narrow.app = wide.app = &app;
    CHECK(mu_instance_element_bytes(&narrow, 0) == 4 && mu_instance_element_bytes(&wide, 0) == 8 &&
              mu_instance_element_bytes(&wide, 1) == 4,
          "an offset has 4 or 8 bytes");
}

/* A suite that names an app that is not there would not measure it. */
static void test_suites(void)
{
    for (const struct mu_suite *suite = mu_suites; suite->experiment.name != NULL; suite++) {
        struct mu_error err = {0};
        size_t rows = 0;
        for (const struct mu_suite_row *row = suite->rows; row->app != NULL && err.status == MU_OK; row++, rows++)
            if (mu_app_find(row->app, &err) != NULL && row->inputs[0] == NULL)
                mu_fail(&err, MU_INPUT, "%s has no input", row->app);
        CHECK(rows > 0 && err.status == MU_OK, "suite %s: %zu apps are there %s", suite->experiment.name, rows,
              err.message);
    }
}

static bool has_input(const struct mu_suite *suite, const char *input)
{
    for (const struct mu_suite_row *row = suite->rows; row->app != NULL; row++)
        for (size_t i = 0; row->inputs[i] != NULL; i++)
            if (strcmp(row->inputs[i], input) == 0) return true;
    return false;
}

/* Inputs that judge what was chosen on others are in no other suite. */
static void test_unseen(void)
{
    const struct mu_suite *unseen = mu_suite_find("unseen");
    const char *shared = "";
    for (const struct mu_suite *suite = mu_suites; suite->experiment.name != NULL; suite++)
        for (const struct mu_suite_row *row = unseen->rows; row->app != NULL && suite != unseen; row++)
            for (size_t i = 0; row->inputs[i] != NULL; i++)
                if (has_input(suite, row->inputs[i])) shared = row->inputs[i];
    CHECK(shared[0] == '\0' && has_input(mu_suite_find("smoke"), "rmat:12"), "no other suite has an input of unseen %s",
          shared);
}

/* The far list of sssp has stamps only where a group shares edges. */
static void test_stamps(const struct app_inputs *inputs)
{
    static const struct {
        bool serial;
        const char *serial_degree;
        bool stamps;
    } cases[] = {{false, "auto", true}, {true, "auto", false}, {true, "8", true}, {false, "8", true}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct mu_app_setup setup = {.seed = 1, .serial = cases[i].serial};
        struct mu_instance *instance = NULL;
        struct mu_error err = {0};
        const struct mu_app *app = mu_app_find("lonestar/sssp", &err);
        mu_app_set(app, "serial_degree", cases[i].serial_degree, &setup, &err);
        if (!CHECK(new_instance(app, inputs, &setup, &instance, &err) == MU_OK, "an instance %s", err.message))
            continue;
        CHECK(app->length(instance, mu_app_buffer(app, "far_stamp")) == (cases[i].stamps ? inputs->graph->vertices : 0),
              "lonestar/sssp, serial %d, serial degree %s: stamps of the far list", cases[i].serial,
              cases[i].serial_degree);
        mu_instance_free(instance);
    }
}

/* How many sources bc serves at a time: many on a GPU, on a CPU as its caches hold and its compute units share. */
static void test_bc_batches(const struct app_inputs *inputs)
{
    static const struct {
        bool serial;
        uint32_t units, batch;
    } cases[] = {{false, 132, 16}, {true, 0, 1}, {true, 1, 1}, {true, 2, 1}, {true, 16, 4}, {true, 64, 16}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct mu_app_setup setup = {.seed = 1, .serial = cases[i].serial, .units = cases[i].units};
        struct mu_instance *instance = NULL;
        struct mu_error err = {0};
        const struct mu_app *app = mu_app_find("pannotia/bc", &err);
        if (!CHECK(new_instance(app, inputs, &setup, &instance, &err) == MU_OK, "an instance %s", err.message))
            continue;
        const uint64_t elements = app->length(instance, mu_app_buffer(app, "paths"));
        CHECK(elements == (uint64_t)cases[i].batch * inputs->graph->vertices,
              "pannotia/bc, serial %d, %u units: a batch of %u sources", cases[i].serial, cases[i].units,
              (unsigned)(elements / inputs->graph->vertices));
        mu_instance_free(instance);
    }
}

/* Neighbours of a random graph have far numbers, those of a grid near ones. */
static void test_scattered(void)
{
    struct app_inputs random = {0}, grid = {0};
    if (!load_inputs("uniform:18:2", "mesh:30", &random) || !load_inputs("grid2d:600x600", "mesh:30", &grid)) return;
    CHECK(mu_is_scattered(random.graph) && !mu_is_scattered(grid.graph), "a random graph is scattered, a grid is not");
    test_bc_batches(&random);
    free_inputs(&random);
    free_inputs(&grid);
}

int main(void)
{
    struct app_inputs inputs = {0}, small = {0};
    if (!load_inputs("road:12", "mesh:30", &inputs) || !load_inputs("grid2d:1x1", "meshgrid:2x2", &small)) return 99;
    test_find();
    for (const struct mu_app *const *app = mu_apps; *app != NULL; app++) {
        test_tables(*app);
        test_instance(*app, &inputs);
        test_instance(*app, &small);
        test_kind(*app, &inputs);
        test_double(*app, &inputs);
        test_source(*app, inputs.graph);
        if ((*app)->kind == MU_KIND_GRAPH && strcmp((*app)->name, "mis") == 0) test_descriptor(*app, &inputs);
    }
    test_roles(&inputs);
    test_stamps(&inputs);
    test_rows(inputs.graph);
    test_scattered();
    mu_instance_free(NULL);
    free_inputs(&inputs);
    free_inputs(&small);
    test_suites();
    test_unseen();
    return tap_done();
}
