/* Matrix Market (Boisvert, Pozo and Remington, "The Matrix Market exchange formats", NISTIR 5935, 1996). It has the
 * banner `%%MatrixMarket matrix coordinate <field> <symmetry>`, `%` comments, a line `M N L`, and L lines `row column
 * [value]`. Ids begin at 1; a graph's matrix is square.
 *
 * The fields `integer` and `real` have values, which become weights as the user has it (reading.h); `pattern` has none.
 * `symmetric` lists one triangle, diagonal included, that stands for both. */
#include "inputs/formats/formats.h"
#include "inputs/formats/problem.h"

#include <inttypes.h>
#include <stdio.h>

static const struct {
    const char *name, *value;
} fields[] = {{"integer", "a weight"},
              {"unsigned-integer", "a weight"}, /* of GraphBLAS */
              {"real", "an entry's value"},
              {"double", "an entry's value"},
              {"pattern", NULL}};

static const struct {
    const char *name;
    bool symmetric;
} symmetries[] = {{"general", false}, {"symmetric", true}};

/* Takes the banner. Some collections write other than two percent signs, or a blank behind them. The scanner moves only
 * if there is one. */
static bool take_banner(struct mu_scan *scan)
{
    struct mu_scan word = *scan;
    while (*word.at == '%') word.at++;
    if (word.at == scan->at || !mu_scan_word_any_case(&word, "MatrixMarket")) return false;
    *scan = word;
    return true;
}

static bool sniff(const struct mu_source *source)
{
    struct mu_scan scan = mu_scan_start(source);
    return take_banner(&scan);
}

static int read_banner(struct mu_scan *scan, struct mu_arc_lines *lines, struct mu_error *err)
{
    char text[MU_SCAN_QUOTED_BYTES];
    size_t field = 0, symmetry = 0;
    const size_t field_count = sizeof fields / sizeof fields[0];
    const size_t symmetry_count = sizeof symmetries / sizeof symmetries[0];
    if (!mu_scan_word_any_case(scan, "matrix") || !mu_scan_word_any_case(scan, "coordinate"))
        return mu_scan_fail(scan, err, "a 'matrix coordinate' is expected, not %s", mu_scan_quote(scan, text));
    while (field < field_count && !mu_scan_word_any_case(scan, fields[field].name)) field++;
    if (field == field_count)
        return mu_scan_fail(scan, err, "the field must be integer, real or pattern, not %s", mu_scan_quote(scan, text));
    while (symmetry < symmetry_count && !mu_scan_word_any_case(scan, symmetries[symmetry].name)) symmetry++;
    if (symmetry == symmetry_count)
        return mu_scan_fail(scan, err, "the symmetry must be general or symmetric, not %s", mu_scan_quote(scan, text));
    lines->value = fields[field].value;
    lines->columns = lines->value != NULL ? 3 : 2;
    lines->mirror = lines->lower = symmetries[symmetry].symmetric;
    return mu_scan_end_line(scan, err);
}

/* Fills in what a banner would tell, which only --input-format=mtx does without: general, with values if the first
 * entry has one. */
static void guess_banner(const struct mu_scan *size_line, struct mu_arc_lines *lines, struct mu_reading *reading)
{
    struct mu_scan scan = *size_line;
    uint64_t ignored[MU_COLUMNS_MAX];
    mu_scan_skip_line(&scan);
    const bool has_entry = mu_scan_next_line(&scan, '%');
    lines->columns = has_entry && mu_arc_lines_columns(&scan, false, ignored) == 3 ? 3 : 2;
    lines->value = "an entry's value";
    snprintf(reading->remark, sizeof reading->remark, "no banner: taken for a general matrix");
}

static int read_size(struct mu_scan *scan, struct mu_arc_lines *lines, struct mu_error *err)
{
    static const struct mu_range row_range = {"the number of rows", 0, MU_MAX_VERTICES};
    static const struct mu_range column_range = {"the number of columns", 0, MU_MAX_VERTICES};
    static const struct mu_range entry_range = {"the number of entries", 0, INT64_MAX};
    uint64_t columns;
    int status = mu_scan_number(scan, &row_range, &lines->vertices, err);
    if (status == MU_OK) status = mu_scan_number(scan, &column_range, &columns, err);
    if (status == MU_OK && lines->vertices != columns)
        status = mu_scan_fail(scan, err, "a graph's matrix is square, not %" PRIu64 " by %" PRIu64, lines->vertices,
                              columns);
    if (status == MU_OK) status = mu_scan_number(scan, &entry_range, &lines->arcs, err);
    if (status == MU_OK) status = mu_problem_check(scan, lines->arcs, err);
    return status == MU_OK ? mu_scan_end_line(scan, err) : status;
}

static int read_mtx(const struct mu_source *source, struct mu_reading *reading, struct mu_graph **graph,
                    struct mu_error *err)
{
    struct mu_scan scan = mu_scan_start(source);
    struct mu_arc_lines lines = {.tail = "a row", .head = "a column", .comments = "%", .counted = true};
    lines.noun = "entries";
    const bool has_banner = take_banner(&scan);
    if (has_banner && read_banner(&scan, &lines, err) != MU_OK) return MU_INPUT;
    if (!mu_scan_next_line(&scan, '%')) return mu_scan_fail(&scan, err, "the file ends before the matrix's size");
    if (!has_banner) guess_banner(&scan, &lines, reading);
    reading->skipped += scan.line - 1 - has_banner;
    const int status = read_size(&scan, &lines, err);
    lines.begin = (uint64_t)(scan.at - source->bytes);
    lines.first_line = scan.line;
    return status == MU_OK ? mu_arc_lines_read(source, &lines, reading, graph, err) : status;
}

static int write_mtx(const struct mu_graph *graph, struct mu_sink *sink, struct mu_error *err)
{
    (void)err;
    mu_sink_text(sink, "%%MatrixMarket matrix coordinate ");
    mu_sink_text(sink, graph->weight != NULL ? "integer " : "pattern ");
    mu_sink_text(sink, graph->undirected ? "symmetric\n" : "general\n");
    mu_sink_number(sink, graph->vertices, ' ');
    mu_sink_number(sink, graph->vertices, ' ');
    mu_sink_number(sink, graph->undirected ? mu_graph_undirected_edges(graph) : graph->edges, '\n');
    for (uint32_t row = 0; row < graph->vertices; row++)
        for (uint64_t arc = graph->row_start[row]; arc < graph->row_start[row + 1]; arc++) {
            if (graph->undirected && graph->column[arc] > row) break;
            mu_sink_number(sink, row + UINT64_C(1), ' ');
            mu_sink_number(sink, graph->column[arc] + UINT64_C(1), graph->weight != NULL ? ' ' : '\n');
            if (graph->weight != NULL) mu_sink_number(sink, graph->weight[arc], '\n');
        }
    return MU_OK;
}

const struct mu_format mu_format_mtx = {
    .name = "mtx",
    .purpose = "Matrix Market: text, weights or none",
    .mark = "the banner %%MatrixMarket",
    .suffixes = {".mtx"},
    .traits = MU_HOLDS_WEIGHTS,
    .max_vertices = MU_MAX_VERTICES,
    .max_edges = UINT64_MAX,
    .max_weight = UINT32_MAX,
    .sniff = sniff,
    .read = read_mtx,
    .write = write_mtx,
};
