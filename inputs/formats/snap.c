/* Edge lists: lines of two ends, as of the Stanford Network Analysis Project, or of two ends and a value, as of the GAP
 * Benchmark Suite (.wel). A time may stand behind them; directed. Ids are arbitrary numbers of 64 bits; vertices are
 * numbered in the order of their ids, and the graph keeps the ids unless they are 0 .. n - 1. Numbers are separated by
 * blanks, a comma or a semicolon; comments begin with `#`, `%`, `;` or `//`. */
#include "inputs/formats/formats.h"
#include "inputs/formats/unmarked.h"
#include "inputs/lines/lines.h"

static bool has_columns(const struct mu_source *source, unsigned least, unsigned most)
{
    struct mu_first_lines first;
    mu_look_at_first_lines(source, &first);
    return first.columns >= least && first.columns <= most;
}

static bool sniff_snap(const struct mu_source *source)
{
    return has_columns(source, 2, 2);
}

static bool sniff_wel(const struct mu_source *source)
{
    return has_columns(source, 3, MU_COLUMNS_MAX);
}

static int read_list(const struct mu_source *source, struct mu_reading *reading, struct mu_graph **graph,
                     struct mu_error *err)
{
    struct mu_first_lines first;
    mu_look_at_first_lines(source, &first);
    const struct mu_arc_lines lines = mu_list_lines(first.numbers[0] != 0 ? first.numbers[0] : 2);
    return mu_arc_lines_read(source, &lines, reading, graph, err);
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
    .purpose = "edge list, as of SNAP: text, directed, no weights",
    .mark = "two numbers on each line",
    .suffixes = {".txt", ".el"},
    .traits = MU_NO_ISOLATED,
    .max_vertices = MU_MAX_VERTICES,
    .max_edges = UINT64_MAX,
    .sniff = sniff_snap,
    .read = read_list,
    .write = write_snap,
};

const struct mu_format mu_format_wel = {
    .name = "wel",
    .purpose = "edge list with values, as of GAPBS: text, directed, a weight and perhaps a time behind it",
    .mark = "three or four numbers on each line",
    .suffixes = {".wel"},
    .sniff = sniff_wel,
    .read = read_list,
};
