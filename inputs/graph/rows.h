/* Sorting the arcs within each row of a graph, in place. */
#ifndef MU_INPUTS_GRAPH_ROWS_H
#define MU_INPUTS_GRAPH_ROWS_H

#include "inputs/graph/graph.h"

/* Sorts each row by head, parallel arcs by weight, by several threads. Takes no memory. */
void mu_graph_sort_rows(struct mu_graph *graph);

#endif
