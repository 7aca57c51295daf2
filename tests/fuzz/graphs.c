/* Fuzz targets: the readers of graph formats, each on what its `sniff` lets through, and on what comes of it their
 * writers, and one of another format. */
#include "base/limits.h"
#include "base/memory.h"
#include "inputs/formats/formats.h"
#include "tests/fuzz/fuzz.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Small, so that a header alone cannot make a run slow. */
#define MEMORY_LIMIT (UINT64_C(1) << 22)

/* Graphs of so many vertices and edges together are written; a pipe must hold the text of each. */
#define MAX_WRITTEN 4096
#define PIPE_BYTES  (1 << 20)

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

/* The graph in these bytes; NULL if there is none. */
static struct mu_graph *read_graph(const struct mu_format *format, double weights, const uint8_t *data, size_t size)
{
    struct mu_error err = {0};
    struct mu_graph *graph = NULL;
    struct mu_source source = {.path = "fuzz", .bytes = malloc(size + 1), .size = size};
    if (source.bytes == NULL) return NULL;
    memcpy(source.bytes, data, size);
    source.bytes[size] = 0;
    struct mu_reading reading = {.weights = weights};
    if (format->sniff(&source) && !fuzz_succeeded(format->read(&source, &reading, &graph, &err), &err)) {
        mu_graph_free(graph);
        graph = NULL;
    }
    free(source.bytes);
    return graph;
}

/* Writes the graph to a pipe, and reads it from there. A format may refuse it. */
static void write_and_read(const struct mu_format *format, const struct mu_graph *graph)
{
    static uint8_t written[PIPE_BYTES];
    struct mu_error err = {0};
    int ends[2];
    char path[64];
    /* Some formats make weights up; and without arcs ECL cannot tell whether there are any. */
    const bool same = graph->edges != 0 && (graph->weight != NULL || (format->traits & MU_ONLY_WEIGHTED) == 0);
    if (format->write == NULL || graph->vertices + graph->edges > MAX_WRITTEN || pipe2(ends, O_CLOEXEC) != 0) return;
    snprintf(path, sizeof path, "/proc/self/fd/%d", ends[1]);
    const bool fits = fcntl(ends[1], F_SETPIPE_SZ, PIPE_BYTES) >= PIPE_BYTES;
    const bool wrote = fits && fuzz_succeeded(mu_format_write(format, graph, path, false, &err), &err);
    close(ends[1]);
    size_t size = 0;
    for (ssize_t got = 1; wrote && got > 0; size += (size_t)(got > 0 ? got : 0))
        got = read(ends[0], written + size, sizeof written - size);
    close(ends[0]);
    struct mu_graph *again = wrote ? read_graph(format, MU_WEIGHTS_AUTO, written, size) : NULL;
    fuzz_require(!wrote || again != NULL, "what is written can be read");
    fuzz_require(again == NULL || (again->vertices == graph->vertices && again->edges == graph->edges &&
                                   (!same || mu_graph_equal(graph, again))),
                 "what is written and read is the same graph");
    mu_graph_free(again);
}

/* Every arc in both directions, and once. */
static void symmetrise(const struct mu_graph *graph)
{
    struct mu_error err = {0};
    struct mu_graph *made = NULL;
    bool symmetric = false;
    if (!fuzz_succeeded(mu_graph_symmetrise(graph, &made, &err), &err)) return;
    check_graph(made);
    if (mu_graph_is_symmetric(made, &symmetric, &err) == MU_OK)
        fuzz_require(symmetric && made->undirected, "what is made symmetric is symmetric");
    mu_graph_free(made);
}

static void run(const struct mu_format *format, const uint8_t *data, size_t size)
{
    mu_memory_limit_set(MEMORY_LIMIT);
    struct mu_graph *graph = read_graph(format, size % 3 == 2 ? 10 : MU_WEIGHTS_AUTO, data, size);
    if (graph != NULL) {
        size_t formats = 1;
        while (mu_formats[formats] != NULL) formats++;
        check_graph(graph);
        write_and_read(format, graph);
        write_and_read(mu_formats[size % formats], graph);
        symmetrise(graph);
    }
    mu_graph_free(graph);
}

#define FUZZ_FORMAT(name)                                                                                              \
    fuzz_run fuzz_##name;                                                                                              \
    void fuzz_##name(const uint8_t *data, size_t size)                                                                 \
    {                                                                                                                  \
        run(&mu_format_##name, data, size);                                                                            \
    }

FUZZ_FORMAT(adj)
FUZZ_FORMAT(col)
FUZZ_FORMAT(dimacs)
FUZZ_FORMAT(ecl)
FUZZ_FORMAT(galois)
FUZZ_FORMAT(galois2)
FUZZ_FORMAT(konect)
FUZZ_FORMAT(metis)
FUZZ_FORMAT(mtx)
FUZZ_FORMAT(pace)
FUZZ_FORMAT(sg)
FUZZ_FORMAT(snap)
FUZZ_FORMAT(wel)
FUZZ_FORMAT(wsg)

/* Reads a source as the whole program does, and releases it. NULL where it has no graph. */
static struct mu_graph *read_source(struct mu_source *source)
{
    struct mu_error err = {0};
    struct mu_graph *graph = NULL;
    struct mu_reading reading = {0};
    if (!fuzz_succeeded(mu_format_read(source, &reading, &graph, &err), &err)) graph = NULL;
    mu_source_release(source);
    return graph;
}

/* Any bytes as the whole program reads them: the choice of the format, and names of what is not read; held as a whole,
 * and from a file in parts. */
fuzz_run fuzz_graph;
void fuzz_graph(const uint8_t *data, size_t size)
{
    enum { PART_BYTES = 64 };
    struct mu_source source = {.path = "fuzz", .bytes = mu_calloc(size + 1, 1, "fuzz", NULL), .size = size};
    const char *const path = fuzz_file(data, size);
    if (source.bytes == NULL || path == NULL) abort();
    mu_memory_limit_set(MEMORY_LIMIT);
    if (size > 0) memcpy(source.bytes, data, size);
    struct mu_graph *graph = read_source(&source), *again = NULL;
    mu_source_set_parts(1, PART_BYTES);
    if (mu_source_open(path, &source, NULL) == MU_OK) again = read_source(&source);
    mu_source_set_parts(0, 0);
    if (graph != NULL) check_graph(graph);
    fuzz_require(graph == NULL || again == NULL || mu_graph_equal(graph, again), "parts make no difference");
    mu_graph_free(graph);
    mu_graph_free(again);
}
