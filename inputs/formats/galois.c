/* Galois graphs, versions 1 and 2: four 64-bit numbers (version, bytes of an edge's datum, vertices, arcs), and for
 * each vertex the end of its row (64 bits). Then come the arcs' heads (32 bits in version 1, padded to 8 bytes by
 * most writers; 64 bits in version 2) and the edges' data. Little-endian, ids from 0. A datum is nothing or a 32-bit
 * weight. */
#include "inputs/formats/binary.h"
#include "inputs/formats/foreign.h"
#include "inputs/formats/formats.h"

#include <inttypes.h>

enum { HEADER_BYTES = 32, WEIGHT_BYTES = 4, SNIFFED_BYTES = 16, DATUM_MAX = 8 };

/* Returns true if the header has this version. Version and a small datum in 64 bits each look like no text. A shorter
 * file may be an ECL graph of that many vertices without arcs. */
static bool has_version(const struct mu_source *source, uint64_t version)
{
    if (source->size < HEADER_BYTES && mu_format_ecl.sniff(source)) return false;
    return source->size >= SNIFFED_BYTES && mu_load_u64(source, 0) == version && mu_load_u64(source, 8) <= DATUM_MAX;
}

static bool sniff_version_1(const struct mu_source *source)
{
    return has_version(source, 1);
}

static bool sniff_version_2(const struct mu_source *source)
{
    return has_version(source, 2);
}

static int read_galois(const struct mu_source *source, struct mu_reading *reading, struct mu_graph **graph,
                       struct mu_error *err)
{
    (void)reading;
    struct mu_negative none; /* all 32 bits are a weight */
    if (source->size < HEADER_BYTES)
        return mu_binary_fail(source, source->size, err, "the file ends within its header");
    const unsigned head_bytes = mu_load_u64(source, 0) == 1 ? 4 : 8;
    const uint64_t datum_bytes = mu_load_u64(source, 8);
    struct mu_layout layout = {.vertices = mu_load_u64(source, 16), .edges = mu_load_u64(source, 24)};
    if (datum_bytes != 0 && datum_bytes != WEIGHT_BYTES)
        return mu_binary_fail(source, 8, err, "an edge's datum has %" PRIu64 " bytes; only none and 4 are known",
                              datum_bytes);
    /* Each takes more than one byte, so that the sums below cannot overflow. */
    const uint64_t total = mu_source_total(source);
    if (layout.vertices > total || layout.edges > total)
        return mu_binary_fail(source, 16, err, "the file of %" PRIu64 " bytes is too short for its header", total);
    layout.ends_at = HEADER_BYTES;
    layout.end_bytes = 8;
    layout.heads_at = HEADER_BYTES + 8 * layout.vertices;
    layout.head_bytes = layout.head_stride = head_bytes;
    layout.weights_at = layout.heads_at + (head_bytes * layout.edges + 7) / 8 * 8;
    layout.weight_stride = (unsigned)datum_bytes;
    layout.max_weight = UINT32_MAX;
    uint64_t size = layout.weights_at + datum_bytes * layout.edges;
    /* Some writers leave the padding out. */
    const uint64_t heads_end = layout.heads_at + head_bytes * layout.edges;
    if (total == heads_end + datum_bytes * layout.edges) {
        layout.weights_at = heads_end;
        size = total;
    }
    if (size != total)
        return mu_binary_fail(
            source, 16, err, "the header asks for %" PRIu64 " bytes, but the file has %" PRIu64 "%s", size, total,
            mu_foreign_is_pairs(source) ? " (or is it pairs of 64-bit numbers, as Graph500's, which are "
                                          "not read?)"
                                        : "");
    return mu_layout_read(source, &layout, graph, &none, err);
}

static void write_galois(const struct mu_graph *graph, struct mu_sink *sink, uint64_t version)
{
    const uint64_t header[] = {version, graph->weight != NULL ? WEIGHT_BYTES : 0, graph->vertices, graph->edges};
    for (size_t i = 0; i < sizeof header / sizeof header[0]; i++) mu_sink_u64(sink, header[i]);
    for (uint64_t vertex = 0; vertex < graph->vertices; vertex++) mu_sink_u64(sink, graph->row_start[vertex + 1]);
    for (uint64_t arc = 0; arc < graph->edges; arc++) {
        mu_sink_u32(sink, graph->column[arc]);
        if (version == 2) mu_sink_u32(sink, 0);
    }
    if (version == 1 && graph->edges % 2 == 1) mu_sink_u32(sink, 0);
    for (uint64_t arc = 0; graph->weight != NULL && arc < graph->edges; arc++) mu_sink_u32(sink, graph->weight[arc]);
}

static int write_version_1(const struct mu_graph *graph, struct mu_sink *sink, struct mu_error *err)
{
    (void)err;
    write_galois(graph, sink, 1);
    return MU_OK;
}

static int write_version_2(const struct mu_graph *graph, struct mu_sink *sink, struct mu_error *err)
{
    (void)err;
    write_galois(graph, sink, 2);
    return MU_OK;
}

const struct mu_format mu_format_galois = {
    .name = "galois",
    .purpose = "Galois version 1: binary, weights or none",
    .mark = "the number of its version",
    .suffixes = {".galois"},
    .traits = MU_HOLDS_WEIGHTS,
    .max_vertices = MU_MAX_VERTICES,
    .max_edges = UINT64_MAX,
    .max_weight = UINT32_MAX,
    .sniff = sniff_version_1,
    .read = read_galois,
    .write = write_version_1,
};

const struct mu_format mu_format_galois2 = {
    .name = "galois2",
    .purpose = "Galois version 2: binary, 64-bit ids, weights or none",
    .mark = "the number of its version",
    .suffixes = {".galois2"},
    .traits = MU_HOLDS_WEIGHTS,
    .max_vertices = MU_MAX_VERTICES,
    .max_edges = UINT64_MAX,
    .max_weight = UINT32_MAX,
    .sniff = sniff_version_2,
    .read = read_galois,
    .write = write_version_2,
};
