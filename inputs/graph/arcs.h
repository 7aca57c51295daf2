/* A list of arcs, and the way from it to a graph in compressed sparse rows: what every reader and generator ends in. */
#ifndef MU_INPUTS_GRAPH_ARCS_H
#define MU_INPUTS_GRAPH_ARCS_H

#include "inputs/graph/graph.h"

struct mu_arcs {
    uint64_t count, capacity;
    uint64_t *ends;   /* [capacity]: tail << 32 | head */
    uint32_t *weight; /* [capacity], or NULL */
};

enum mu_arcs_shape {
    MU_ARCS_AS_LISTED = 0,
    MU_ARCS_MIRROR = 1, /* an entry stands for an undirected edge: both arcs are stored, of a loop one */
    MU_ARCS_SIMPLE = 2, /* loops are dropped, and of parallel arcs all but one of the smallest weight */
};

/* Makes room for `capacity` arcs in an empty list ({0}). MU_NO_MEMORY or MU_LIMIT. */
int mu_arcs_reserve(struct mu_arcs *arcs, uint64_t capacity, bool weighted, struct mu_error *err);

/* Appends an arc; the caller sees to it that there is room. */
static inline void mu_arcs_add(struct mu_arcs *arcs, uint64_t tail, uint64_t head)
{
    arcs->ends[arcs->count++] = tail << 32 | head;
}

static inline void mu_arcs_add_weighted(struct mu_arcs *arcs, uint64_t tail, uint64_t head, uint64_t weight)
{
    arcs->weight[arcs->count] = (uint32_t)weight;
    mu_arcs_add(arcs, tail, head);
}

/* Sorts the arcs, whose ends are below `vertices`, into a graph. Time is linear in vertices and arcs. `shape` is made
 * of enum mu_arcs_shape. The list is used up in any case: release it and fill it anew. The graph's name is left empty
 * (NULL) for the caller to set. MU_NO_MEMORY or MU_LIMIT. */
int mu_arcs_build(struct mu_arcs *arcs, uint32_t vertices, unsigned shape, struct mu_graph **graph,
                  struct mu_error *err);

/* Frees the arrays and empties the list. */
void mu_arcs_release(struct mu_arcs *arcs);

#endif
