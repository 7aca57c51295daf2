/* METIS (Karypis, "METIS: a software package for partitioning unstructured graphs", manual, section 4.1): `%` comments,
 * a header `n m [fmt [ncon]]`, then a line for each vertex. It has the vertex's size if fmt has a hundred, and ncon
 * weights of its own if it has a ten (both are dropped). Then come its neighbours, each with the edge's weight if fmt
 * has a one. Ids begin at 1; an empty line is an isolated vertex; m counts an edge once, though it stands in both its
 * ends' lines; no loops. */
#include "inputs/formats/formats.h"
#include "inputs/formats/parts.h"
#include "inputs/formats/problem.h"
#include "inputs/graph/rows.h"

#include <inttypes.h>

enum { HEADER_MIN = 2, HEADER_MAX = 4, VERTEX_NUMBERS_MAX = 1 << 20 };

struct header {
    uint64_t vertices, edges;
    uint64_t vertex_numbers; /* numbers in a vertex's line before its neighbours */
    bool weighted;
};

/* The graph that is made, and how many arcs it has yet. */
struct filling {
    struct mu_graph *graph;
    uint64_t arcs;
};

/* Returns how many numbers a line has, and the first of them; 0 if it has anything else. */
static unsigned count_numbers(struct mu_scan *scan, uint64_t *first)
{
    static const struct mu_range any = {"a number", 0, INT64_MAX};
    unsigned count = 0;
    while (!mu_scan_line_is_over(scan)) {
        uint64_t number;
        if (count > HEADER_MAX || mu_scan_number(scan, &any, &number, NULL) != MU_OK) return 0;
        if (count++ == 0) *first = number;
    }
    mu_scan_end_line(scan, NULL);
    return count;
}

/* Returns true if the first line can be a header. */
static bool sniff(const struct mu_source *source)
{
    struct mu_scan scan = mu_scan_start(source);
    uint64_t vertices = 0;
    if (!mu_scan_next_line(&scan, '%')) return source->bytes[0] == '%';
    const unsigned numbers = count_numbers(&scan, &vertices);
    return numbers >= HEADER_MIN && numbers <= HEADER_MAX;
}

static int read_fmt(struct mu_scan *scan, struct header *header, struct mu_error *err)
{
    static const struct mu_range fmt_range = {"the header's third number", 0, 111};
    static const struct mu_range ncon_range = {"the header's fourth number", 0, VERTEX_NUMBERS_MAX};
    uint64_t fmt = 0, ncon = 1;
    if (mu_scan_line_is_over(scan)) return MU_OK;
    int status = mu_scan_number(scan, &fmt_range, &fmt, err);
    if (status == MU_OK && (fmt % 10 > 1 || fmt / 10 % 10 > 1))
        status = mu_scan_fail(scan, err, "the header's third number must be of zeros and ones, not %" PRIu64, fmt);
    if (status == MU_OK && !mu_scan_line_is_over(scan)) status = mu_scan_number(scan, &ncon_range, &ncon, err);
    header->weighted = fmt % 10 == 1;
    header->vertex_numbers = fmt / 100 + (fmt / 10 % 10 == 1 ? ncon : 0);
    return status;
}

static int read_header(struct mu_scan *scan, struct header *header, struct mu_error *err)
{
    static const struct mu_range vertex_range = {"the number of vertices", 0, MU_MAX_VERTICES};
    static const struct mu_range edge_range = {"the number of edges", 0, INT64_MAX / 2};
    if (!mu_scan_next_line(scan, '%')) return mu_scan_fail(scan, err, "the file ends before its header");
    int status = mu_scan_number(scan, &vertex_range, &header->vertices, err);
    if (status == MU_OK) status = mu_scan_number(scan, &edge_range, &header->edges, err);
    if (status == MU_OK) status = mu_problem_check(scan, header->edges, err);
    if (status == MU_OK) status = read_fmt(scan, header, err);
    if (status == MU_OK) status = mu_scan_end_line(scan, err);
    return status;
}

static int read_neighbour(struct mu_scan *scan, const struct header *header, uint64_t vertex, struct filling *filling,
                          struct mu_error *err)
{
    static const struct mu_range weight_range = {"an edge's weight", 0, UINT32_MAX};
    const struct mu_range id = {"a neighbour", 1, header->vertices};
    uint64_t neighbour, weight = 0;
    int status = mu_scan_number(scan, &id, &neighbour, err);
    if (status == MU_OK && header->weighted) status = mu_scan_number(scan, &weight_range, &weight, err);
    if (status != MU_OK) return status;
    if (neighbour == vertex + 1)
        return mu_scan_fail(scan, err, "vertex %" PRIu64 " is listed as its own neighbour", neighbour);
    if (filling->arcs == 2 * header->edges)
        return mu_scan_fail(scan, err, "more than the %" PRIu64 " edges of the header", header->edges);
    filling->graph->column[filling->arcs] = (uint32_t)(neighbour - 1);
    if (header->weighted) filling->graph->weight[filling->arcs] = (uint32_t)weight;
    filling->arcs++;
    return MU_OK;
}

static int read_vertex(struct mu_scan *scan, const struct header *header, uint64_t vertex, struct filling *filling,
                       struct mu_error *err)
{
    static const struct mu_range number_range = {"a vertex's size or weight", 0, INT64_MAX};
    while (*scan->at == '%') mu_scan_skip_line(scan);
    if (mu_scan_at_end(scan))
        return mu_scan_fail(scan, err, "the file ends after %" PRIu64 " of %" PRIu64 " vertices", vertex,
                            header->vertices);
    int status = MU_OK;
    for (uint64_t i = 0, ignored; status == MU_OK && i < header->vertex_numbers; i++)
        status = mu_scan_number(scan, &number_range, &ignored, err);
    while (status == MU_OK && !mu_scan_line_is_over(scan)) status = read_neighbour(scan, header, vertex, filling, err);
    return status == MU_OK ? mu_scan_end_line(scan, err) : status;
}

static int read_vertices(struct mu_scan *scan, const struct header *header, struct filling *filling,
                         struct mu_error *err)
{
    for (uint64_t vertex = 0; vertex < header->vertices; vertex++) {
        int status = read_vertex(scan, header, vertex, filling, err);
        if (status != MU_OK) return status;
        filling->graph->row_start[vertex + 1] = filling->arcs;
    }
    if (mu_scan_next_line(scan, '%'))
        return mu_scan_fail(scan, err, "the file goes on after all %" PRIu64 " vertices", header->vertices);
    if (filling->arcs == 2 * header->edges) return MU_OK;
    return mu_scan_fail(scan, err, "%" PRIu64 " neighbours are not twice the %" PRIu64 " edges of the header",
                        filling->arcs, header->edges);
}

/* Goes to the line of a vertex. */
static void skip_to_vertex(struct mu_scan *scan, uint64_t vertex)
{
    mu_scan_next_line(scan, '%');
    for (uint64_t line = 0; line <= vertex; line++) {
        mu_scan_skip_line(scan);
        while (*scan->at == '%') mu_scan_skip_line(scan);
    }
}

static bool arcs_differ(const struct mu_graph *a, const struct mu_graph *b, uint64_t arc)
{
    return a->column[arc] != b->column[arc] || (a->weight != NULL && a->weight[arc] != b->weight[arc]);
}

/* Names the first vertex whose rows differ, and the neighbour at the first difference. Both graphs have the same
 * vertices and are not equal. */
static int fail_asymmetry(const struct mu_source *source, const struct mu_graph *graph, const struct mu_graph *other,
                          struct mu_error *err)
{
    uint32_t tail = 0;
    uint64_t arc = 0;
    for (;; tail++) {
        const uint64_t end = graph->row_start[tail + 1], other_end = other->row_start[tail + 1];
        while (arc < end && arc < other_end && !arcs_differ(graph, other, arc)) arc++;
        if (arc < end || arc < other_end) break;
    }
    uint32_t head = UINT32_MAX;
    if (arc < graph->row_start[tail + 1]) head = graph->column[arc];
    if (arc < other->row_start[tail + 1] && other->column[arc] < head) head = other->column[arc];
    struct mu_scan scan;
    struct mu_text text;
    struct mu_error own = {0};
    if (mu_text_open(&text, source, NULL, &scan, &own) == MU_OK) {
        skip_to_vertex(&scan, tail);
        mu_scan_fail(&scan, &own,
                     "vertices %" PRIu32 " and %" PRIu32
                     " do not list each other equally often and with the same weight",
                     tail + 1, head + 1);
    }
    return mu_text_close(&text, &own, err);
}

/* Checks that the graph is symmetric. It is transposed only to say what is wrong. */
static int check_symmetry(const struct mu_source *source, struct mu_graph *graph, struct mu_error *err)
{
    struct mu_graph *transposed = NULL;
    int status = mu_graph_is_symmetric(graph, &graph->undirected, err);
    if (status != MU_OK || graph->undirected) return status;
    status = mu_graph_transpose(graph, &transposed, err);
    if (status == MU_OK) status = fail_asymmetry(source, graph, transposed, err);
    mu_graph_free(transposed);
    return status;
}

/* Reads the text into a new graph, whose rows are not sorted yet. */
static int fill_graph(const struct mu_source *source, const struct mu_reading *reading, struct mu_graph **graph,
                      struct mu_error *err)
{
    struct mu_scan scan;
    struct mu_text text;
    struct mu_error own = {0};
    struct header header = {0};
    struct filling filling = {0};
    int status = mu_text_open(&text, source, reading, &scan, &own);
    if (status == MU_OK) status = read_header(&scan, &header, &own);
    if (status == MU_OK) {
        filling.graph = mu_graph_new((uint32_t)header.vertices, 2 * header.edges, header.weighted, &own);
        if (filling.graph != NULL) read_vertices(&scan, &header, &filling, &own);
    }
    *graph = filling.graph;
    return mu_text_close(&text, &own, err);
}

static int read_metis(const struct mu_source *source, struct mu_reading *reading, struct mu_graph **graph,
                      struct mu_error *err)
{
    struct mu_graph *made = NULL;
    int status = fill_graph(source, reading, &made, err);
    if (status != MU_OK || made == NULL) {
        mu_graph_free(made);
        return status;
    }
    mu_graph_sort_rows(made);
    status = check_symmetry(source, made, err);
    if (status == MU_OK)
        *graph = made;
    else
        mu_graph_free(made);
    return status;
}

static int write_metis(const struct mu_graph *graph, struct mu_sink *sink, struct mu_error *err)
{
    (void)err;
    mu_sink_text(sink, "% METIS\n"); /* which tells it from an edge list */
    mu_sink_number(sink, graph->vertices, ' ');
    mu_sink_number(sink, graph->edges / 2, graph->weight != NULL ? ' ' : '\n');
    if (graph->weight != NULL) mu_sink_text(sink, "001\n");
    for (uint32_t vertex = 0; vertex < graph->vertices; vertex++) {
        for (uint64_t arc = graph->row_start[vertex]; arc < graph->row_start[vertex + 1]; arc++) {
            mu_sink_number(sink, graph->column[arc] + UINT64_C(1), ' ');
            if (graph->weight != NULL) mu_sink_number(sink, graph->weight[arc], ' ');
        }
        mu_sink_text(sink, "\n");
    }
    return MU_OK;
}

const struct mu_format mu_format_metis = {
    .name = "metis",
    .purpose = "METIS: text, undirected, weights or none, no loops",
    .mark = "a header of two to four numbers",
    .suffixes = {".graph", ".metis"},
    .traits = MU_HOLDS_WEIGHTS | MU_ONLY_SYMMETRIC | MU_NO_LOOPS,
    .max_vertices = MU_MAX_VERTICES,
    .max_edges = UINT64_MAX,
    .max_weight = UINT32_MAX,
    .sniff = sniff,
    .read = read_metis,
    .write = write_metis,
};
