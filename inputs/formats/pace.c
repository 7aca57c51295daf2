/* PACE treewidth track (https://pacechallenge.org/2017/treewidth/): `c` comments, one line `p tw n m`, m lines `u v`,
 * each an undirected edge without a weight. Ids begin at 1. */
#include "inputs/formats/formats.h"
#include "inputs/formats/problem.h"

static bool sniff(const struct mu_source *source)
{
    return mu_problem_sniff(source, "p", "tw");
}

static int read_edges(struct mu_scan *scan, const struct mu_problem *problem, struct mu_arcs *arcs,
                      struct mu_error *err)
{
    const struct mu_range id = {"a vertex id", 1, problem->vertices};
    while (mu_scan_next_line(scan, 'c')) {
        uint64_t one, other;
        int status = mu_problem_next(scan, problem, arcs, err);
        if (status == MU_OK) status = mu_scan_number(scan, &id, &one, err);
        if (status == MU_OK) status = mu_scan_number(scan, &id, &other, err);
        if (status == MU_OK) status = mu_scan_end_line(scan, err);
        if (status != MU_OK) return status;
        mu_arcs_add(arcs, one - 1, other - 1);
    }
    return mu_problem_end(scan, problem, arcs, err);
}

static int read_pace(const struct mu_source *source, struct mu_graph **graph, struct mu_error *err)
{
    struct mu_scan scan = mu_scan_start(source);
    struct mu_problem problem = {.kind = "tw"};
    struct mu_arcs arcs = {0};
    int status = mu_problem_read(&scan, &problem, &arcs, err);
    if (status == MU_OK) status = read_edges(&scan, &problem, &arcs, err);
    if (status == MU_OK) status = mu_arcs_build(&arcs, problem.vertices, MU_ARCS_MIRROR, graph, err);
    mu_arcs_release(&arcs);
    return status;
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
    .sniff = sniff,
    .read = read_pace,
    .write = write_pace,
};
