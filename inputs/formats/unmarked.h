/* Texts of numbers that nothing marks: edge lists and METIS, told apart by what fits. */
#ifndef MU_INPUTS_FORMATS_UNMARKED_H
#define MU_INPUTS_FORMATS_UNMARKED_H

#include "inputs/formats/formats.h"
#include "inputs/lines/lines.h"

/* What stands on the first two lines that are neither blank nor a comment of edge lists. */
struct mu_first_lines {
    unsigned numbers[2];               /* on each, 0: it is no line of an edge list, or there is none */
    bool begins_number;                /* the first begins as a number does, if not as a vertex id */
    unsigned columns;                  /* of an edge list: as many on both, or on the only one; 0: it is none */
    uint64_t first[MU_COLUMNS_MAX];    /* the numbers of the first; UINT64_MAX for one that is not whole */
    uint64_t behind_first, first_line; /* the byte behind it, and the number of the line there */
};

void mu_look_at_first_lines(const struct mu_source *source, struct mu_first_lines *first);

/* Returns what the lines of an edge list look like. */
struct mu_arc_lines mu_list_lines(unsigned columns);

/* Chooses among metis, snap and wel; *format is NULL where none is possible. What was read to find out is *graph, which
 * otherwise stays NULL. MU_INPUT where two of them fit, or the first line may be a header; both are named. */
int mu_choose_unmarked(struct mu_source *source, struct mu_reading *reading, const struct mu_format **format,
                       struct mu_graph **graph, struct mu_error *err);

#endif
