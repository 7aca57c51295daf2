/* What a graph looks like, in numbers. */
#ifndef MU_INPUTS_GRAPH_STATS_H
#define MU_INPUTS_GRAPH_STATS_H

#include "inputs/graph/graph.h"

/* Class 0 is the degree 0; class k > 0 the degrees from 2^(k - 1) to 2^k - 1. */
#define MU_DEGREE_CLASSES 65

struct mu_graph_stats {
    uint64_t degree_min, degree_max; /* of arcs going out, as all degrees here */
    double degree_median, degree_mean;
    uint64_t degree_class[MU_DEGREE_CLASSES]; /* vertices */
    unsigned degree_classes;                  /* up to the last that has any */
    uint32_t weight_min, weight_max;          /* 0 if the graph has no weights, or no arcs */
    uint64_t isolated;                        /* vertices without any arc, in or out */
    uint64_t loops;
    uint64_t parallel;                      /* arcs beyond the first from one vertex to another */
    uint64_t components, largest_component; /* weakly connected: how many, and the vertices of the largest */
    bool symmetric;                         /* see mu_graph_is_symmetric */
};

/* Takes linear time, and working memory of the graph's own size. MU_NO_MEMORY, MU_LIMIT. */
int mu_graph_stats(const struct mu_graph *graph, struct mu_graph_stats *stats, struct mu_error *err);

#endif
