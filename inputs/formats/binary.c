#include "inputs/formats/binary.h"

#include "inputs/graph/rows.h"

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

static uint64_t load(const struct mu_source *source, uint64_t at, unsigned bytes)
{
    return bytes == 8 ? mu_load_u64(source, at) : mu_load_u32(source, at);
}

static int read_arc(const struct mu_source *source, const struct mu_layout *layout, uint64_t arc,
                    struct mu_graph *graph, struct mu_error *err)
{
    const uint64_t head_at = layout->heads_at + arc * layout->head_stride;
    const uint64_t head = load(source, head_at, layout->head_bytes);
    if (head >= layout->vertices)
        return mu_binary_fail(source, head_at, err, "vertex %" PRIu64 " of %" PRIu64, head, layout->vertices);
    graph->column[arc] = (uint32_t)head;
    if (graph->weight == NULL) return MU_OK;
    const uint64_t weight_at = layout->weights_at + arc * layout->weight_stride;
    const uint32_t weight = mu_load_u32(source, weight_at);
    if (weight > layout->max_weight)
        return mu_binary_fail(source, weight_at, err, "a negative weight: %" PRId64,
                              (int64_t)weight - (INT64_C(1) << 32));
    graph->weight[arc] = weight;
    return MU_OK;
}

static int read_rows(const struct mu_source *source, const struct mu_layout *layout, struct mu_graph *graph,
                     struct mu_error *err)
{
    uint64_t arc = 0;
    for (uint64_t tail = 0; tail < layout->vertices; tail++) {
        const uint64_t at = layout->ends_at + tail * layout->end_bytes;
        const uint64_t end = load(source, at, layout->end_bytes);
        if (end < arc || end > layout->edges)
            return mu_binary_fail(source, at, err,
                                  "row %" PRIu64 " ends at arc %" PRIu64 ", not from %" PRIu64 " to %" PRIu64, tail,
                                  end, arc, layout->edges);
        for (; arc < end; arc++)
            if (read_arc(source, layout, arc, graph, err) != MU_OK) return MU_INPUT;
        graph->row_start[tail + 1] = end;
    }
    if (arc == layout->edges) return MU_OK;
    return mu_binary_fail(source, layout->ends_at + layout->vertices * layout->end_bytes, err,
                          "the rows end at arc %" PRIu64 " of %" PRIu64, arc, layout->edges);
}

int mu_layout_read(const struct mu_source *source, const struct mu_layout *layout, struct mu_graph **graph,
                   struct mu_error *err)
{
    const uint64_t first_at = layout->ends_at - layout->end_bytes;
    if (layout->vertices > MU_MAX_VERTICES)
        return mu_binary_fail(source, 0, err, "%" PRIu64 " vertices are too many", layout->vertices);
    if (layout->zero_first && load(source, first_at, layout->end_bytes) != 0)
        return mu_binary_fail(source, first_at, err, "the first row does not begin at arc 0");
    struct mu_graph *made = mu_graph_new((uint32_t)layout->vertices, layout->edges, layout->weight_stride != 0, err);
    if (made == NULL) return err != NULL && err->status != MU_OK ? err->status : MU_NO_MEMORY;
    const int status = read_rows(source, layout, made, err);
    if (status != MU_OK) {
        mu_graph_free(made);
        return status;
    }
    mu_graph_sort_rows(made);
    *graph = made;
    return MU_OK;
}
