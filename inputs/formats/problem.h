/* The line `p <kind> n m` that begins the edges of DIMACS and PACE files. */
#ifndef MU_INPUTS_FORMATS_PROBLEM_H
#define MU_INPUTS_FORMATS_PROBLEM_H

#include "inputs/formats/scan.h"
#include "inputs/graph/arcs.h"

struct mu_problem {
    const char *kind;
    bool weighted;
    uint32_t vertices;
    uint64_t edges;
};

/* True if the first line that is neither blank nor a comment begins with this word, and, if next_word is not NULL, with
 * that as its second. */
bool mu_problem_sniff(const struct mu_source *source, const char *word, const char *next_word);

/* Reads the problem line of the given kind into vertices and edges, and reserves an arc for each edge. */
int mu_problem_read(struct mu_scan *scan, struct mu_problem *problem, struct mu_arcs *arcs, struct mu_error *err);

/* At each line after it, which is an edge's: fails if there has been the promised number already. */
int mu_problem_next(const struct mu_scan *scan, const struct mu_problem *problem, const struct mu_arcs *arcs,
                    struct mu_error *err);

/* At the end of the file: fails unless the promised number of edges has come. */
int mu_problem_end(const struct mu_scan *scan, const struct mu_problem *problem, const struct mu_arcs *arcs,
                   struct mu_error *err);

/* Fails if the file is too short for that many lines of edges: no header is believed before this is known. */
int mu_problem_check(const struct mu_scan *scan, uint64_t edges, struct mu_error *err);

#endif
