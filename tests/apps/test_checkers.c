/* Checkers of apps on graphs are tested by corrupting right answers (dmr has tests/apps/test_dmr): every app is run,
 * its answer must pass, and each corrupted one must not. A checker that accepts a wrong answer is a failing test. */
#include "apps/corrupt.h"
#include "apps/symmetric.h"
#include "base/memory.h"
#include "tests/on_device.h"
#include "tests/tap.h"

/* Corrupts one result in every way, each of which must change it: inputs are chosen so. Results of one word are flags,
 * which need not be raised. */
static void test_result(struct mu_instance *instance, size_t buffer)
{
    const struct mu_app *app = instance->app;
    for (const struct mu_corruption *how = mu_corruptions; how->name != NULL; how++) {
        struct mu_error err = {0}, verdict = {0}, restored = {0};
        bool changed = false;
        if (strcmp(app->buffers[buffer].name, app->result) != 0 && !how->of_sets) continue;
        mu_corrupt(instance, buffer, how, &changed, &verdict, &err);
        const bool passes_again = app->check(instance, &restored) == MU_OK;
        CHECK(err.status == MU_OK && changed && verdict.status == MU_WRONG && passes_again, "%s/%s on %s, %s, %s: %s",
              app->suite, app->name, instance->graph->name, app->buffers[buffer].name, how->name, verdict.message);
    }
}

/* A graph is made symmetric once, for the app and its checker. Here that went wrong: an app has worked, rightly, on
 * another graph than the one it is checked against, of which it has an arc less or more, or one of another weight. */
static void test_lost_arcs(const struct on_device *device, const char *name)
{
    static const char *const texts[] = {"an arc less", "an arc more", "another weight"};
    uint64_t row_start[] = {0, 2, 3, 3, 3}; /* 0 -> 1, 0 -> 2, 1 -> 3; the arc back is made */
    uint32_t column[] = {1, 2, 3}, weight[] = {5, 6, 7};
    char title[] = "four";
    const struct mu_app_setup setup = {.seed = 1, .single = !device->info.has_double};
    const struct mu_graph four = {
        .name = title, .vertices = 4, .edges = 3, .row_start = row_start, .column = column, .weight = weight};
    for (int i = 0; i < 3; i++) {
        struct mu_instance *instance = NULL;
        struct mu_error err = {0}, verdict = {0};
        uint64_t rows[] = {0, 2, 3, 3, 3}, more_rows[] = {0, 2, 3, 4, 4};
        uint32_t columns[] = {1, 2, 3}, more[] = {1, 2, 3, 3}, weights[] = {5, 6, i == 2 ? 8 : 7, 9};
        struct mu_graph other = {
            .name = title, .vertices = 4, .edges = 3, .row_start = rows, .column = columns, .weight = weights};
        if (i == 0) other.edges = rows[1] = rows[2] = rows[3] = rows[4] = 2;
        if (i == 1)
            other = (struct mu_graph){
                .name = title, .vertices = 4, .edges = 4, .row_start = more_rows, .column = more, .weight = weights};
        const struct mu_app *app = mu_app_find(name, &err);
        if (i == 2 && (app->needs & MU_NEEDS_WEIGHTS) == 0) continue;
        if (mu_instance_new(app, &other, &setup, &instance, &err) == MU_OK && run_on(device, instance, &err) == MU_OK &&
            app->check(instance, &err) == MU_OK) {
            mu_free(instance->reference);
            instance->reference = NULL;
            instance->graph = &four;
            app->check(instance, &verdict);
        }
        CHECK(err.status == MU_OK && verdict.status == MU_WRONG && strstr(verdict.message, "symmetric") != NULL,
              "%s: right for a graph with %s: %s%s", name, texts[i], err.message, verdict.message);
        mu_instance_free(instance);
    }
}

/* A graph that an app took as it is, since it seemed symmetric: a path of three vertices. */
static void test_taken_as_it_is(void)
{
    enum { MOST_ARCS = 5 };
    static const struct {
        const char *what;
        int expect;
        uint64_t row_start[4];
        uint32_t column[MOST_ARCS], weight[MOST_ARCS];
    } cases[] = {
        {"symmetric", MU_OK, {0, 1, 3, 4}, {1, 0, 2, 1}, {5, 5, 6, 6}},
        {"another weight one way", MU_WRONG, {0, 1, 3, 4}, {1, 0, 2, 1}, {5, 5, 6, 7}},
        {"no way back to a smaller vertex", MU_WRONG, {0, 0, 2, 3}, {0, 2, 1}, {5, 6, 6}},
        {"no way back to a greater vertex", MU_WRONG, {0, 1, 3, 3}, {1, 0, 2}, {5, 5, 6}},
        {"no way back, and another one", MU_WRONG, {0, 1, 2, 4}, {2, 2, 1, 1}, {5, 6, 6, 6}},
        {"a loop", MU_WRONG, {0, 1, 4, 5}, {1, 0, 1, 2, 1}, {5, 5, 9, 6, 6}},
        {"a row that descends", MU_WRONG, {0, 1, 3, 4}, {1, 2, 0, 1}, {5, 6, 5, 6}},
        {"parallel arcs one way", MU_WRONG, {0, 2, 4, 5}, {1, 1, 0, 2, 1}, {5, 5, 5, 6, 6}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char title[] = "path";
        uint64_t rows[4];
        uint32_t column[MOST_ARCS], weight[MOST_ARCS];
        memcpy(rows, cases[i].row_start, sizeof rows);
        memcpy(column, cases[i].column, sizeof column);
        memcpy(weight, cases[i].weight, sizeof weight);
        struct mu_graph path = {
            .name = title, .vertices = 3, .edges = rows[3], .row_start = rows, .column = column, .weight = weight};
        const struct mu_instance instance = {.graph = &path, .derived = &path};
        struct mu_error err = {0};
        mu_check_symmetric(&instance, &err);
        CHECK((int)err.status == cases[i].expect, "a graph taken as it is, %s: %s", cases[i].what, err.message);
    }
}

/* Right distances with a claim that one of them overflows. */
static void test_false_overflow(const struct on_device *device, const char *name, const struct mu_graph *graph)
{
    const struct mu_app_setup setup = {.seed = 1, .single = !device->info.has_double};
    struct mu_instance *instance = NULL;
    struct mu_error err = {0}, verdict = {0};
    const struct mu_app *app = mu_app_find(name, &err);
    if (mu_instance_new(app, graph, &setup, &instance, &err) == MU_OK && run_on(device, instance, &err) == MU_OK &&
        app->check(instance, &err) == MU_OK) {
        **(uint32_t **)mu_instance_array(instance, mu_app_buffer(app, "overflow")) = 1;
        app->check(instance, &verdict);
    }
    CHECK(err.status == MU_OK && verdict.status == MU_WRONG, "%s: an overflow that there is not: %s%s", name,
          err.message, verdict.message);
    mu_instance_free(instance);
}

/* Weights at the limits of 32 bits: right answers pass, also where a distance overflows only along an arc that closes a
 * cycle; a distance that does not fit is a limit, not a wrong result. Apps that add no weights up pass them all. */
static void test_limits(const struct on_device *device, const struct mu_app *app)
{
    enum { MOST_ARCS = 4 };
    static const struct {
        const char *what;
        int distances; /* the verdict of apps of shortest paths */
        uint64_t row_start[4];
        uint32_t column[MOST_ARCS], weight[MOST_ARCS];
    } cases[] = {
        {"a loop of the greatest weight", MU_OK, {0, 1, 1, 1}, {0}, {UINT32_MAX}},
        {"a path of two times 2000000000",
         MU_OK,
         {0, 1, 3, 4},
         {1, 0, 2, 1},
         {2000000000, 2000000000, 2000000000, 2000000000}},
        {"the greatest distance", MU_OK, {0, 1, 3, 4}, {1, 0, 2, 1}, {UINT32_MAX - 1, UINT32_MAX - 1, 0, 0}},
        {"a distance of 2^32 - 1", MU_LIMIT, {0, 1, 3, 4}, {1, 0, 2, 1}, {UINT32_MAX, UINT32_MAX, 0, 0}},
        {"weights of zero", MU_OK, {0, 1, 3, 4}, {1, 0, 2, 1}, {0, 0, 0, 0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct mu_app_setup setup = {.seed = 1, .single = !device->info.has_double};
        const int expected = strncmp(app->name, "sssp", 4) == 0 ? cases[i].distances : MU_OK;
        char title[] = "limits";
        uint64_t rows[4];
        uint32_t column[MOST_ARCS], weight[MOST_ARCS];
        memcpy(rows, cases[i].row_start, sizeof rows);
        memcpy(column, cases[i].column, sizeof column);
        memcpy(weight, cases[i].weight, sizeof weight);
        const struct mu_graph graph = {
            .name = title, .vertices = 3, .edges = rows[3], .row_start = rows, .column = column, .weight = weight};
        struct mu_instance *instance = NULL;
        struct mu_error err = {0};
        if (mu_instance_new(app, &graph, &setup, &instance, &err) == MU_OK && run_on(device, instance, &err) == MU_OK)
            app->check(instance, &err);
        CHECK((int)err.status == expected, "%s/%s, %s: %s", app->suite, app->name, cases[i].what, err.message);
        mu_instance_free(instance);
    }
}

static void test_app(const struct on_device *device, const struct mu_app *app, const struct mu_graph *graph)
{
    const struct mu_app_setup setup = {.seed = 1, .single = !device->info.has_double};
    struct mu_instance *instance = NULL;
    struct mu_error err = {0};
    if (mu_instance_new(app, graph, &setup, &instance, &err) == MU_OK && run_on(device, instance, &err) == MU_OK)
        app->check(instance, &err);
    if (CHECK(err.status == MU_OK, "%s/%s on %s: the right answer passes %s", app->suite, app->name, graph->name,
              err.message))
        for (size_t buffer = 0; buffer < app->buffer_count; buffer++)
            if (app->buffers[buffer].role == MU_ROLE_RESULT && app->length(instance, buffer) == graph->vertices)
                test_result(instance, buffer);
    mu_instance_free(instance);
}

/* On a path of three vertices, {0, 2} and {1} are maximal and independent; only one of them comes first. */
static void test_mis_order(void)
{
    uint64_t row_start[] = {0, 1, 3, 4};
    uint32_t column[] = {1, 0, 2, 1};
    char name[] = "path";
    const struct mu_graph path = {
        .name = name, .vertices = 3, .edges = 4, .undirected = true, .row_start = row_start, .column = column};
    const uint32_t sets[2][3] = {{1, 2, 1}, {2, 1, 2}}; /* MIS_IN is 1, MIS_OUT 2 */
    const struct mu_app_setup setup = {.seed = 1};
    struct mu_instance *instance = NULL;
    struct mu_error err = {0};
    const struct mu_app *mis = mu_app_find("pannotia/mis", &err);
    if (mis == NULL || mu_instance_new(mis, &path, &setup, &instance, &err) != MU_OK ||
        mu_instance_need_results(instance, &err) != MU_OK) {
        CHECK(false, "mis on a path: %s", err.message);
        mu_instance_free(instance);
        return;
    }
    int accepted = 0, refused = 0;
    for (int i = 0; i < 2; i++) {
        struct mu_error verdict = {0};
        memcpy(*mu_instance_array(instance, mu_app_buffer(mis, "status")), sets[i], sizeof sets[i]);
        accepted += mis->check(instance, &verdict) == MU_OK;
        refused += verdict.status == MU_WRONG && strstr(verdict.message, "lexicographically") != NULL;
    }
    CHECK(accepted == 1 && refused == 1, "mis: a maximal independent set that is not the first is refused");
    mu_instance_free(instance);
}

/* Whether the app is of the sample: each other one, since PoCL compiles each for a second. */
static bool is_sampled(const struct mu_app *const *app)
{
    return (app - mu_apps) % 2 == 0 && is_first_of_problem(app);
}

int main(void)
{
    static const char *const inputs[] = {"uniform:7:2", "rmat:6:3"};
    struct on_device device = {0};
    test_mis_order();
    test_taken_as_it_is();
    compile_unoptimised();
    if (!open_pocl(&device)) {
        tap_skip("the checkers of all apps", "there is no PoCL (Debian package pocl-opencl-icd)");
        return tap_done();
    }
    for (size_t i = 0; i < sizeof inputs / sizeof inputs[0]; i++) {
        struct mu_graph *graph = NULL;
        struct mu_error err = {0};
        if (mu_graph_load(inputs[i], 1, &graph, &err) != MU_OK || mu_graph_need_weights(graph, &err) != MU_OK)
            return 99;
        for (const struct mu_app *const *app = mu_apps; *app != NULL; app++)
            if ((*app)->kind == MU_KIND_GRAPH && (is_sampled(app) || tap_in_full())) test_app(&device, *app, graph);
        if (i == 0) {
            test_false_overflow(&device, "pannotia/sssp", graph);
            if (tap_in_full()) test_false_overflow(&device, "lonestar/sssp", graph);
            if (tap_in_full()) test_false_overflow(&device, "irgl/sssp-nf", graph);
        }
        mu_graph_free(graph);
    }
    for (const struct mu_app *const *app = mu_apps; *app != NULL; app++)
        if (((*app)->needs & MU_NEEDS_WEIGHTS) != 0 && (is_sampled(app) || tap_in_full())) test_limits(&device, *app);
    test_lost_arcs(&device, "pannotia/mis");
    test_lost_arcs(&device, "pannotia/color");
    test_lost_arcs(&device, "lonestar/mst");
    if (tap_in_full()) test_lost_arcs(&device, "irgl/mst-multi");
    test_lost_arcs(&device, "irgl/tri");
    mu_device_close(&device.target);
    return tap_done();
}
