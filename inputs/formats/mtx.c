/* Matrix Market (Boisvert, Pozo and Remington, "The Matrix Market exchange formats", NISTIR 5935, 1996): the banner
 * `%%MatrixMarket matrix coordinate <field> <symmetry>`, `%` comments, a line `M N L`, L lines `row column [value]`.
 * Ids begin at 1; a graph's matrix is square.
 *
 * The field `integer` holds weights, from 0 to 2^32 - 1. The field `real` holds a matrix's coefficients, which say
 * nothing about distances: they must be numbers, and are dropped. `pattern` has none. `symmetric` lists one triangle,
 * diagonal included, that stands for both. */
#include "inputs/formats/formats.h"
#include "inputs/formats/problem.h"

#include <ctype.h>
#include <inttypes.h>

struct matrix {
    int (*read_value)(struct mu_scan *scan, uint64_t *weight, struct mu_error *err);
    bool weighted, symmetric;
    uint32_t vertices;
    uint64_t entries;
};

static int read_weight(struct mu_scan *scan, uint64_t *weight, struct mu_error *err)
{
    static const struct mu_range weight_range = {"a weight", 0, UINT32_MAX};
    return mu_scan_number(scan, &weight_range, weight, err);
}

static const unsigned char *past_digits(const unsigned char *at)
{
    while (isdigit(*at)) at++;
    return at;
}

/* The end of the decimal number, with or without fraction and exponent, that begins here; NULL if there is none. */
static const unsigned char *past_real(const unsigned char *at)
{
    if (*at == '+' || *at == '-') at++;
    const unsigned char *whole = past_digits(at);
    const unsigned char *end = *whole == '.' ? past_digits(whole + 1) : whole;
    if (!isdigit(*at) && end <= whole + 1) return NULL;
    if (*end != 'e' && *end != 'E' && *end != 'd' && *end != 'D') return end;
    end++;
    if (*end == '+' || *end == '-') end++;
    return isdigit(*end) ? past_digits(end) : NULL;
}

static int drop_real(struct mu_scan *scan, uint64_t *weight, struct mu_error *err)
{
    (void)weight;
    mu_scan_blanks(scan);
    const unsigned char *end = past_real(scan->at);
    if (end != NULL && (isspace(*end) || *end == '\0')) {
        scan->at = end;
        return MU_OK;
    }
    char text[MU_SCAN_QUOTED_BYTES];
    if (mu_scan_line_is_over(scan)) return mu_scan_fail(scan, err, "an entry's value is missing");
    return mu_scan_fail(scan, err, "an entry's value is expected, not %s", mu_scan_quote(scan, text));
}

static const struct {
    const char *name;
    int (*read_value)(struct mu_scan *scan, uint64_t *weight, struct mu_error *err);
    bool weighted;
} fields[] = {{"integer", read_weight, true}, {"real", drop_real, false}, {"pattern", NULL, false}};

static const struct {
    const char *name;
    bool symmetric;
} symmetries[] = {{"general", false}, {"symmetric", true}};

static bool sniff(const struct mu_source *source)
{
    struct mu_scan scan = mu_scan_start(source);
    return mu_scan_word_any_case(&scan, "%%MatrixMarket");
}

static int read_banner(struct mu_scan *scan, struct matrix *matrix, struct mu_error *err)
{
    char text[MU_SCAN_QUOTED_BYTES];
    size_t field = 0, symmetry = 0;
    const size_t field_count = sizeof fields / sizeof fields[0];
    const size_t symmetry_count = sizeof symmetries / sizeof symmetries[0];
    mu_scan_word_any_case(scan, "%%MatrixMarket");
    if (!mu_scan_word_any_case(scan, "matrix") || !mu_scan_word_any_case(scan, "coordinate"))
        return mu_scan_fail(scan, err, "a 'matrix coordinate' is expected");
    while (field < field_count && !mu_scan_word_any_case(scan, fields[field].name)) field++;
    if (field == field_count)
        return mu_scan_fail(scan, err, "the field must be integer, real or pattern, not %s", mu_scan_quote(scan, text));
    while (symmetry < symmetry_count && !mu_scan_word_any_case(scan, symmetries[symmetry].name)) symmetry++;
    if (symmetry == symmetry_count)
        return mu_scan_fail(scan, err, "the symmetry must be general or symmetric, not %s", mu_scan_quote(scan, text));
    matrix->read_value = fields[field].read_value;
    matrix->weighted = fields[field].weighted;
    matrix->symmetric = symmetries[symmetry].symmetric;
    return mu_scan_end_line(scan, err);
}

static int read_size(struct mu_scan *scan, struct matrix *matrix, struct mu_error *err)
{
    static const struct mu_range row_range = {"the number of rows", 0, MU_MAX_VERTICES};
    static const struct mu_range column_range = {"the number of columns", 0, MU_MAX_VERTICES};
    static const struct mu_range entry_range = {"the number of entries", 0, INT64_MAX};
    uint64_t rows, columns;
    if (!mu_scan_next_line(scan, '%')) return mu_scan_fail(scan, err, "the file ends before the matrix's size");
    int status = mu_scan_number(scan, &row_range, &rows, err);
    if (status == MU_OK) status = mu_scan_number(scan, &column_range, &columns, err);
    if (status == MU_OK && rows != columns)
        status = mu_scan_fail(scan, err, "a graph's matrix is square, not %" PRIu64 " by %" PRIu64, rows, columns);
    if (status == MU_OK) status = mu_scan_number(scan, &entry_range, &matrix->entries, err);
    if (status == MU_OK) status = mu_problem_check(scan, matrix->entries, err);
    if (status == MU_OK) status = mu_scan_end_line(scan, err);
    if (status == MU_OK) matrix->vertices = (uint32_t)rows;
    return status;
}

static int read_entry(struct mu_scan *scan, const struct matrix *matrix, struct mu_arcs *arcs, struct mu_error *err)
{
    const struct mu_range row_range = {"a row", 1, matrix->vertices};
    const struct mu_range column_range = {"a column", 1, matrix->vertices};
    uint64_t row, column, weight = 0;
    int status = mu_scan_number(scan, &row_range, &row, err);
    if (status == MU_OK) status = mu_scan_number(scan, &column_range, &column, err);
    if (status == MU_OK && matrix->symmetric && column > row)
        status = mu_scan_fail(scan, err, "a symmetric matrix has no entry above the diagonal in its file");
    if (status == MU_OK && matrix->read_value != NULL) status = matrix->read_value(scan, &weight, err);
    if (status == MU_OK) status = mu_scan_end_line(scan, err);
    if (status != MU_OK) return status;
    if (matrix->weighted)
        mu_arcs_add_weighted(arcs, row - 1, column - 1, weight);
    else
        mu_arcs_add(arcs, row - 1, column - 1);
    return MU_OK;
}

static int read_entries(struct mu_scan *scan, const struct matrix *matrix, struct mu_arcs *arcs, struct mu_error *err)
{
    while (mu_scan_next_line(scan, '%')) {
        if (arcs->count == matrix->entries)
            return mu_scan_fail(scan, err, "all %" PRIu64 " entries have come already", matrix->entries);
        int status = read_entry(scan, matrix, arcs, err);
        if (status != MU_OK) return status;
    }
    if (arcs->count == matrix->entries) return MU_OK;
    return mu_scan_fail(scan, err, "the file ends after %" PRIu64 " of %" PRIu64 " entries", arcs->count,
                        matrix->entries);
}

static int read_mtx(const struct mu_source *source, struct mu_graph **graph, struct mu_error *err)
{
    struct mu_scan scan = mu_scan_start(source);
    struct matrix matrix = {0};
    struct mu_arcs arcs = {0};
    int status = read_banner(&scan, &matrix, err);
    if (status == MU_OK) status = read_size(&scan, &matrix, err);
    if (status == MU_OK) status = mu_arcs_reserve(&arcs, matrix.entries, matrix.weighted, err);
    if (status == MU_OK) status = read_entries(&scan, &matrix, &arcs, err);
    unsigned shape = matrix.symmetric ? MU_ARCS_MIRROR : MU_ARCS_AS_LISTED;
    if (status == MU_OK) status = mu_arcs_build(&arcs, matrix.vertices, shape, graph, err);
    mu_arcs_release(&arcs);
    return status;
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
    .purpose = "Matrix Market: text, integer weights or none",
    .suffixes = {".mtx"},
    .traits = MU_HOLDS_WEIGHTS,
    .max_vertices = MU_MAX_VERTICES,
    .max_edges = UINT64_MAX,
    .max_weight = UINT32_MAX,
    .sniff = sniff,
    .read = read_mtx,
    .write = write_mtx,
};
