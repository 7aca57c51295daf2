/* KONECT (Kunegis, "KONECT: the Koblenz network collection", 2013; handbook, "file formats"): a line `% sym|asym|bip
 * <weights>`, perhaps a line `% edges vertices vertices`, then lines `from to [weight [time]]`. Ids begin at 1; `sym`
 * is undirected; the two parts of `bip` are numbered apart, and it is undirected. Where the weights are `unweighted` or
 * `positive` the third number counts parallel edges, and is no weight. */
#include "inputs/formats/formats.h"
#include "inputs/lines/lines.h"

#include <inttypes.h>

static const struct {
    const char *name;
    bool mirror, bipartite;
} kinds[] = {{"sym", true, false}, {"asym", false, false}, {"bip", true, true}};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

/* Goes past the first word behind the `%`; KINDS where it is none of them. */
static size_t take_kind(struct mu_scan *scan)
{
    size_t kind = 0;
    if (*scan->at != '%') return KINDS;
    scan->at++;
    while (kind < KINDS && !mu_scan_word(scan, kinds[kind].name)) kind++;
    return kind;
}

static bool sniff(const struct mu_source *source)
{
    struct mu_scan scan = mu_scan_start(source);
    return take_kind(&scan) < KINDS;
}

/* Reads the second line, if it has the counts. */
static int read_counts(struct mu_scan *scan, struct mu_arc_lines *lines, struct mu_error *err)
{
    static const struct mu_range any = {"a number", 0, INT64_MAX};
    struct mu_scan ahead = *scan;
    uint64_t numbers[3];
    unsigned count = 0;
    if (*ahead.at != '%') return MU_OK;
    ahead.at++;
    while (count < 3 && mu_scan_number(&ahead, &any, &numbers[count], NULL) == MU_OK) count++;
    if (count < 2 || !mu_scan_line_is_over(&ahead)) return MU_OK;
    if (numbers[1] > MU_MAX_VERTICES || (count == 3 && numbers[2] > MU_MAX_VERTICES))
        return mu_scan_fail(scan, err, "more vertices than %" PRIu32, MU_MAX_VERTICES);
    lines->counted = true;
    lines->arcs = numbers[0];
    lines->vertices = numbers[1];
    lines->second_part = count == 3 ? numbers[2] : numbers[1];
    return mu_scan_end_line(&ahead, err) == MU_OK ? (*scan = ahead, MU_OK) : MU_INPUT;
}

static int read_konect(const struct mu_source *source, struct mu_reading *reading, struct mu_graph **graph,
                       struct mu_error *err)
{
    struct mu_scan scan = mu_scan_start(source);
    struct mu_arc_lines lines = {.tail = "a vertex id", .head = "a vertex id", .value = "a weight", .comments = "%#"};
    struct mu_scan first;
    uint64_t ignored[MU_COLUMNS_MAX];
    const size_t kind = take_kind(&scan);
    if (kind == KINDS) return mu_scan_fail(&scan, err, "a line '%% sym', '%% asym' or '%% bip' is expected first");
    const bool no_weights = mu_scan_word(&scan, "unweighted") || mu_scan_word(&scan, "positive");
    mu_scan_skip_line(&scan);
    if (read_counts(&scan, &lines, err) != MU_OK) return MU_INPUT;
    first = scan;
    lines.columns = mu_scan_next_line(&first, '%') ? mu_arc_lines_columns(&first, true, ignored) : 2;
    if (lines.columns == 0) lines.columns = 2;
    lines.mirror = kinds[kind].mirror;
    lines.bipartite = kinds[kind].bipartite;
    lines.separators = true;
    lines.ignore_values = no_weights;
    lines.noun = "edges";
    lines.begin = (uint64_t)(scan.at - source->bytes);
    lines.first_line = scan.line;
    reading->skipped += scan.line - 1;
    return mu_arc_lines_read(source, &lines, reading, graph, err);
}

const struct mu_format mu_format_konect = {
    .name = "konect",
    .purpose = "KONECT: text, directed or not, weights or none",
    .mark = "the line '% sym', '% asym' or '% bip'",
    .suffixes = {NULL},
    .sniff = sniff,
    .read = read_konect,
};
