/* Sorting, building, turning, hashing and describing graphs, against slow and simple references. */
#include "base/memory.h"
#include "inputs/graph/arcs.h"
#include "inputs/graph/stats.h"
#include "inputs/parallel.h"
#include "inputs/radix.h"
#include "inputs/rng.h"
#include "tests/tap.h"

#include <stdlib.h>
#include <string.h>

struct arc {
    uint32_t tail, head, weight;
};

static int compare_arcs(const void *a, const void *b)
{
    const struct arc *x = a, *y = b;
    if (x->tail != y->tail) return x->tail < y->tail ? -1 : 1;
    if (x->head != y->head) return x->head < y->head ? -1 : 1;
    return x->weight < y->weight ? -1 : x->weight > y->weight;
}

static int compare_keys(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static bool sorts(size_t count, uint64_t mask)
{
    uint64_t *key = calloc(count + 1, sizeof *key), *spare = calloc(count + 1, sizeof *key);
    uint64_t *expected = calloc(count + 1, sizeof *key);
    uint32_t *payload = calloc(count + 1, sizeof *payload), *spare_payload = calloc(count + 1, sizeof *payload);
    if (!key || !spare || !expected || !payload || !spare_payload) abort();
    const uint64_t stream = mu_random_stream(mask, count);
    for (size_t i = 0; i < count; i++) {
        expected[i] = key[i] = mu_random(stream, i) & mask;
        payload[i] = (uint32_t)i;
    }
    qsort(expected, count, sizeof *expected, compare_keys);
    mu_sort(&(struct mu_sort_span){key, payload, spare, spare_payload, count});
    bool ok = memcmp(key, expected, count * sizeof *key) == 0;
    for (size_t i = 0; i < count; i++) {
        ok = ok && (mu_random(stream, payload[i]) & mask) == key[i];
        ok = ok && (i == 0 || key[i - 1] < key[i] || payload[i - 1] < payload[i]);
    }
    free(key);
    free(spare);
    free(expected);
    free(payload);
    free(spare_payload);
    return ok;
}

static void test_sort(void)
{
    static const uint64_t masks[] = {0, 1, 0xff, UINT64_C(0x80000000000fffff), UINT64_C(0x3ff000fffff), UINT64_MAX};
    static const size_t counts[] = {0, 1, 2, 39, 40, 41, 1000, 8192, 8193, 50000};
    bool ok = true;
    for (size_t i = 0; i < sizeof masks / sizeof masks[0]; i++)
        for (size_t j = 0; j < sizeof counts / sizeof counts[0]; j++) ok = ok && sorts(counts[j], masks[i]);
    CHECK(ok, "keys are sorted stably, and their payload goes along");
}

/* The arcs that a graph of this shape should have, in order. */
static size_t expected_arcs(const struct mu_arcs *list, unsigned shape, struct arc *arcs)
{
    size_t count = 0, kept = 0;
    for (uint64_t i = 0; i < list->count; i++) {
        struct arc arc = {(uint32_t)(list->ends[i] >> 32), (uint32_t)list->ends[i], 0};
        if (list->weight != NULL) arc.weight = list->weight[i];
        bool loop = arc.tail == arc.head;
        if (loop && (shape & MU_ARCS_SIMPLE)) continue;
        arcs[count++] = arc;
        if ((shape & MU_ARCS_MIRROR) && !loop) arcs[count++] = (struct arc){arc.head, arc.tail, arc.weight};
    }
    qsort(arcs, count, sizeof *arcs, compare_arcs);
    if (!(shape & MU_ARCS_SIMPLE)) return count;
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || arcs[i].tail != arcs[kept - 1].tail || arcs[i].head != arcs[kept - 1].head)
            arcs[kept++] = arcs[i];
    return kept;
}

static bool has_arcs(const struct mu_graph *graph, const struct arc *arcs, size_t count)
{
    if (graph->edges != count || graph->row_start[0] != 0 || graph->row_start[graph->vertices] != count) return false;
    for (uint32_t tail = 0; tail < graph->vertices; tail++) {
        if (graph->row_start[tail] > graph->row_start[tail + 1]) return false;
        for (uint64_t i = graph->row_start[tail]; i < graph->row_start[tail + 1]; i++) {
            if (arcs[i].tail != tail || arcs[i].head != graph->column[i]) return false;
            if (graph->weight != NULL && arcs[i].weight != graph->weight[i]) return false;
        }
    }
    return true;
}

static void make_arcs(struct mu_arcs *list, uint32_t vertices, uint64_t count, bool weighted)
{
    const uint64_t stream = mu_random_stream(count, vertices);
    if (mu_arcs_reserve(list, count, weighted, NULL) != MU_OK) abort();
    for (uint64_t i = 0; i < count; i++) {
        /* Squared, so that some vertices have many arcs and some pairs several. */
        uint64_t tail = mu_random_below(stream, 3 * i, vertices);
        uint64_t head = mu_random_below(stream, 3 * i + 1, vertices);
        tail = tail * tail / vertices;
        if (weighted)
            mu_arcs_add_weighted(list, tail, head, mu_random_below(stream, 3 * i + 2, 5));
        else
            mu_arcs_add(list, tail, head);
    }
}

static struct mu_graph *make_graph(uint32_t vertices, uint64_t count, bool weighted, unsigned shape)
{
    struct mu_arcs list;
    struct mu_graph *graph = NULL;
    make_arcs(&list, vertices, count, weighted);
    if (mu_arcs_build(&list, vertices, shape, &graph, NULL) != MU_OK) abort();
    mu_arcs_release(&list);
    return graph;
}

static bool builds(uint32_t vertices, uint64_t count, bool weighted, unsigned shape)
{
    struct mu_arcs list;
    struct arc *arcs = calloc(2 * (size_t)count + 1, sizeof *arcs);
    if (arcs == NULL) abort();
    make_arcs(&list, vertices, count, weighted);
    size_t expected = expected_arcs(&list, shape, arcs);
    struct mu_graph *graph = make_graph(vertices, count, weighted, shape);
    bool ok = has_arcs(graph, arcs, expected) && graph->undirected == ((shape & MU_ARCS_MIRROR) != 0);
    mu_graph_free(graph);
    mu_arcs_release(&list);
    free(arcs);
    return ok;
}

static void test_build(void)
{
    static const struct {
        uint32_t vertices;
        uint64_t count;
    } sizes[] = {{1, 0},       {1, 5},        {2, 3},          {7, 100},  {1000, 10},
                 {1024, 5000}, {3000, 70000}, {100000, 80000}, {3, 70000}};
    for (unsigned threads = 1; threads <= 3; threads++) {
        bool ok = true;
        mu_parallel_set_threads(threads);
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
            for (unsigned shape = 0; shape < 4; shape++)
                for (unsigned weighted = 0; weighted < 2; weighted++)
                    ok = ok && builds(sizes[i].vertices, sizes[i].count, weighted != 0, shape);
        CHECK(ok, "graphs of all shapes are built right by %u threads", threads);
    }
    mu_parallel_set_threads(0);
}

static void test_transpose(void)
{
    for (unsigned weighted = 0; weighted < 2; weighted++) {
        struct mu_arcs list, turned;
        struct mu_graph *graph = make_graph(500, 4000, weighted != 0, 0), *transposed = NULL, *back = NULL;
        struct arc *arcs = calloc(8000, sizeof *arcs);
        if (arcs == NULL) abort();
        make_arcs(&list, 500, 4000, weighted != 0);
        make_arcs(&turned, 500, 4000, weighted != 0);
        for (uint64_t i = 0; i < list.count; i++) turned.ends[i] = list.ends[i] << 32 | list.ends[i] >> 32;
        size_t count = expected_arcs(&turned, 0, arcs);
        bool ok = mu_graph_transpose(graph, &transposed, NULL) == MU_OK && has_arcs(transposed, arcs, count);
        CHECK(ok && mu_graph_transpose(transposed, &back, NULL) == MU_OK && mu_graph_equal(graph, back),
              "every arc is turned round, and back, %s weights", weighted ? "with" : "without");
        mu_graph_free(graph);
        mu_graph_free(transposed);
        mu_graph_free(back);
        mu_arcs_release(&list);
        mu_arcs_release(&turned);
        free(arcs);
    }
}

static void test_symmetry(void)
{
    for (unsigned weighted = 0; weighted < 2; weighted++) {
        struct mu_graph *directed = make_graph(300, 2000, weighted != 0, 0), *symmetric = NULL;
        struct mu_graph *expected = make_graph(300, 2000, weighted != 0, MU_ARCS_MIRROR | MU_ARCS_SIMPLE);
        struct mu_graph *multigraph = make_graph(300, 2000, weighted != 0, MU_ARCS_MIRROR);
        bool of_directed = true, of_symmetric = false, of_multigraph = false;
        int status = mu_graph_symmetrise(directed, &symmetric, NULL);
        CHECK(status == MU_OK && mu_graph_equal(symmetric, expected) && symmetric->undirected,
              "the simple undirected graph, %s weights", weighted ? "with" : "without");
        if (mu_graph_is_symmetric(directed, &of_directed, NULL) != MU_OK) abort();
        if (mu_graph_is_symmetric(symmetric, &of_symmetric, NULL) != MU_OK) abort();
        if (mu_graph_is_symmetric(multigraph, &of_multigraph, NULL) != MU_OK) abort();
        CHECK(!of_directed && of_symmetric && of_multigraph, "symmetry is seen, %s weights",
              weighted ? "with" : "without");
        if (weighted) {
            symmetric->weight[0]++;
            if (mu_graph_is_symmetric(symmetric, &of_symmetric, NULL) != MU_OK) abort();
            CHECK(!of_symmetric, "a weight that differs between two directions is seen");
        }
        mu_graph_free(directed);
        mu_graph_free(symmetric);
        mu_graph_free(expected);
        mu_graph_free(multigraph);
    }
}

static void test_weights(void)
{
    struct mu_graph *graph = make_graph(1000, 20000, false, MU_ARCS_MIRROR);
    uint32_t occurrences[101] = {0}, least = UINT32_MAX;
    bool symmetric = false, in_range = true;
    if (mu_graph_need_weights(graph, NULL) != MU_OK) abort();
    for (uint64_t arc = 0; arc < graph->edges; arc++) {
        in_range = in_range && graph->weight[arc] >= 1 && graph->weight[arc] <= 100;
        if (in_range) occurrences[graph->weight[arc]]++;
    }
    for (unsigned weight = 1; weight <= 100; weight++)
        if (occurrences[weight] < least) least = occurrences[weight];
    CHECK(in_range && least > 200, "weights are from 1 to 100, all of them: the rarest %u times", least);
    CHECK(mu_graph_is_symmetric(graph, &symmetric, NULL) == MU_OK && symmetric, "and the same in both directions");
    uint64_t hash = mu_graph_hash(graph);
    CHECK(mu_graph_need_weights(graph, NULL) == MU_OK && mu_graph_hash(graph) == hash, "a second call changes nothing");
    CHECK(mu_edge_weight(3, 5) == mu_edge_weight(5, 3) && mu_edge_weight(0, 1) == 66 && mu_edge_weight(7, 7) == 11,
          "weights are the same on every machine: %u %u", mu_edge_weight(0, 1), mu_edge_weight(7, 7));
    mu_graph_free(graph);
}

static void test_hash(void)
{
    struct mu_graph *graph = make_graph(100, 1000, true, 0);
    const uint64_t hash = mu_graph_hash(graph);
    CHECK(hash == UINT64_C(0x02beb88f7e8c3f5d), "the hash is the same on every machine: %016llx",
          (unsigned long long)hash);
    graph->name = mu_strdup("a name", NULL);
    graph->undirected = true;
    CHECK(mu_graph_hash(graph) == hash, "it does not depend on the name");
    graph->weight[17] ^= 1;
    bool sees_weight = mu_graph_hash(graph) != hash;
    graph->weight[17] ^= 1;
    graph->column[999] ^= 1;
    bool sees_column = mu_graph_hash(graph) != hash;
    graph->column[999] ^= 1;
    graph->row_start[50]--;
    bool sees_row = mu_graph_hash(graph) != hash;
    graph->row_start[50]++;
    CHECK(sees_weight && sees_column && sees_row && mu_graph_hash(graph) == hash,
          "it depends on every weight, column and row");
    uint32_t *weight = graph->weight;
    graph->weight = NULL;
    CHECK(mu_graph_hash(graph) != hash, "and on there being weights");
    graph->weight = weight;
    mu_graph_free(graph);
}

static void test_stats(void)
{
    /* 0-1 twice over, 1-2, a loop at 2, a loop at 3, 4 alone, 5-6: degrees 2 3 2 1 0 1 1. */
    static const uint32_t ends[][2] = {{0, 1}, {0, 1}, {1, 2}, {2, 2}, {3, 3}, {5, 6}};
    struct mu_arcs list;
    struct mu_graph *graph = NULL;
    struct mu_graph_stats stats;
    if (mu_arcs_reserve(&list, 6, true, NULL) != MU_OK) abort();
    for (unsigned i = 0; i < 6; i++) mu_arcs_add_weighted(&list, ends[i][0], ends[i][1], 10 * i + 5);
    if (mu_arcs_build(&list, 7, MU_ARCS_MIRROR, &graph, NULL) != MU_OK) abort();
    mu_arcs_release(&list);
    CHECK(mu_graph_stats(graph, &stats, NULL) == MU_OK && stats.degree_min == 0 && stats.degree_max == 3 &&
              stats.degree_median == 1 && stats.degree_mean == 10. / 7,
          "degrees");
    CHECK(stats.degree_classes == 3 && stats.degree_class[0] == 1 && stats.degree_class[1] == 3 &&
              stats.degree_class[2] == 3,
          "histogram of degrees");
    CHECK(stats.isolated == 1 && stats.loops == 2 && stats.parallel == 2, "isolated vertices, loops, parallel arcs");
    CHECK(stats.components == 4 && stats.largest_component == 3 && stats.symmetric, "components and symmetry");
    CHECK(stats.weight_min == 5 && stats.weight_max == 55, "weights");
    mu_graph_free(graph);
    if (mu_arcs_reserve(&list, 2, false, NULL) != MU_OK) abort();
    mu_arcs_add(&list, 0, 1);
    mu_arcs_add(&list, 2, 1);
    if (mu_arcs_build(&list, 4, MU_ARCS_AS_LISTED, &graph, NULL) != MU_OK) abort();
    mu_arcs_release(&list);
    CHECK(mu_graph_stats(graph, &stats, NULL) == MU_OK && stats.components == 2 && stats.largest_component == 3 &&
              stats.isolated == 1 && !stats.symmetric && stats.degree_median == 0.5 && stats.weight_max == 0,
          "a directed graph: weak components, and a vertex with arcs in only is not isolated");
    mu_graph_free(graph);
}

int main(void)
{
    test_sort();
    test_build();
    test_transpose();
    test_symmetry();
    test_weights();
    test_hash();
    test_stats();
    return tap_done();
}
