/* DIMACS, 9th implementation challenge (http://www.diag.uniroma1.it/challenge9/format.shtml): `c` comments, one line
 * `p sp n m`, m lines `a tail head weight`. Ids begin at 1; loops and parallel arcs are allowed; arcs are directed. */
#include "inputs/formats/formats.h"
#include "inputs/formats/problem.h"

static bool sniff(const struct mu_source *source)
{
    return mu_problem_sniff(source, "p", "sp") || mu_problem_sniff(source, "a", NULL);
}

static int read_dimacs(const struct mu_source *source, struct mu_reading *reading, struct mu_graph **graph,
                       struct mu_error *err)
{
    struct mu_arc_lines lines = {.prefix = 'a', .comments = "c", .columns = 3, .noun = "edges"};
    lines.tail = lines.head = "a vertex id";
    lines.value = "a weight";
    const int status = mu_problem_read(source, "sp", &lines, reading, err);
    return status == MU_OK ? mu_arc_lines_read(source, &lines, reading, graph, err) : status;
}

static int write_dimacs(const struct mu_graph *graph, struct mu_sink *sink, struct mu_error *err)
{
    (void)err;
    mu_sink_text(sink, "p sp ");
    mu_sink_number(sink, graph->vertices, ' ');
    mu_sink_number(sink, graph->edges, '\n');
    for (uint32_t tail = 0; tail < graph->vertices; tail++)
        for (uint64_t arc = graph->row_start[tail]; arc < graph->row_start[tail + 1]; arc++) {
            mu_sink_text(sink, "a ");
            mu_sink_number(sink, tail + UINT64_C(1), ' ');
            mu_sink_number(sink, graph->column[arc] + UINT64_C(1), ' ');
            mu_sink_number(sink, mu_graph_weight(graph, tail, arc), '\n');
        }
    return MU_OK;
}

const struct mu_format mu_format_dimacs = {
    .name = "dimacs",
    .purpose = "DIMACS-9 shortest paths: text, directed, weighted",
    .suffixes = {".gr"},
    .traits = MU_HOLDS_WEIGHTS | MU_ONLY_WEIGHTED,
    .max_vertices = MU_MAX_VERTICES,
    .max_edges = UINT64_MAX,
    .max_weight = UINT32_MAX,
    .mark = "the line 'p sp'",
    .sniff = sniff,
    .read = read_dimacs,
    .write = write_dimacs,
};
