/* A graph in compressed sparse rows: what every reader and generator produces and every app consumes. */
#ifndef MU_INPUTS_GRAPH_GRAPH_H
#define MU_INPUTS_GRAPH_GRAPH_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

struct mu_graph {
    char *name;          /* the input as the user wrote it: a path or a generator's specification */
    const char *format;  /* the file format's or the generator's name, not owned; NULL before mu_graph_load sets it */
    uint32_t vertices;   /* ids 0 .. vertices - 1; at most MU_MAX_VERTICES */
    uint64_t edges;      /* arcs stored; an undirected edge {u, v}, u != v, is stored as two arcs */
    bool undirected;     /* the source says that every arc has its opposite, with the same weight */
    uint64_t *row_start; /* [vertices + 1], ascending, row_start[0] = 0, row_start[vertices] = edges */
    uint32_t *column;    /* [edges]: the head of each arc; ascending within a row, parallel arcs by ascending weight;
                          * loops and parallel arcs are kept */
    uint32_t *weight;    /* [edges], or NULL when the source has none: see mu_graph_need_weights */
    char weights_from[160]; /* where the weights are from, or why there are none, for people */
    bool weights_refused;   /* the source has values that are taken for weights only if the user says how */
    uint64_t *outside_id;   /* [vertices]: the id a vertex has in the file, or NULL when it is the position */
};

/* The largest vertex count: 2^32 - 1 marks "none" in worklists and results. */
#define MU_MAX_VERTICES UINT32_C(0xfffffffe)

/* A text that names an input: a path, or a generator with its parameters, such as "road:1000" (a file of that name is
 * reached as "./road:1000"). `seed` is for generators; the same specification and seed give the same graph, bit for
 * bit, on every machine. A graph has at least one vertex. On success *graph is the caller's, to be freed with
 * mu_graph_free. MU_INPUT (bad content: the message names file and line, or byte), MU_IO, MU_USAGE (a malformed
 * specification, or neither a file nor a generator), MU_LIMIT (larger than base/limits.h allows), MU_NO_MEMORY. */
int mu_graph_load(const char *specification, uint64_t seed, struct mu_graph **graph, struct mu_error *err);

/* A graph without a name whose row_start is zeros and whose arcs are to be filled in; weight is NULL unless `weighted`.
 * NULL with MU_NO_MEMORY or MU_LIMIT. */
struct mu_graph *mu_graph_new(uint32_t vertices, uint64_t edges, bool weighted, struct mu_error *err);

/* Accepts NULL. */
void mu_graph_free(struct mu_graph *graph);

/* Returns the weight from 1 to 100 that an arc has where its graph has none: a hash of the two ends, the same in both
 * directions. */
uint32_t mu_edge_weight(uint32_t tail, uint32_t head);

/* Gives every arc a weight from 1 to 100, mu_edge_weight, when the graph has none; does nothing when it has. MU_INPUT
 * where the user has to say first what the source's values are; MU_NO_MEMORY. */
int mu_graph_need_weights(struct mu_graph *graph, struct mu_error *err);

/* Makes a new graph with every arc turned round (weights go along). */
int mu_graph_transpose(const struct mu_graph *graph, struct mu_graph **transposed, struct mu_error *err);

/* Makes a new graph with the union of the arcs and their opposites, without loops and parallel arcs (of several weights
 * the smallest stays). It is the simple undirected graph that mis and color work on. */
int mu_graph_symmetrise(const struct mu_graph *graph, struct mu_graph **symmetric, struct mu_error *err);

/* Finds out whether every arc u->v of weight w has an opposite v->u of weight w, counted with multiplicity. Needs
 * working memory for the rows of a graph. */
int mu_graph_is_symmetric(const struct mu_graph *graph, bool *symmetric, struct mu_error *err);

/* Returns true if both have the same vertices, arcs and weights, whatever their names. */
bool mu_graph_equal(const struct mu_graph *a, const struct mu_graph *b);

/* Returns a 64-bit hash of vertices, rows, columns and weights; the same on every machine, whatever the name. */
uint64_t mu_graph_hash(const struct mu_graph *graph);

/* Returns the vertex that an arc leaves. */
uint32_t mu_graph_tail(const struct mu_graph *graph, uint64_t arc);

#endif
