#include "inputs/formats/binary.h"

#include "base/hash.h"
#include "inputs/formats/parts.h"
#include "inputs/graph/rows.h"
#include "inputs/rng.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

int mu_binary_fail(const struct mu_source *source, uint64_t at, struct mu_error *err, const char *format, ...)
{
    char message[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return mu_fail(err, MU_INPUT, "%s: byte %" PRIu64 ": %s", source->path, at, message);
}

int mu_binary_fail_header(const struct mu_source *source, struct mu_error *err)
{
    return mu_binary_fail(source, 0, err, "no header of this format that agrees with the size of %" PRIu64 " bytes",
                          mu_source_total(source));
}

/* A file that is read once from its beginning to its end, at three places at once. */
struct layout_reader {
    const struct mu_source *source;
    const struct mu_layout *layout;
    struct mu_window ends, heads, weights;
    struct mu_graph *graph; /* NULL: the arcs are only hashed */
    uint64_t hash;
    struct mu_negative negative;
};

static bool load(struct mu_window *window, uint64_t at, unsigned bytes, uint64_t *number)
{
    const unsigned char *p = mu_window_at(window, at, bytes);
    if (p == NULL) return false;
    *number = bytes == 8 ? mu_u32_at(p) | (uint64_t)mu_u32_at(p + 4) << 32 : mu_u32_at(p);
    return true;
}

/* Returns a hash of an arc. Their sum is a hash of arcs in whatever order. */
static inline uint64_t hash_arc(uint64_t tail, uint64_t head, uint32_t weight)
{
    return mu_mix64(mu_mix64((tail << 32 | head) + MU_GOLDEN_RATIO) ^ weight);
}

static int read_arc(struct layout_reader *from, uint64_t tail, uint64_t arc, struct mu_error *err)
{
    const struct mu_layout *layout = from->layout;
    const uint64_t head_at = layout->heads_at + arc * layout->head_stride;
    uint64_t head, weight = 0;
    if (!load(&from->heads, head_at, layout->head_bytes, &head)) return mu_source_fail_changed(from->source, err);
    if (head >= layout->vertices)
        return mu_binary_fail(from->source, head_at, err, "vertex %" PRIu64 " of %" PRIu64, head, layout->vertices);
    if (layout->weight_stride != 0) {
        const uint64_t weight_at = layout->weights_at + arc * layout->weight_stride;
        if (!load(&from->weights, weight_at, 4, &weight)) return mu_source_fail_changed(from->source, err);
        if (weight > layout->max_weight) {
            if (from->negative.at == 0)
                from->negative = (struct mu_negative){weight_at, (int32_t)((int64_t)weight - (INT64_C(1) << 32))};
            weight = 0;
        }
    }
    if (from->graph == NULL) {
        from->hash += hash_arc(head, tail, (uint32_t)weight);
        return MU_OK;
    }
    from->graph->column[arc] = (uint32_t)head;
    if (layout->weight_stride != 0) from->graph->weight[arc] = (uint32_t)weight;
    return MU_OK;
}

static int read_rows(struct layout_reader *from, struct mu_error *err)
{
    const struct mu_layout *layout = from->layout;
    uint64_t arc = 0;
    for (uint64_t tail = 0; tail < layout->vertices; tail++) {
        const uint64_t at = layout->ends_at + tail * layout->end_bytes;
        uint64_t end;
        if (!load(&from->ends, at, layout->end_bytes, &end)) return mu_source_fail_changed(from->source, err);
        if (end < arc || end > layout->edges)
            return mu_binary_fail(from->source, at, err,
                                  "row %" PRIu64 " ends at arc %" PRIu64 ", not from %" PRIu64 " to %" PRIu64, tail,
                                  end, arc, layout->edges);
        for (; arc < end; arc++) {
            const int status = read_arc(from, tail, arc, err);
            if (status != MU_OK) return status;
        }
        if (from->graph != NULL) from->graph->row_start[tail + 1] = end;
    }
    if (mu_source_changed(from->source)) return mu_source_fail_changed(from->source, err);
    if (arc == layout->edges) return MU_OK;
    return mu_binary_fail(from->source, layout->ends_at + layout->vertices * layout->end_bytes, err,
                          "the rows end at arc %" PRIu64 " of %" PRIu64, arc, layout->edges);
}

/* Reads into from->graph, or else makes from->hash. */
static int read_layout(struct layout_reader *from, struct mu_error *err)
{
    const struct mu_layout *layout = from->layout;
    const uint64_t first_at = layout->ends_at - layout->end_bytes;
    uint64_t first = 0;
    int status = mu_window_open(&from->ends, from->source, err);
    if (status == MU_OK) status = mu_window_open(&from->heads, from->source, err);
    if (status == MU_OK) status = mu_window_open(&from->weights, from->source, err);
    if (status == MU_OK && layout->zero_first && !load(&from->ends, first_at, layout->end_bytes, &first))
        status = mu_source_fail_changed(from->source, err);
    if (status == MU_OK && first != 0)
        status = mu_binary_fail(from->source, first_at, err, "the first row does not begin at arc 0");
    if (status == MU_OK) status = read_rows(from, err);
    mu_window_close(&from->ends);
    mu_window_close(&from->heads);
    mu_window_close(&from->weights);
    return status;
}

int mu_layout_read(const struct mu_source *source, const struct mu_layout *layout, struct mu_graph **graph,
                   struct mu_negative *negative, struct mu_error *err)
{
    struct layout_reader from = {.source = source, .layout = layout};
    if (layout->vertices > MU_MAX_VERTICES)
        return mu_binary_fail(source, 0, err, "%" PRIu64 " vertices are too many", layout->vertices);
    from.graph = mu_graph_new((uint32_t)layout->vertices, layout->edges, layout->weight_stride != 0, err);
    if (from.graph == NULL) return err != NULL && err->status != MU_OK ? err->status : MU_NO_MEMORY;
    const int status = read_layout(&from, err);
    if (status != MU_OK) {
        mu_graph_free(from.graph);
        return status;
    }
    mu_graph_sort_rows(from.graph);
    *graph = from.graph;
    *negative = from.negative;
    return MU_OK;
}

void mu_negative_refuse(const struct mu_negative *negative, const struct mu_reading *reading, struct mu_graph *graph)
{
    if (negative->at == 0 || mu_reading_generates(reading)) return;
    mu_graph_refuse_weights(
        graph, "the file's values are not all whole numbers from 0 to 4294967295 (byte %" PRIu64 ": %" PRId32 ")",
        negative->at, negative->value);
}

int mu_layout_hash_turned(const struct mu_source *source, const struct mu_layout *layout, uint64_t *hash,
                          struct mu_error *err)
{
    struct layout_reader from = {.source = source, .layout = layout};
    const int status = read_layout(&from, err);
    *hash = from.hash;
    return status;
}

uint64_t mu_arcs_hash(const struct mu_graph *graph)
{
    uint64_t hash = 0;
    for (uint64_t tail = 0; tail < graph->vertices; tail++)
        for (uint64_t arc = graph->row_start[tail]; arc < graph->row_start[tail + 1]; arc++)
            hash += hash_arc(tail, graph->column[arc], graph->weight != NULL ? graph->weight[arc] : 0);
    return hash;
}
