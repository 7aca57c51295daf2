/* The file formats. A file's format is told by its content, never by its name, unless the user names it:
 *
 * 1. a binary format (galois, galois2, ecl, sg, wsg) whose header agrees with the file's size (for Galois a header with
 *    a known version is enough);
 * 2. a mark at the beginning: the banner of Matrix Market, the problem line of DIMACS and PACE, KONECT's first line,
 * the word of Ligra;
 * 3. numbers, marked by nothing: metis where header and lines agree and all edges stand in both ends' lines; an edge
 *    list where all lines have as many numbers as the first. A first character `#` is of edge lists, `%` of METIS if it
 *    can be METIS. What fits both, or whose first line may be another format's header, is refused;
 * 4. what has another name (foreign.h) is refused by that name. */
#ifndef MU_INPUTS_FORMATS_FORMATS_H
#define MU_INPUTS_FORMATS_FORMATS_H

#include "base/files/stream.h"
#include "base/sink.h"
#include "inputs/formats/reading.h"
#include "inputs/graph/graph.h"

enum mu_format_trait {
    MU_HOLDS_WEIGHTS = 1,  /* a weighted graph can be written */
    MU_ONLY_WEIGHTED = 2,  /* a graph without weights is written with those of mu_edge_weight */
    MU_ONLY_SYMMETRIC = 4, /* every arc must have its opposite */
    MU_NO_LOOPS = 8,
    MU_NO_ISOLATED = 16, /* a vertex exists only through its edges */
};

struct mu_format {
    const char *name;        /* for --format and reports */
    const char *purpose;     /* one line */
    const char *mark;        /* what it is told by, for people */
    const char *suffixes[3]; /* of the file names that ask for this format in writing, NULL at the end */
    unsigned traits;         /* of enum mu_format_trait */
    uint64_t max_vertices, max_edges;
    uint32_t max_weight;

    /* Both take a source that may hold only the beginning. */
    bool (*sniff)(const struct mu_source *source);

    /* On success *graph is the caller's; its name and format are not set yet. */
    int (*read)(const struct mu_source *source, struct mu_reading *reading, struct mu_graph **graph,
                struct mu_error *err);

    /* NULL where the format is only read. The graph satisfies the traits and maxima. Errors of the sink come out when
     * it is closed. */
    int (*write)(const struct mu_graph *graph, struct mu_sink *sink, struct mu_error *err);
};

/* In the order in which they are tried, NULL at the end. */
extern const struct mu_format *const mu_formats[];

/* Returns the format of that name; NULL if there is none. */
const struct mu_format *mu_format_find(const char *name);

/* Returns the format that the suffix of the path asks for in writing; NULL if none does. */
const struct mu_format *mu_format_of_path(const char *path);

/* Lists all names, separated by commas, for messages. */
void mu_format_list(char *text, size_t text_bytes);

/* Reads a graph in the format that is asked for, or in whatever format the content is in. The source may be read on,
 * and a byte-order mark removed. MU_INPUT, MU_NO_MEMORY, MU_LIMIT; messages name the file, and line or byte. */
int mu_format_read(struct mu_source *source, struct mu_reading *reading, struct mu_graph **graph, struct mu_error *err);

/* Writes a graph to a file, which is replaced as a whole or not at all. `lossy` allows to drop what the format cannot
 * hold: weights and vertices without edges. MU_USAGE if the format cannot hold the graph, MU_IO, MU_NO_MEMORY. */
int mu_format_write(const struct mu_format *format, const struct mu_graph *graph, const char *path, bool lossy,
                    struct mu_error *err);

/* Return, for writing, an arc's weight, which is that of mu_edge_weight if the graph has none; and how many undirected
 * edges the arcs of a symmetric graph are. */
uint64_t mu_graph_undirected_edges(const struct mu_graph *graph);
static inline uint32_t mu_graph_weight(const struct mu_graph *graph, uint32_t tail, uint64_t arc)
{
    return graph->weight != NULL ? graph->weight[arc] : mu_edge_weight(tail, graph->column[arc]);
}

extern const struct mu_format mu_format_adj;
extern const struct mu_format mu_format_col;
extern const struct mu_format mu_format_dimacs;
extern const struct mu_format mu_format_ecl;
extern const struct mu_format mu_format_galois;
extern const struct mu_format mu_format_galois2;
extern const struct mu_format mu_format_konect;
extern const struct mu_format mu_format_metis;
extern const struct mu_format mu_format_mtx;
extern const struct mu_format mu_format_pace;
extern const struct mu_format mu_format_sg;
extern const struct mu_format mu_format_snap;
extern const struct mu_format mu_format_wel;
extern const struct mu_format mu_format_wsg;

#endif
