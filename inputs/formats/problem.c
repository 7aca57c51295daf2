#include "inputs/formats/problem.h"

#include <ctype.h>
#include <inttypes.h>

/* The shortest line of an edge is "1 2\n", and the last one's newline may be missing. */
enum { EDGE_LINE_BYTES = 4 };

static const struct mu_range vertex_count = {"the number of vertices", 0, MU_MAX_VERTICES};
static const struct mu_range edge_count = {"the number of edges", 0, INT64_MAX};

bool mu_problem_sniff(const struct mu_source *source, const char *word, const char *next_word)
{
    struct mu_scan scan = mu_scan_start(source);
    if (!mu_scan_next_line(&scan, 'c') || !mu_scan_word(&scan, word)) return false;
    mu_scan_blanks(&scan);
    return next_word == NULL ? isdigit(*scan.at) != 0 : mu_scan_word(&scan, next_word);
}

int mu_problem_check(const struct mu_scan *scan, uint64_t edges, struct mu_error *err)
{
    if (edges <= mu_source_total(scan->source) / EDGE_LINE_BYTES + 1) return MU_OK;
    return mu_scan_fail(scan, err, "%" PRIu64 " edges are promised, but the file is only %" PRIu64 " bytes long", edges,
                        mu_source_total(scan->source));
}

int mu_problem_read(const struct mu_source *source, const char *kind, struct mu_arc_lines *lines,
                    struct mu_reading *reading, struct mu_error *err)
{
    struct mu_scan scan = mu_scan_start(source);
    if (!mu_scan_next_line(&scan, 'c') || !mu_scan_word(&scan, "p") || !mu_scan_word(&scan, kind))
        return mu_scan_fail(&scan, err, "the line 'p %s <vertices> <edges>' is expected first", kind);
    reading->skipped += scan.line - 1;
    int status = mu_scan_number(&scan, &vertex_count, &lines->vertices, err);
    if (status == MU_OK) status = mu_scan_number(&scan, &edge_count, &lines->arcs, err);
    if (status == MU_OK) status = mu_problem_check(&scan, lines->arcs, err);
    if (status == MU_OK) status = mu_scan_end_line(&scan, err);
    lines->counted = true;
    lines->begin = (uint64_t)(scan.at - source->bytes);
    lines->first_line = scan.line;
    return status;
}
