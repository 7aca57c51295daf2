/* Generators: the same graph everywhere, of the shape that is promised, and clear errors. */
#include "inputs/generators/generators.h"
#include "inputs/graph/stats.h"
#include "inputs/input.h"
#include "inputs/parallel.h"
#include "tests/tap.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static struct mu_graph *load(const char *specification, uint64_t seed)
{
    struct mu_graph *graph = NULL;
    struct mu_error err = {0};
    if (mu_graph_load(specification, seed, &graph, &err) == MU_OK) return graph;
    printf("Bail out! %s\n", err.message);
    exit(99);
}

static uint64_t hash_of(const char *specification, uint64_t seed)
{
    struct mu_graph *graph = load(specification, seed);
    uint64_t hash = mu_graph_hash(graph);
    mu_graph_free(graph);
    return hash;
}

static void test_determinism(void)
{
    static const struct {
        const char *specification;
        uint64_t seed, hash;
    } known[] = {
        {"grid2d:7x5", 1, UINT64_C(0x5e9c7bffea6d54e5)},   {"grid2d:1x1", 1, UINT64_C(0x075a7763d14f2e11)},
        {"road:50", 1, UINT64_C(0x20451da04bacb11a)},      {"road:50", 2, UINT64_C(0xd702592e61d2a1d5)},
        {"road:1", 1, UINT64_C(0x0ad17582bacf4880)},       {"rmat:10", 1, UINT64_C(0x5c7d9eeffdb76e12)},
        {"rmat:14:8", 7, UINT64_C(0xa50ec6ca5f56d264)},    {"rmat:1:1", 1, UINT64_C(0xb9673410d9609d15)},
        {"traps:1", 1, UINT64_C(0x41c2d803d10d623a)},      {"traps:1500", 2, UINT64_C(0x3b01134e4ce8be9e)},
        {"rmat:0", 1, UINT64_C(0x075a7763d14f2e11)},       {"uniform:10", 1, UINT64_C(0x271a5184a8b02b7f)},
        {"uniform:15:3", 9, UINT64_C(0xd3d0608a7556045c)}, {"uniform:0:5", 1, UINT64_C(0x075a7763d14f2e11)},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        uint64_t hash = hash_of(known[i].specification, known[i].seed);
        CHECK(hash == known[i].hash, "%s with seed %" PRIu64 " is the same on every machine: %016" PRIx64,
              known[i].specification, known[i].seed, hash);
    }
}

static void test_threads(void)
{
    static const char *const specifications[] = {"grid2d:200", "road:200", "rmat:14", "uniform:15:5"};
    for (size_t i = 0; i < sizeof specifications / sizeof specifications[0]; i++) {
        bool same = true;
        mu_parallel_set_threads(1);
        const uint64_t hash = hash_of(specifications[i], 5);
        for (unsigned threads = 2; threads <= MU_PARALLEL_MAX; threads += 1 + threads / 3) {
            mu_parallel_set_threads(threads);
            same = same && hash_of(specifications[i], 5) == hash;
        }
        CHECK(same, "%s does not depend on the number of threads", specifications[i]);
    }
    mu_parallel_set_threads(0);
}

static void test_seeds(void)
{
    static const char *const specifications[] = {"road:20", "rmat:8", "uniform:8"};
    for (size_t i = 0; i < sizeof specifications / sizeof specifications[0]; i++)
        CHECK(hash_of(specifications[i], 0) != hash_of(specifications[i], 1), "%s depends on the seed",
              specifications[i]);
    CHECK(hash_of("grid2d:9", 0) == hash_of("grid2d:9", 1), "grid2d does not");
    CHECK(hash_of("rmat:8", 0) == hash_of("rmat:8:16", 0) && hash_of("uniform:8", 0) == hash_of("uniform:8:4", 0) &&
              hash_of("grid2d:9", 0) == hash_of("grid2d:9x9", 0),
          "parameters left out have their defaults");
}

/* The levels of a breadth-first search from vertex 0; 0 if it does not reach all vertices. */
static uint32_t count_levels(const struct mu_graph *graph)
{
    uint32_t *queue = calloc(graph->vertices, sizeof *queue), *level = calloc(graph->vertices, sizeof *level);
    if (queue == NULL || level == NULL) abort();
    uint32_t head = 0, tail = 1, last = 1;
    level[0] = 1;
    while (head < tail) {
        uint32_t vertex = queue[head++];
        last = level[vertex];
        for (uint64_t arc = graph->row_start[vertex]; arc < graph->row_start[vertex + 1]; arc++) {
            uint32_t neighbour = graph->column[arc];
            if (level[neighbour] != 0) continue;
            level[neighbour] = last + 1;
            queue[tail++] = neighbour;
        }
    }
    free(queue);
    free(level);
    return tail == graph->vertices ? last : 0;
}

static struct mu_graph_stats stats_of(const struct mu_graph *graph)
{
    struct mu_graph_stats stats;
    if (mu_graph_stats(graph, &stats, NULL) != MU_OK) abort();
    return stats;
}

static bool is_simple(const struct mu_graph *graph, const struct mu_graph_stats *stats)
{
    return graph->undirected && stats->symmetric && stats->loops == 0 && stats->parallel == 0;
}

static void test_grid2d(void)
{
    struct mu_graph *graph = load("grid2d:40x30", 1), *point = load("grid2d:1x1", 1), *line = load("grid2d:1x9", 1);
    struct mu_graph_stats stats = stats_of(graph);
    CHECK(graph->vertices == 1200 && graph->edges == UINT64_C(2) * (39 * 30 + 40 * 29) && is_simple(graph, &stats) &&
              graph->weight == NULL && stats.degree_min == 2 && stats.degree_max == 4,
          "grid2d:40x30 is a grid without weights");
    CHECK(count_levels(graph) == 40 + 30 - 1, "its levels are W + H - 1");
    CHECK(graph->column[graph->row_start[41]] == 1 && graph->column[graph->row_start[41] + 1] == 40,
          "ids go along the rows");
    CHECK(point->vertices == 1 && point->edges == 0, "grid2d:1x1 is a vertex");
    CHECK(line->vertices == 9 && count_levels(line) == 9, "grid2d:1x9 is a path");
    mu_graph_free(graph);
    mu_graph_free(point);
    mu_graph_free(line);
}

static void test_road(void)
{
    struct mu_graph *graph = load("road:200", 1);
    struct mu_graph_stats stats = stats_of(graph);
    CHECK(graph->vertices == 40000 && is_simple(graph, &stats), "road:200 is simple and undirected");
    CHECK(stats.components == 1, "it is connected");
    CHECK(stats.degree_mean > 3.5 && stats.degree_mean < 3.8 && stats.degree_max <= 8, "its degrees are small: %.3f",
          stats.degree_mean);
    CHECK(stats.weight_min >= 34 && stats.weight_max <= 133 && stats.weight_max > 115, "weights are lengths: %u to %u",
          stats.weight_min, stats.weight_max);
    uint32_t levels = count_levels(graph);
    CHECK(levels >= 399 && levels <= 420, "its diameter is long: %u levels", levels);
    mu_graph_free(graph);
}

static void test_rmat(void)
{
    struct mu_graph *graph = load("rmat:14", 1);
    struct mu_graph_stats stats = stats_of(graph);
    uint64_t lower = graph->row_start[graph->vertices / 2];
    CHECK(graph->vertices == 16384 && is_simple(graph, &stats) && graph->weight == NULL,
          "rmat:14 is simple, undirected");
    CHECK(graph->edges > 20 * UINT64_C(16384) && graph->edges < 32 * UINT64_C(16384), "few edges are lost: %" PRIu64,
          graph->edges);
    CHECK((double)stats.degree_max > 50 * stats.degree_mean && stats.isolated > 1000,
          "degrees are skewed: up to %" PRIu64, stats.degree_max);
    CHECK(lower > graph->edges * 2 / 5 && lower < graph->edges * 3 / 5, "and say nothing about ids");
    mu_graph_free(graph);
}

/* A star between two paths; the last arc is the lightest of its row, and distances over a heavy edge pass 2^32. */
static void test_traps(void)
{
    struct mu_graph *graph = load("traps:1500", 1);
    struct mu_graph_stats stats;
    struct mu_error err = {0};
    const int status = mu_graph_stats(graph, &stats, &err);
    CHECK(status == MU_OK && graph->vertices == 1598 && stats.degree_max == 1501 && stats.components == 1 &&
              stats.symmetric && stats.weight_max > UINT32_MAX - 100,
          "traps:1500 is a star of 1500 leaves and more%s", err.message);
    bool lightest = graph->column[graph->edges - 1] < graph->vertices - 1;
    for (uint64_t arc = graph->row_start[graph->vertices - 1]; arc + 1 < graph->edges; arc++)
        lightest = lightest && graph->weight[arc] > graph->weight[graph->edges - 1];
    CHECK(lightest, "its last arc is the lightest of the last vertex");
    mu_graph_free(graph);
}

static void test_uniform(void)
{
    struct mu_graph *graph = load("uniform:14", 1);
    struct mu_graph_stats stats = stats_of(graph);
    CHECK(graph->vertices == 16384 && is_simple(graph, &stats) && stats.degree_mean > 7.95 && stats.degree_mean < 8 &&
              stats.degree_max < 40,
          "uniform:14 is simple, undirected and even: %.3f, up to %" PRIu64, stats.degree_mean, stats.degree_max);
    mu_graph_free(graph);
}

static void test_errors(void)
{
    static const char *const bad[] = {
        "road:",
        "road:-1",
        "road:0",
        "road:65536",
        "road:5x",
        "road:1e3",
        "road: 5",
        "rmat:40",
        "rmat:32",
        "rmat:",
        "rmat:5:",
        "rmat:5:0",
        "rmat:5:x",
        "rmat:5:5:5",
        "rmat:-5",
        "rmat:5:99999999999999999999",
        "uniform:99",
        "uniform:x",
        "traps:0",
        "traps:x",
        "traps:5x",
        "traps:1048577",
        "grid2d:",
        "grid2d:0x5",
        "grid2d:5x0",
        "grid2d:5x",
        "grid2d:x5",
        "grid2d:5x5x5",
        "grid2d:5*5",
        "grid2d:65536x65536",
        "grid2d:4294967295x1",
        "grid2d:18446744073709551617x1",
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct mu_graph *graph = NULL;
        struct mu_error err = {0};
        const char *parameters;
        const struct mu_generator *generator = mu_generator_find(bad[i], &parameters);
        int status = mu_graph_load(bad[i], 1, &graph, &err);
        CHECK(status == MU_USAGE && graph == NULL && generator != NULL &&
                  strstr(err.message, generator->syntax) != NULL,
              "%s", err.message);
        CHECK(mu_input_check(bad[i], MU_OF_EITHER, NULL) == MU_USAGE, "%s is refused without making it", bad[i]);
    }
    static const char *const good[] = {"grid2d:5x7", "grid2d:5",   "rmat:31:1048576",
                                       "uniform:3",  "road:65535", "traps:1"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        CHECK(mu_input_check(good[i], MU_OF_GRAPHS, NULL) == MU_OK &&
                  mu_input_check(good[i], MU_OF_MESHES, NULL) != MU_OK,
              "%s is a graph, and is not made to be told so", good[i]);
    CHECK(mu_generator_find("road", &(const char *){NULL}) == NULL, "a name without a colon is no specification");
}

int main(void)
{
    test_determinism();
    test_threads();
    test_seeds();
    test_grid2d();
    test_road();
    test_rmat();
    test_traps();
    test_uniform();
    test_errors();
    return tap_done();
}
