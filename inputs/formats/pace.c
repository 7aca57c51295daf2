/* PACE treewidth track (https://pacechallenge.org/2017/treewidth/): `c` comments, one line `p tw n m`, m lines `u v`,
 * each an undirected edge without a weight. Ids begin at 1. */
#include "inputs/formats/formats.h"
#include "inputs/formats/problem.h"

static bool sniff(const struct mu_source *source)
{
    return mu_problem_sniff(source, "p", "tw");
}

static int read_pace(const struct mu_source *source, struct mu_reading *reading, struct mu_graph **graph,
                     struct mu_error *err)
{
    struct mu_arc_lines lines = {.comments = "c", .columns = 2, .mirror = true, .noun = "edges"};
    lines.tail = lines.head = "a vertex id";
    const int status = mu_problem_read(source, "tw", &lines, reading, err);
    return status == MU_OK ? mu_arc_lines_read(source, &lines, reading, graph, err) : status;
}

static int write_pace(const struct mu_graph *graph, struct mu_sink *sink, struct mu_error *err)
{
    (void)err;
    mu_sink_text(sink, "p tw ");
    mu_sink_number(sink, graph->vertices, ' ');
    mu_sink_number(sink, mu_graph_undirected_edges(graph), '\n');
    for (uint32_t one = 0; one < graph->vertices; one++)
        for (uint64_t arc = graph->row_start[one]; arc < graph->row_start[one + 1]; arc++) {
            if (graph->column[arc] < one) continue;
            mu_sink_number(sink, one + UINT64_C(1), ' ');
            mu_sink_number(sink, graph->column[arc] + UINT64_C(1), '\n');
        }
    return MU_OK;
}

const struct mu_format mu_format_pace = {
    .name = "pace",
    .purpose = "PACE treewidth: text, undirected, no weights",
    .suffixes = {".pace"},
    .traits = MU_ONLY_SYMMETRIC,
    .max_vertices = MU_MAX_VERTICES,
    .max_edges = UINT64_MAX,
    .mark = "the line 'p tw'",
    .sniff = sniff,
    .read = read_pace,
    .write = write_pace,
};
