/* ECL graphs (https://userweb.cs.txstate.edu/~burtscher/research/ECLgraph/): signed 32-bit little-endian numbers:
 * vertices, arcs, for each vertex and one more where its row begins, the arcs' heads, and, if the file goes on, their
 * weights. Ids begin at 0. */
#include "inputs/formats/binary.h"
#include "inputs/formats/formats.h"

enum { HEADER_BYTES = 8, NUMBER_BYTES = 4 };

static uint64_t size_of(uint64_t vertices, uint64_t edges, bool weighted)
{
    return HEADER_BYTES + NUMBER_BYTES * (vertices + 1 + (weighted ? 2 : 1) * edges);
}

static bool sniff(const struct mu_source *source)
{
    if (source->size < HEADER_BYTES) return false;
    const uint64_t vertices = mu_load_u32(source, 0), edges = mu_load_u32(source, 4);
    if (vertices > INT32_MAX || edges > INT32_MAX) return false;
    const uint64_t size = mu_source_total(source);
    return size == size_of(vertices, edges, false) || size == size_of(vertices, edges, true);
}

static int read_ecl(const struct mu_source *source, struct mu_reading *reading, struct mu_graph **graph,
                    struct mu_error *err)
{
    struct mu_negative negative = {0};
    if (!sniff(source)) return mu_binary_fail_header(source, err);
    struct mu_layout layout = {.vertices = mu_load_u32(source, 0), .edges = mu_load_u32(source, 4)};
    layout.zero_first = true;
    layout.ends_at = HEADER_BYTES + NUMBER_BYTES;
    layout.end_bytes = NUMBER_BYTES;
    layout.heads_at = HEADER_BYTES + NUMBER_BYTES * (layout.vertices + 1);
    layout.head_bytes = layout.head_stride = NUMBER_BYTES;
    layout.weights_at = layout.heads_at + NUMBER_BYTES * layout.edges;
    layout.weight_stride = layout.weights_at < mu_source_total(source) ? NUMBER_BYTES : 0;
    layout.max_weight = INT32_MAX;
    const int status = mu_layout_read(source, &layout, graph, &negative, err);
    if (status == MU_OK) mu_negative_refuse(&negative, reading, *graph);
    return status;
}

static int write_ecl(const struct mu_graph *graph, struct mu_sink *sink, struct mu_error *err)
{
    (void)err;
    mu_sink_u32(sink, graph->vertices);
    mu_sink_u32(sink, (uint32_t)graph->edges);
    for (uint64_t vertex = 0; vertex <= graph->vertices; vertex++)
        mu_sink_u32(sink, (uint32_t)graph->row_start[vertex]);
    for (uint64_t arc = 0; arc < graph->edges; arc++) mu_sink_u32(sink, graph->column[arc]);
    for (uint64_t arc = 0; graph->weight != NULL && arc < graph->edges; arc++) mu_sink_u32(sink, graph->weight[arc]);
    return MU_OK;
}

const struct mu_format mu_format_ecl = {
    .name = "ecl",
    .purpose = "ECL graph: binary, weights or none",
    .mark = "a header that agrees with its size",
    .suffixes = {".egr"},
    .traits = MU_HOLDS_WEIGHTS,
    .max_vertices = INT32_MAX,
    .max_edges = INT32_MAX,
    .max_weight = INT32_MAX,
    .sniff = sniff,
    .read = read_ecl,
    .write = write_ecl,
};
