/* Serialised graphs of the GAP Benchmark Suite (Beamer, Asanović and Patterson, arXiv:1508.03619). They have a byte
 * that is 1 if the graph is directed, and arcs and vertices (64 bits each). Then stands for each vertex and one more
 * where its row begins (64 bits). The arcs' heads follow (32 bits; in .wsg each followed by its 32-bit weight). A
 * directed graph has rows and heads again for the transposed graph. Little-endian, ids from 0. Whether there are
 * weights only the file's size tells. */
#include "inputs/formats/binary.h"
#include "inputs/formats/formats.h"

enum { HEADER_BYTES = 17, EDGES_AT = 1, VERTICES_AT = 9, ROW_BYTES = 8, HEAD_BYTES = 4 };

/* Returns the bytes of one copy of rows and heads; 0 if the header is inconsistent. Each vertex and arc takes more than
 * one byte, so that the sum cannot overflow. */
static uint64_t body_bytes(const struct mu_source *source, unsigned stride)
{
    if (source->size < HEADER_BYTES || source->bytes[0] > 1) return 0;
    const uint64_t vertices = mu_load_u64(source, VERTICES_AT), edges = mu_load_u64(source, EDGES_AT);
    const uint64_t size = mu_source_total(source);
    if (vertices > size || edges > size) return 0;
    return ROW_BYTES * (vertices + 1) + stride * edges;
}

static bool has_stride(const struct mu_source *source, unsigned stride)
{
    const uint64_t body = body_bytes(source, stride);
    return body > 0 && mu_source_total(source) == HEADER_BYTES + (source->bytes[0] == 1 ? 2 : 1) * body;
}

static bool sniff_sg(const struct mu_source *source)
{
    return has_stride(source, HEAD_BYTES);
}

static bool sniff_wsg(const struct mu_source *source)
{
    return has_stride(source, 2 * HEAD_BYTES);
}

static struct mu_layout layout_at(const struct mu_source *source, uint64_t at, unsigned stride)
{
    struct mu_layout layout = {
        .vertices = mu_load_u64(source, VERTICES_AT),
        .edges = mu_load_u64(source, EDGES_AT),
        .zero_first = true,
        .ends_at = at + ROW_BYTES,
        .end_bytes = ROW_BYTES,
        .head_bytes = HEAD_BYTES,
        .head_stride = stride,
        .weight_stride = stride > HEAD_BYTES ? stride : 0,
        .max_weight = INT32_MAX,
    };
    layout.heads_at = at + ROW_BYTES * (layout.vertices + 1);
    layout.weights_at = layout.heads_at + HEAD_BYTES;
    return layout;
}

static int check_undirected(const struct mu_source *source, struct mu_graph *graph, struct mu_error *err)
{
    bool symmetric = false;
    int status = mu_graph_is_symmetric(graph, &symmetric, err);
    if (status == MU_OK && !symmetric)
        status = mu_binary_fail(source, 0, err, "said to be undirected, but some arcs have no opposite");
    graph->undirected = true;
    return status;
}

/* Checks that the second copy is the first one's transpose, by a hash of both. */
static int check_inverse(const struct mu_source *source, unsigned stride, const struct mu_graph *graph,
                         struct mu_error *err)
{
    const uint64_t at = HEADER_BYTES + body_bytes(source, stride);
    const struct mu_layout layout = layout_at(source, at, stride);
    uint64_t hash = 0;
    const int status = mu_layout_hash_turned(source, &layout, &hash, err);
    if (status != MU_OK || hash == mu_arcs_hash(graph)) return status;
    return mu_binary_fail(source, at, err, "the incoming arcs are not the outgoing ones turned round");
}

static int read_gapbs(const struct mu_source *source, unsigned stride, const struct mu_reading *reading,
                      struct mu_graph **graph, struct mu_error *err)
{
    struct mu_negative negative = {0};
    if (!has_stride(source, stride)) return mu_binary_fail_header(source, err);
    const struct mu_layout layout = layout_at(source, HEADER_BYTES, stride);
    int status = mu_layout_read(source, &layout, graph, &negative, err);
    if (status == MU_OK && source->bytes[0] == 1)
        status = check_inverse(source, stride, *graph, err);
    else if (status == MU_OK)
        status = check_undirected(source, *graph, err);
    if (status == MU_OK) mu_negative_refuse(&negative, reading, *graph);
    return status;
}

static int read_sg(const struct mu_source *source, struct mu_reading *reading, struct mu_graph **graph,
                   struct mu_error *err)
{
    return read_gapbs(source, HEAD_BYTES, reading, graph, err);
}

static int read_wsg(const struct mu_source *source, struct mu_reading *reading, struct mu_graph **graph,
                    struct mu_error *err)
{
    return read_gapbs(source, 2 * HEAD_BYTES, reading, graph, err);
}

/* Writes one copy of rows and heads. An inverse may ignore the tail of mu_graph_weight, since a weight is the same in
 * both directions. */
static void write_body(const struct mu_graph *graph, bool weighted, struct mu_sink *sink)
{
    for (uint64_t vertex = 0; vertex <= graph->vertices; vertex++) mu_sink_u64(sink, graph->row_start[vertex]);
    for (uint32_t tail = 0; tail < graph->vertices; tail++)
        for (uint64_t arc = graph->row_start[tail]; arc < graph->row_start[tail + 1]; arc++) {
            mu_sink_u32(sink, graph->column[arc]);
            if (weighted) mu_sink_u32(sink, mu_graph_weight(graph, tail, arc));
        }
}

static int write_gapbs(const struct mu_graph *graph, bool weighted, struct mu_sink *sink, struct mu_error *err)
{
    mu_sink_u8(sink, graph->undirected ? 0 : 1);
    mu_sink_u64(sink, graph->edges);
    mu_sink_u64(sink, graph->vertices);
    write_body(graph, weighted, sink);
    if (graph->undirected) return MU_OK;
    struct mu_graph *inverse = NULL;
    int status = mu_graph_transpose(graph, &inverse, err);
    if (status == MU_OK) write_body(inverse, weighted, sink);
    mu_graph_free(inverse);
    return status;
}

static int write_sg(const struct mu_graph *graph, struct mu_sink *sink, struct mu_error *err)
{
    return write_gapbs(graph, false, sink, err);
}

static int write_wsg(const struct mu_graph *graph, struct mu_sink *sink, struct mu_error *err)
{
    return write_gapbs(graph, true, sink, err);
}

const struct mu_format mu_format_sg = {
    .name = "sg",
    .purpose = "GAP Benchmark Suite: binary, no weights",
    .mark = "a header that agrees with its size",
    .suffixes = {".sg"},
    .max_vertices = INT32_MAX,
    .max_edges = INT64_MAX,
    .sniff = sniff_sg,
    .read = read_sg,
    .write = write_sg,
};

const struct mu_format mu_format_wsg = {
    .name = "wsg",
    .purpose = "GAP Benchmark Suite: binary, weighted",
    .mark = "a header that agrees with its size",
    .suffixes = {".wsg"},
    .traits = MU_HOLDS_WEIGHTS | MU_ONLY_WEIGHTED,
    .max_vertices = INT32_MAX,
    .max_edges = INT64_MAX,
    .max_weight = INT32_MAX,
    .sniff = sniff_wsg,
    .read = read_wsg,
    .write = write_wsg,
};
