/* Graphs of Ligra and GBBS (https://github.com/jshun/ligra, "Input format"): the word AdjacencyGraph, then numbers,
 * usually one a line. They are vertices, arcs, for each vertex where its row begins, and the arcs' heads; with the word
 * WeightedAdjacencyGraph also the arcs' weights. Ids begin at 0; directed. */
#include "inputs/formats/formats.h"
#include "inputs/formats/parts.h"
#include "inputs/formats/problem.h"
#include "inputs/graph/rows.h"

#include <inttypes.h>
#include <stdio.h>

static const char plain_word[] = "AdjacencyGraph", weighted_word[] = "WeightedAdjacencyGraph";

struct adjacency {
    struct mu_scan scan;
    struct mu_reading *reading;
    struct mu_graph *graph;
    uint64_t vertices, edges;
    bool weighted;
    char refused[64]; /* the first value that is no weight */
};

static bool sniff(const struct mu_source *source)
{
    struct mu_scan scan = mu_scan_start(source);
    return mu_scan_next_line(&scan, '#') && (mu_scan_word(&scan, plain_word) || mu_scan_word(&scan, weighted_word));
}

static int next_number(struct adjacency *read, const struct mu_range *range, uint64_t *number, struct mu_error *err)
{
    mu_scan_next_line(&read->scan, '#');
    return mu_scan_number(&read->scan, range, number, err);
}

static int read_header(struct adjacency *read, struct mu_error *err)
{
    static const struct mu_range vertex_range = {"the number of vertices", 0, MU_MAX_VERTICES};
    static const struct mu_range edge_range = {"the number of arcs", 0, INT64_MAX / 4};
    mu_scan_next_line(&read->scan, '#');
    read->reading->skipped = read->scan.line - 1;
    read->weighted = mu_scan_word(&read->scan, weighted_word);
    if (!read->weighted && !mu_scan_word(&read->scan, plain_word))
        return mu_scan_fail(&read->scan, err, "the word %s or %s is expected first", plain_word, weighted_word);
    int status = next_number(read, &vertex_range, &read->vertices, err);
    if (status == MU_OK) status = next_number(read, &edge_range, &read->edges, err);
    /* Each number takes two bytes. */
    const uint64_t numbers = read->vertices + (read->weighted ? 2 : 1) * read->edges;
    const uint64_t total = mu_source_total(read->scan.source);
    if (status == MU_OK && numbers > total / 2 + 1)
        return mu_scan_fail(&read->scan, err,
                            "%" PRIu64 " numbers are promised, but the file is only %" PRIu64 " bytes long", numbers,
                            total);
    if (status != MU_OK) return status;
    read->graph = mu_graph_new((uint32_t)read->vertices, read->edges, read->weighted, err);
    return read->graph != NULL ? MU_OK : err != NULL && err->status != MU_OK ? err->status : MU_NO_MEMORY;
}

static int read_rows(struct adjacency *read, struct mu_error *err)
{
    uint64_t begin = 0;
    for (uint64_t v = 0; v < read->vertices; v++) {
        const struct mu_range range = {"where a row begins", begin, v == 0 ? 0 : read->edges};
        if (next_number(read, &range, &begin, err) != MU_OK) return MU_INPUT;
        read->graph->row_start[v] = begin;
    }
    if (read->vertices == 0 && read->edges > 0) return mu_scan_fail(&read->scan, err, "arcs without vertices");
    read->graph->row_start[read->vertices] = read->edges;
    return MU_OK;
}

static int read_heads(struct adjacency *read, struct mu_error *err)
{
    const struct mu_range range = {"an arc's head", 0, read->vertices - 1};
    for (uint64_t arc = 0; arc < read->edges; arc++) {
        uint64_t head;
        if (next_number(read, &range, &head, err) != MU_OK) return MU_INPUT;
        read->graph->column[arc] = (uint32_t)head;
    }
    return MU_OK;
}

static int read_weights(struct adjacency *read, struct mu_error *err)
{
    char text[MU_SCAN_QUOTED_BYTES];
    for (uint64_t arc = 0; read->weighted && arc < read->edges; arc++) {
        double value;
        mu_scan_next_line(&read->scan, '#');
        const unsigned char *behind = mu_take_real(read->scan.at, false, &value);
        if (behind == NULL)
            return mu_scan_fail(&read->scan, err, "a weight is expected, not %s", mu_scan_quote(&read->scan, text));
        read->graph->weight[arc] = 0;
        if (!mu_weight_of(read->reading, value, &read->graph->weight[arc]) && read->refused[0] == '\0')
            snprintf(read->refused, sizeof read->refused, "line %" PRIu64 ": %s", read->scan.line,
                     mu_scan_quote(&read->scan, text));
        read->scan.at = behind;
    }
    if (!mu_scan_next_line(&read->scan, '#')) return MU_OK;
    return mu_scan_fail(&read->scan, err, "the file goes on after all numbers");
}

static int read_adjacency(const struct mu_source *source, struct mu_reading *reading, struct mu_graph **graph,
                          struct mu_error *err)
{
    struct adjacency read = {.reading = reading};
    struct mu_text text;
    struct mu_error own = {0};
    int status = mu_text_open(&text, source, reading, &read.scan, &own);
    if (status == MU_OK) status = read_header(&read, &own);
    if (status == MU_OK) status = read_rows(&read, &own);
    if (status == MU_OK) status = read_heads(&read, &own);
    if (status == MU_OK) read_weights(&read, &own);
    status = mu_text_close(&text, &own, err);
    if (status == MU_OK) {
        mu_graph_sort_rows(read.graph);
        *graph = read.graph;
    } else {
        mu_graph_free(read.graph);
    }
    if (status == MU_OK && read.refused[0] != '\0' && !mu_reading_generates(reading))
        mu_graph_refuse_weights(*graph, "the file's values are not all whole numbers from 0 to 4294967295 (%s)",
                                read.refused);
    reading->scaled = true;
    return status;
}

const struct mu_format mu_format_adj = {
    .name = "adj",
    .purpose = "Ligra and GBBS: text, adjacency lists, weights or none",
    .mark = "the word AdjacencyGraph or WeightedAdjacencyGraph",
    .suffixes = {".adj"},
    .sniff = sniff,
    .read = read_adjacency,
};
