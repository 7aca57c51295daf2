/* Fuzz targets: the readers of graph formats, each on what its `sniff` lets through. */
#include "base/limits.h"
#include "inputs/formats.h"
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

/* Small, so that a header alone cannot make a run slow. */
#define MEMORY_LIMIT (UINT64_C(1) << 22)

static void check_graph(const struct mu_graph *graph)
{
    struct mu_error err = {0};
    bool symmetric = true;
    fuzz_require(graph->vertices <= MU_MAX_VERTICES && graph->row_start[0] == 0 &&
                     graph->row_start[graph->vertices] == graph->edges,
                 "the rows hold all edges");
    for (uint32_t v = 0; v < graph->vertices; v++) {
        fuzz_require(graph->row_start[v] <= graph->row_start[v + 1], "rows ascend");
        for (uint64_t e = graph->row_start[v]; e < graph->row_start[v + 1]; e++) {
            fuzz_require(graph->column[e] < graph->vertices, "each head is a vertex");
            if (e == graph->row_start[v]) continue;
            fuzz_require(graph->column[e - 1] <= graph->column[e], "columns ascend within a row");
            fuzz_require(graph->weight == NULL || graph->column[e - 1] != graph->column[e] ||
                             graph->weight[e - 1] <= graph->weight[e],
                         "weights of parallel arcs ascend");
        }
    }
    if (mu_graph_is_symmetric(graph, &symmetric, &err) == MU_OK)
        fuzz_require(symmetric || !graph->undirected, "an undirected graph is symmetric");
}

static void read_graph(const struct mu_format *format, const uint8_t *data, size_t size)
{
    struct mu_error err = {0};
    struct mu_graph *graph = NULL;
    struct mu_source source = {"fuzz", malloc(size + 1), size};
    if (source.bytes == NULL) return;
    memcpy(source.bytes, data, size);
    source.bytes[size] = 0;
    mu_memory_limit_set(MEMORY_LIMIT);
    if (format->sniff(&source)) {
        if (fuzz_succeeded(format->read(&source, &graph, &err), &err)) check_graph(graph);
        mu_graph_free(graph);
    }
    free(source.bytes);
}

#define FUZZ_FORMAT(name)                                                                                              \
    fuzz_run fuzz_##name;                                                                                              \
    void fuzz_##name(const uint8_t *data, size_t size)                                                                 \
    {                                                                                                                  \
        read_graph(&mu_format_##name, data, size);                                                                     \
    }

FUZZ_FORMAT(dimacs)
FUZZ_FORMAT(ecl)
FUZZ_FORMAT(galois)
FUZZ_FORMAT(galois2)
FUZZ_FORMAT(metis)
FUZZ_FORMAT(mtx)
FUZZ_FORMAT(pace)
FUZZ_FORMAT(sg)
FUZZ_FORMAT(snap)
FUZZ_FORMAT(wsg)
