#include "inputs/formats/problem.h"

#include <inttypes.h>

/* The shortest line of an edge is "1 2\n", and the last one's newline may be missing. */
enum { EDGE_LINE_BYTES = 4 };

static const struct mu_range vertex_count = {"the number of vertices", 0, MU_MAX_VERTICES};
static const struct mu_range edge_count = {"the number of edges", 0, INT64_MAX};

bool mu_problem_sniff(const struct mu_source *source, const char *word, const char *next_word)
{
    struct mu_scan scan = mu_scan_start(source);
    if (!mu_scan_next_line(&scan, 'c') || !mu_scan_word(&scan, word)) return false;
    return next_word == NULL || mu_scan_word(&scan, next_word);
}

int mu_problem_check(const struct mu_scan *scan, uint64_t edges, struct mu_error *err)
{
    if (edges <= scan->source->size / EDGE_LINE_BYTES + 1) return MU_OK;
    return mu_scan_fail(scan, err, "%" PRIu64 " edges are promised, but the file is only %zu bytes long", edges,
                        scan->source->size);
}

int mu_problem_read(struct mu_scan *scan, struct mu_problem *problem, struct mu_arcs *arcs, struct mu_error *err)
{
    uint64_t vertices;
    if (!mu_scan_next_line(scan, 'c') || !mu_scan_word(scan, "p") || !mu_scan_word(scan, problem->kind))
        return mu_scan_fail(scan, err, "the line 'p %s <vertices> <edges>' is expected first", problem->kind);
    int status = mu_scan_number(scan, &vertex_count, &vertices, err);
    if (status == MU_OK) status = mu_scan_number(scan, &edge_count, &problem->edges, err);
    if (status == MU_OK) status = mu_problem_check(scan, problem->edges, err);
    if (status == MU_OK) status = mu_scan_end_line(scan, err);
    if (status != MU_OK) return status;
    problem->vertices = (uint32_t)vertices;
    return mu_arcs_reserve(arcs, problem->edges, problem->weighted, err);
}

int mu_problem_next(const struct mu_scan *scan, const struct mu_problem *problem, const struct mu_arcs *arcs,
                    struct mu_error *err)
{
    if (arcs->count < problem->edges) return MU_OK;
    return mu_scan_fail(scan, err, "all %" PRIu64 " edges have come already", problem->edges);
}

int mu_problem_end(const struct mu_scan *scan, const struct mu_problem *problem, const struct mu_arcs *arcs,
                   struct mu_error *err)
{
    if (arcs->count == problem->edges) return MU_OK;
    return mu_scan_fail(scan, err, "the file ends after %" PRIu64 " of %" PRIu64 " edges", arcs->count, problem->edges);
}
