/* Edge lists as of the Stanford Network Analysis Project: `#` comments, lines `tail head`, directed, no weights. Ids
 * are arbitrary numbers below 2^63; vertices are numbered in the order of their ids, and the graph keeps the ids unless
 * they are 0 .. n - 1. */
#include "base/limits.h"
#include "base/memory.h"
#include "inputs/formats/formats.h"
#include "inputs/formats/scan.h"
#include "inputs/graph/arcs.h"
#include "inputs/radix.h"

#include <inttypes.h>
#include <string.h>

/* Up to this many table entries for each end of an edge, a table maps ids to vertices; beyond, a search. */
enum { TABLE_ENTRIES_PER_END = 8 };

#define NO_VERTEX UINT32_MAX

struct list {
    uint64_t ends;    /* two for each edge */
    uint64_t *end_id; /* [ends] */
    uint64_t *id;     /* [vertices], ascending */
    uint64_t vertices;
    uint64_t table_size; /* greatest id + 1, or 0 where there is no table */
    uint32_t *table;     /* the vertex of each id */
};

bool mu_looks_like_edge_list(const struct mu_source *source)
{
    static const struct mu_range id = {"a vertex id", 0, INT64_MAX};
    struct mu_scan scan = mu_scan_start(source);
    for (unsigned line = 0; line < 2; line++) {
        uint64_t ignored;
        if (!mu_scan_next_line(&scan, '#')) return line > 0;
        for (unsigned end = 0; end < 2; end++)
            if (mu_scan_number(&scan, &id, &ignored, NULL) != MU_OK) return false;
        if (mu_scan_end_line(&scan, NULL) != MU_OK) return false;
    }
    return true;
}

static bool sniff(const struct mu_source *source)
{
    return source->bytes[0] == '#' || mu_looks_like_edge_list(source);
}

static uint64_t count_lines(const struct mu_source *source)
{
    uint64_t lines = 1;
    const unsigned char *at = source->bytes, *end = at + source->size;
    while ((at = memchr(at, '\n', (size_t)(end - at))) != NULL) {
        lines++;
        at++;
    }
    return lines;
}

static int read_ids(const struct mu_source *source, struct list *list, struct mu_error *err)
{
    static const struct mu_range id = {"a vertex id", 0, INT64_MAX};
    struct mu_scan scan = mu_scan_start(source);
    const uint64_t lines = count_lines(source);
    if (mu_memory_check(lines, 2 * sizeof *list->end_id, "the list of edges", err) != MU_OK) return MU_LIMIT;
    list->end_id = mu_malloc(lines, 2 * sizeof *list->end_id, "the list of edges", err);
    if (list->end_id == NULL) return MU_NO_MEMORY;
    while (mu_scan_next_line(&scan, '#')) {
        int status = mu_scan_number(&scan, &id, &list->end_id[list->ends], err);
        if (status == MU_OK) status = mu_scan_number(&scan, &id, &list->end_id[list->ends + 1], err);
        if (status == MU_OK) status = mu_scan_end_line(&scan, err);
        if (status != MU_OK) return status;
        list->ends += 2;
    }
    return MU_OK;
}

/* The table marks which ids there are, and then numbers them. */
static int number_by_table(struct list *list, struct mu_error *err)
{
    list->table = mu_malloc(list->table_size, sizeof *list->table, "the table of vertex ids", err);
    if (list->table == NULL) return MU_NO_MEMORY;
    for (uint64_t id = 0; id < list->table_size; id++) list->table[id] = NO_VERTEX;
    for (uint64_t i = 0; i < list->ends; i++) list->table[list->end_id[i]] = 0;
    for (uint64_t id = 0; id < list->table_size; id++) list->vertices += list->table[id] != NO_VERTEX;
    list->id = mu_malloc(list->vertices, sizeof *list->id, "the vertex ids", err);
    if (list->id == NULL) return MU_NO_MEMORY;
    uint32_t vertex = 0;
    for (uint64_t id = 0; id < list->table_size; id++) {
        if (list->table[id] == NO_VERTEX) continue;
        list->id[vertex] = id;
        list->table[id] = vertex++;
    }
    return MU_OK;
}

static int number_by_sorting(struct list *list, struct mu_error *err)
{
    list->id = mu_malloc(list->ends, sizeof *list->id, "the vertex ids", err);
    uint64_t *spare = mu_malloc(list->ends, sizeof *spare, "sorting the vertex ids", err);
    if (list->id != NULL && spare != NULL) {
        memcpy(list->id, list->end_id, list->ends * sizeof *list->id);
        mu_sort(&(struct mu_sort_span){.key = list->id, .spare_key = spare, .count = list->ends});
        for (uint64_t i = 0; i < list->ends; i++)
            if (list->vertices == 0 || list->id[list->vertices - 1] != list->id[i])
                list->id[list->vertices++] = list->id[i];
    }
    bool ok = list->id != NULL && spare != NULL;
    mu_free(spare);
    return ok ? MU_OK : MU_NO_MEMORY;
}

static int number_vertices(const struct mu_source *source, struct list *list, struct mu_error *err)
{
    uint64_t greatest = 0;
    for (uint64_t i = 0; i < list->ends; i++)
        if (list->end_id[i] > greatest) greatest = list->end_id[i];
    if (greatest / TABLE_ENTRIES_PER_END < list->ends && greatest < MU_MAX_VERTICES) list->table_size = greatest + 1;
    int status = list->table_size > 0 ? number_by_table(list, err) : number_by_sorting(list, err);
    if (status == MU_OK && list->vertices > MU_MAX_VERTICES)
        status = mu_fail(err, MU_INPUT, "%s: %" PRIu64 " vertices are too many", source->path, list->vertices);
    return status;
}

static uint64_t vertex_of(const struct list *list, uint64_t id)
{
    if (list->table != NULL) return list->table[id];
    uint64_t low = 0, high = list->vertices;
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        if (list->id[middle] <= id)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static int build(struct list *list, struct mu_graph **graph, struct mu_error *err)
{
    struct mu_arcs arcs = {0};
    int status = mu_arcs_reserve(&arcs, list->ends / 2, false, err);
    if (status != MU_OK) return status;
    for (uint64_t i = 0; i < list->ends; i += 2)
        mu_arcs_add(&arcs, vertex_of(list, list->end_id[i]), vertex_of(list, list->end_id[i + 1]));
    mu_free(list->end_id);
    list->end_id = NULL;
    status = mu_arcs_build(&arcs, (uint32_t)list->vertices, MU_ARCS_AS_LISTED, graph, err);
    mu_arcs_release(&arcs);
    bool as_positions = list->vertices == 0 || list->id[list->vertices - 1] == list->vertices - 1;
    if (status == MU_OK && !as_positions) {
        (*graph)->outside_id = list->id;
        list->id = NULL;
    }
    return status;
}

static int read_snap(const struct mu_source *source, struct mu_graph **graph, struct mu_error *err)
{
    struct list list = {0};
    int status = read_ids(source, &list, err);
    if (status == MU_OK) status = number_vertices(source, &list, err);
    if (status == MU_OK) status = build(&list, graph, err);
    mu_free(list.end_id);
    mu_free(list.id);
    mu_free(list.table);
    return status;
}

static uint64_t outside_id(const struct mu_graph *graph, uint32_t vertex)
{
    return graph->outside_id != NULL ? graph->outside_id[vertex] : vertex;
}

static int write_snap(const struct mu_graph *graph, struct mu_sink *sink, struct mu_error *err)
{
    (void)err;
    mu_sink_text(sink, "# Nodes: ");
    mu_sink_number(sink, graph->vertices, ' ');
    mu_sink_text(sink, "Edges: ");
    mu_sink_number(sink, graph->edges, '\n');
    for (uint32_t tail = 0; tail < graph->vertices; tail++)
        for (uint64_t arc = graph->row_start[tail]; arc < graph->row_start[tail + 1]; arc++) {
            mu_sink_number(sink, outside_id(graph, tail), '\t');
            mu_sink_number(sink, outside_id(graph, graph->column[arc]), '\n');
        }
    return MU_OK;
}

const struct mu_format mu_format_snap = {
    .name = "snap",
    .purpose = "SNAP edge list: text, directed, no weights",
    .suffixes = {".txt", ".el"},
    .traits = MU_NO_ISOLATED,
    .max_vertices = MU_MAX_VERTICES,
    .max_edges = UINT64_MAX,
    .sniff = sniff,
    .read = read_snap,
    .write = write_snap,
};
