/* DIMACS, 9th implementation challenge (http://www.diag.uniroma1.it/challenge9/format.shtml): `c` comments, one line
 * `p sp n m`, m lines `a tail head weight`. Ids begin at 1; loops and parallel arcs are allowed; arcs are directed. */
#include "inputs/formats/formats.h"
#include "inputs/formats/problem.h"

static bool sniff(const struct mu_source *source)
{
    return mu_problem_sniff(source, "p", NULL) || mu_problem_sniff(source, "a", NULL);
}

static int read_arc(struct mu_scan *scan, const struct mu_range *id, struct mu_arcs *arcs, struct mu_error *err)
{
    static const struct mu_range weight_range = {"a weight", 0, UINT32_MAX};
    uint64_t tail, head, weight;
    if (!mu_scan_word(scan, "a")) {
        char text[MU_SCAN_QUOTED_BYTES];
        return mu_scan_fail(scan, err, "an arc 'a <tail> <head> <weight>' is expected, not %s",
                            mu_scan_quote(scan, text));
    }
    int status = mu_scan_number(scan, id, &tail, err);
    if (status == MU_OK) status = mu_scan_number(scan, id, &head, err);
    if (status == MU_OK) status = mu_scan_number(scan, &weight_range, &weight, err);
    if (status == MU_OK) status = mu_scan_end_line(scan, err);
    if (status == MU_OK) mu_arcs_add_weighted(arcs, tail - 1, head - 1, weight);
    return status;
}

static int read_arcs(struct mu_scan *scan, const struct mu_problem *problem, struct mu_arcs *arcs, struct mu_error *err)
{
    const struct mu_range id = {"a vertex id", 1, problem->vertices};
    while (mu_scan_next_line(scan, 'c')) {
        int status = mu_problem_next(scan, problem, arcs, err);
        if (status == MU_OK) status = read_arc(scan, &id, arcs, err);
        if (status != MU_OK) return status;
    }
    return mu_problem_end(scan, problem, arcs, err);
}

static int read_dimacs(const struct mu_source *source, struct mu_graph **graph, struct mu_error *err)
{
    struct mu_scan scan = mu_scan_start(source);
    struct mu_problem problem = {.kind = "sp", .weighted = true};
    struct mu_arcs arcs = {0};
    int status = mu_problem_read(&scan, &problem, &arcs, err);
    if (status == MU_OK) status = read_arcs(&scan, &problem, &arcs, err);
    if (status == MU_OK) status = mu_arcs_build(&arcs, problem.vertices, MU_ARCS_AS_LISTED, graph, err);
    mu_arcs_release(&arcs);
    return status;
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
    .traits = MU_HOLDS_WEIGHTS | MU_NEEDS_WEIGHTS,
    .max_vertices = MU_MAX_VERTICES,
    .max_edges = UINT64_MAX,
    .max_weight = UINT32_MAX,
    .sniff = sniff,
    .read = read_dimacs,
    .write = write_dimacs,
};
