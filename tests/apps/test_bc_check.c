/* The checker of pannotia/bc in single precision, without a device: it accepts what single precision gives, and refuses
 * results from which any source is missing, and claims of an overflow that there is not. */
#include "apps/app.h"
#include "base/memory.h"
#include "tests/tap.h"

#include <math.h>
#include <string.h>

enum { MOST = 1024 };

/* The dependencies of one source, by Brandes' algorithm as it is in the paper (2001), in floats: `sum` is added to. */
static void add_dependencies(const struct mu_graph *graph, uint32_t source, float *sum)
{
    static float paths[MOST], dependency[MOST];
    static uint32_t distance[MOST], order[MOST];
    uint32_t head = 0, tail = 0;
    for (uint32_t v = 0; v < graph->vertices; v++) {
        distance[v] = UINT32_MAX;
        paths[v] = dependency[v] = 0;
    }
    distance[source] = 0;
    paths[source] = 1;
    order[tail++] = source;
    while (head < tail) {
        const uint32_t v = order[head++];
        for (uint64_t e = graph->row_start[v]; e < graph->row_start[v + 1]; e++) {
            const uint32_t w = graph->column[e];
            if (distance[w] == UINT32_MAX) {
                distance[w] = distance[v] + 1;
                order[tail++] = w;
            }
            if (distance[w] == distance[v] + 1) paths[w] += paths[v];
        }
    }
    while (tail-- > 1) {
        const uint32_t v = order[tail];
        for (uint64_t e = graph->row_start[v]; e < graph->row_start[v + 1]; e++) {
            const uint32_t w = graph->column[e];
            if (distance[w] == distance[v] + 1) dependency[v] += paths[v] / paths[w] * (1 + dependency[w]);
        }
        sum[v] += dependency[v];
    }
}

static void put(const struct mu_instance *instance, const char *buffer, const void *values, size_t bytes)
{
    memcpy(*mu_instance_array(instance, mu_app_buffer(instance->app, buffer)), values, bytes);
}

/* Each source is left out once, which changes the result unless the source has no path of two arcs. What a source adds
 * is found once. */
static void test_dropped(struct mu_instance *instance, const struct mu_graph *graph)
{
    static float of[MOST][MOST];
    const size_t bytes = graph->vertices * sizeof(float);
    size_t refused = 0, wrong = 0, equal = 0;
    for (uint32_t source = 0; source < graph->vertices; source++) {
        memset(of[source], 0, bytes);
        add_dependencies(graph, source, of[source]);
    }
    for (uint32_t dropped = 0; dropped < graph->vertices; dropped++) {
        static float sum[MOST];
        const float *own = of[dropped];
        struct mu_error err = {0};
        memset(sum, 0, bytes);
        for (uint32_t source = 0; source < graph->vertices; source++)
            for (uint32_t v = 0; v < graph->vertices && source != dropped; v++) sum[v] += of[source][v];
        bool changes = false;
        for (uint32_t v = 0; v < graph->vertices; v++) changes = changes || own[v] > 0;
        put(instance, "centrality", sum, bytes);
        instance->app->check(instance, &err);
        if (!changes) equal += err.status == MU_OK;
        wrong += changes;
        refused += changes && err.status == MU_WRONG;
    }
    CHECK(refused == wrong && wrong > graph->vertices / 2, "%s: %zu of %zu results without a source are refused",
          graph->name, refused, wrong);
    CHECK(equal + wrong == graph->vertices, "%s: %zu sources have nothing to add", graph->name, equal);
}

static void test_overflow(struct mu_instance *instance, const struct mu_graph *graph)
{
    const uint32_t claims[] = {0, graph->vertices};
    for (size_t i = 0; i < 2; i++) {
        struct mu_error err = {0};
        put(instance, "overflow", &claims[i], sizeof claims[i]);
        instance->app->check(instance, &err);
        CHECK(err.status == MU_WRONG, "%s: an overflow that there is not: %s", graph->name, err.message);
    }
}

/* A chain of diamonds doubles the number of paths at each: 2^120 is more than single precision may count, and less than
 * double precision may. */
static void test_real_overflow(const struct mu_app *bc, bool single)
{
    enum { DIAMONDS = 120, VERTICES = 3 * DIAMONDS + 1, ARCS = 4 * DIAMONDS };
    static uint64_t row_start[VERTICES + 1];
    static uint32_t column[ARCS];
    static float sum[VERTICES];
    char name[] = "diamonds";
    const uint32_t claim = 0, none = UINT32_MAX;
    struct mu_instance *instance = NULL;
    struct mu_error err = {0}, claimed = {0}, silent = {0};
    const struct mu_app_setup setup = {.seed = 1, .single = single};
    uint64_t arcs = 0;
    for (uint32_t v = 0; v < VERTICES; v++) {
        row_start[v] = arcs;
        if (v + 1 == VERTICES) break;
        column[arcs++] = v % 3 == 0 ? v + 1 : v - v % 3 + 3;
        if (v % 3 == 0) column[arcs++] = v + 2;
    }
    row_start[VERTICES] = arcs;
    const struct mu_graph graph = {
        .name = name, .vertices = VERTICES, .edges = arcs, .row_start = row_start, .column = column};
    if (mu_instance_new(bc, &graph, &setup, &instance, &err) != MU_OK ||
        mu_instance_need_results(instance, &err) != MU_OK) {
        CHECK(false, "diamonds: %s", err.message);
    } else {
        put(instance, "overflow", &claim, sizeof claim);
        bc->check(instance, &claimed);
        put(instance, "overflow", &none, sizeof none);
        put(instance, "centrality", sum, sizeof sum);
        bc->check(instance, &silent);
        CHECK(claimed.status == (single ? MU_LIMIT : MU_WRONG), "2^120 paths in %s precision: %s",
              single ? "single" : "double", claimed.message);
        CHECK(silent.status == MU_WRONG && (strstr(silent.message, "noticed") != NULL) == single,
              "… which is not noticed: %s", silent.message);
    }
    mu_instance_free(instance);
}

int main(void)
{
    static const char *const inputs[] = {"rmat:8:8", "uniform:8:4", "road:16"};
    struct mu_error err = {0};
    const struct mu_app *bc = mu_app_find("pannotia/bc", &err);
    if (bc == NULL) return 99;
    for (size_t i = 0; i < sizeof inputs / sizeof inputs[0]; i++) {
        static float sum[MOST];
        const uint32_t none = UINT32_MAX;
        const struct mu_app_setup setup = {.seed = 1, .single = true};
        struct mu_graph *graph = NULL;
        struct mu_instance *instance = NULL;
        if (mu_graph_load(inputs[i], 1, &graph, &err) != MU_OK || graph->vertices > MOST ||
            mu_instance_new(bc, graph, &setup, &instance, &err) != MU_OK ||
            mu_instance_need_results(instance, &err) != MU_OK)
            return 99;
        memset(sum, 0, sizeof sum);
        for (uint32_t source = 0; source < graph->vertices; source++) add_dependencies(graph, source, sum);
        put(instance, "centrality", sum, graph->vertices * sizeof *sum);
        put(instance, "overflow", &none, sizeof none);
        CHECK(bc->check(instance, &err) == MU_OK, "%s: what single precision gives is right: %s", inputs[i],
              err.message);
        test_dropped(instance, graph);
        test_overflow(instance, graph);
        mu_instance_free(instance);
        mu_graph_free(graph);
    }
    test_real_overflow(bc, true);
    test_real_overflow(bc, false);
    return tap_done();
}
