#include "inputs/formats/foreign.h"

#include "inputs/formats/binary.h"
#include "inputs/formats/unmarked.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>
#include <strings.h>

enum { PAIR_BYTES = 16, PAIRS_LOOKED_AT = 4096, IDS_PER_PAIR = 1 << 16, HEAD_BYTES = 4096 };

#define CONVERT "convert it to an edge list or Matrix Market"

/* What a file begins with, blanks aside, whatever the case. The longer one of two comes first. */
static const struct {
    const char *begin, *what;
} beginnings[] = {
    {"*vertices", "a Pajek network: " CONVERT},
    {"*network", "a Pajek network: " CONVERT},
    {"*arcs", "a Pajek network: " CONVERT},
    {"*edges", "a Pajek network: " CONVERT},
    {"graph [", "GML: " CONVERT},
    {"graph\n[", "GML: " CONVERT},
    {"creator ", "GML: " CONVERT},
    {"graph {", "a graph of Graphviz: " CONVERT},
    {"graph ", "a graph of Graphviz or GML: " CONVERT},
    {"digraph", "a graph of Graphviz: " CONVERT},
    {"strict ", "a graph of Graphviz: " CONVERT},
    {"<graphml", "GraphML: " CONVERT},
    {"<gexf", "GEXF: " CONVERT},
    {"<", "XML or HTML: " CONVERT},
    {"{", "JSON: " CONVERT},
    {"[", "JSON: " CONVERT},
    {"p aux sp co", "coordinates of a DIMACS graph (.co): the arcs are in its .gr"},
    {"p aux", "an auxiliary file of a DIMACS graph: the arcs are in its .gr"},
    {"v ", "coordinates of a DIMACS graph (.co): the arcs are in its .gr"},
    {"p max", "a DIMACS problem of maximum flow, which is not read: the line 'p sp <vertices> <edges>' is expected"},
    {"p min", "a DIMACS problem of minimum-cost flow, which is not read"},
    {"p asn", "a DIMACS assignment problem, which is not read"},
    {"p cnf", "a DIMACS satisfiability problem, which is no graph"},
    {"p ", "a DIMACS or PACE problem of a kind that is not read: 'p sp', 'p edge', 'p col' or 'p tw' is expected"},
    {"adjacencyhypergraph", "a hypergraph of Ligra, which is not read"},
    {"weightedadjacencyhypergraph", "a hypergraph of Ligra, which is not read"},
    {">>graph6<<", "graph6: " CONVERT},
    {">>sparse6<<", "sparse6: " CONVERT},
    {">>digraph6<<", "digraph6: " CONVERT},
    {"*node data", "a network of NetDraw (VNA): " CONVERT},
    {"dl n", "a network of UCINET (DL): " CONVERT},
    {"t #", "graphs of gSpan: " CONVERT},
    {"\037\213", "packed twice: unpack it once more"},
    {"bzh", "packed twice: unpack it once more"},
    {"\3757zxz", "packed twice: unpack it once more"},
    {"(\265/\375", "packed twice: unpack it once more"},
    {"\037\235", "packed by compress (.Z): unpack it first"},
    {"\004\"m\030", "packed by LZ4: unpack it first"},
    {"7z\274\257", "a 7-Zip archive: unpack it first"},
    {"rar!", "a RAR archive: unpack it first"},
    {"pk\003\004", "a ZIP archive: unpack it first"},
    {"\211hdf", "HDF5: " CONVERT},
    {"\223numpy", "an array of NumPy: " CONVERT},
    {"par1", "a table of Parquet: " CONVERT},
    {"matlab 5.0", "a file of MATLAB: " CONVERT},
};

static int refuse(const struct mu_source *source, uint64_t line, const char *what, struct mu_error *err)
{
    return mu_fail(err, MU_INPUT, "%s:%" PRIu64 ": %s", source->path, line, what);
}

/* Returns which XML format it is, with how to convert it, by an element further on; NULL for none. */
static const char *name_of_xml(const struct mu_source *source)
{
    char head[HEAD_BYTES];
    const size_t size = source->size < sizeof head - 1 ? source->size : sizeof head - 1;
    memcpy(head, source->bytes, size);
    head[size] = '\0';
    if (strstr(head, "<graphml") != NULL) return "GraphML: " CONVERT;
    return strstr(head, "<gexf") != NULL ? "GEXF: " CONVERT : NULL;
}

static int refuse_beginning(const struct mu_source *source, struct mu_error *err)
{
    struct mu_scan scan = mu_scan_start(source);
    mu_scan_next_line(&scan, source->bytes[0] == 'c' && source->bytes[1] <= ' ' ? 'c' : '#');
    mu_scan_blanks(&scan);
    for (size_t i = 0; i < sizeof beginnings / sizeof beginnings[0]; i++) {
        const char *what = beginnings[i].what;
        if (strncasecmp((const char *)scan.at, beginnings[i].begin, strlen(beginnings[i].begin)) != 0) continue;
        if (*scan.at == '<' && name_of_xml(source) != NULL) what = name_of_xml(source);
        return refuse(source, scan.line, what, err);
    }
    return MU_OK;
}

static int refuse_encoding(const struct mu_source *source, struct mu_error *err)
{
    static const char utf32_low[] = "\377\376\0\0", utf32_high[] = "\0\0\376\377";
    const unsigned char *b = source->bytes;
    if (source->size < 2) return MU_OK;
    if (source->size >= 4 && (memcmp(b, utf32_low, 4) == 0 || memcmp(b, utf32_high, 4) == 0))
        return refuse(source, 1, "text in UTF-32, as its byte-order mark says: convert it (iconv -f UTF-32 -t UTF-8)",
                      err);
    if ((b[0] == 0xff && b[1] == 0xfe) || (b[0] == 0xfe && b[1] == 0xff))
        return refuse(source, 1, "text in UTF-16, as its byte-order mark says: convert it (iconv -f UTF-16 -t UTF-8)",
                      err);
    if (source->size >= 4 && ((isprint(b[0]) && b[1] == 0 && isprint(b[2]) && b[3] == 0) ||
                              (b[0] == 0 && isprint(b[1]) && b[2] == 0 && isprint(b[3]))))
        return refuse(source, 1,
                      "text in UTF-16, without a byte-order mark: convert it (iconv -f UTF-16LE or UTF-16BE -t UTF-8)",
                      err);
    return MU_OK;
}

/* Lists that are no edges: vertices alone, or edges with data in braces. */
static int refuse_list(const struct mu_source *source, struct mu_error *err)
{
    static const struct mu_range any = {"an id", 0, UINT64_MAX};
    struct mu_scan scan = mu_scan_start(source);
    uint64_t id;
    if (!mu_scan_next_line(&scan, '#') || mu_scan_number(&scan, &any, &id, NULL) != MU_OK) return MU_OK;
    if (mu_scan_line_is_over(&scan))
        return refuse(
            source, scan.line,
            "one number on the line: a list of vertices, as LDBC's .v, has no edges, which are in another file", err);
    if (mu_scan_number(&scan, &any, &id, NULL) != MU_OK) return MU_OK;
    mu_scan_blanks(&scan);
    if (*scan.at != '{') return MU_OK;
    return refuse(source, scan.line,
                  "an edge list of NetworkX with data in braces: write it with write_weighted_edgelist or data=False",
                  err);
}

/* Refuses a line of words, separated like a table's, with numbers below. */
static int refuse_table(const struct mu_source *source, struct mu_error *err)
{
    struct mu_first_lines first;
    struct mu_scan scan = mu_scan_start(source);
    const unsigned char *end = source->bytes + source->size;
    mu_look_at_first_lines(source, &first);
    if (first.numbers[0] != 0 || (first.numbers[1] == 0 && source->bytes[0] != '"') || !mu_scan_next_line(&scan, '#'))
        return MU_OK;
    bool letters = false, parts = false;
    if (!isalpha(*scan.at) && *scan.at != '"') return MU_OK;
    for (const unsigned char *at = scan.at; at < end && *at != '\n'; at++) {
        letters = letters || isalpha(*at);
        parts = parts || *at == ',' || *at == ';' || *at == '\t' || *at == ' ';
    }
    if (!letters || !parts) return MU_OK;
    return refuse(source, scan.line,
                  "a table (CSV) whose first line names its columns: put a # before that line, or remove it", err);
}

bool mu_foreign_is_pairs(const struct mu_source *source)
{
    const uint64_t total = mu_source_total(source), greatest = total / PAIR_BYTES * IDS_PER_PAIR;
    if (total == 0 || total % PAIR_BYTES != 0) return false;
    for (uint64_t at = 0; at + 8 <= source->size && at < (uint64_t)PAIRS_LOOKED_AT * PAIR_BYTES; at += 8)
        if (mu_load_u64(source, at) > greatest) return false;
    return true;
}

static int refuse_binary(const struct mu_source *source, struct mu_error *err)
{
    static const char tar[] = "ustar";
    enum { TAR_AT = 257 };
    if (source->size > TAR_AT + sizeof tar && memcmp(source->bytes + TAR_AT, tar, sizeof tar - 1) == 0)
        return mu_fail(err, MU_INPUT, "%s: a tar archive: unpack it first, and name the file of edges in it",
                       source->path);
    if (source->size > 3 && memcmp(source->bytes, "]\0\0", 3) == 0)
        return mu_fail(err, MU_INPUT, "%s: packed by lzma: unpack it first, or pack it by xz", source->path);
    if (memchr(source->bytes, 0, source->size) != NULL && mu_foreign_is_pairs(source))
        return mu_fail(
            err, MU_INPUT,
            "%s: pairs of 64-bit numbers without a header, as Graph500's generator writes edges: not read; " CONVERT,
            source->path);
    return MU_OK;
}

int mu_foreign_refuse(const struct mu_source *source, struct mu_error *err)
{
    int status = refuse_binary(source, err);
    if (status == MU_OK) status = refuse_encoding(source, err);
    if (status == MU_OK) status = refuse_beginning(source, err);
    if (status == MU_OK) status = refuse_list(source, err);
    if (status == MU_OK) status = refuse_table(source, err);
    return status;
}
