/* Texts with one arc on each line: edge lists, DIMACS, PACE, Matrix Market, KONECT. A text is read in blocks by several
 * threads, once to look at every line and count, and once more to put each arc where it belongs. So a plain file takes
 * no memory beside the graph but some blocks; where ids are arbitrary there is one more pass, which finds the greatest.
 */
#ifndef MU_INPUTS_LINES_H
#define MU_INPUTS_LINES_H

#include "inputs/formats/reading.h"
#include "inputs/formats/scan.h"

enum { MU_COLUMNS_MIN = 2, MU_COLUMNS_MAX = 4 };

/* What the lines of arcs look like. */
struct mu_arc_lines {
    uint64_t begin, first_line;      /* the byte behind the header, and the number of its line */
    char prefix;                     /* the word that a line begins with, such as 'a', or 0 */
    const char *comments;            /* characters that begin a comment, each */
    bool slashes;                    /* `//` begins one, too */
    bool separators;                 /* numbers may be parted by one comma or semicolon */
    unsigned columns;                /* numbers of a line: two ends, the arc's value, and one that is not used */
    const char *tail, *head, *value; /* for messages: "a row", "a column", "an entry's value" */
    bool mirror;                     /* a line is an undirected edge */
    bool lower;                      /* no entry above the diagonal */
    bool simple;                     /* an edge that is listed again is the same edge; without values */
    bool bipartite;                  /* heads are numbered apart from tails */
    bool ignore_values;              /* they are no weights, whatever they are */
    bool may_be_times;               /* values that look like times are not taken for weights without the user's word */
    bool may_be_halved;              /* a survey bears half the promised arcs, and twice as many */
    bool counted;                    /* the header says how many there are of both: */
    uint64_t vertices, second_part;  /* ids are from 1 to vertices (heads of bipartite graphs: second_part) */
    uint64_t arcs;
    const char *noun; /* of the arcs, for messages: "edges", "entries" */
};

/* What is known of the lines after a look at each. */
struct mu_arc_lines_survey {
    uint64_t arcs, loops, skipped;    /* lines that are arcs, those with equal ends, lines without an arc */
    uint64_t greatest, greatest_head; /* ids: of both ends, or of tails and heads of bipartite graphs */
    uint64_t refused_at;              /* the byte of the first line whose value is no weight; UINT64_MAX */
    uint64_t least_value;             /* of those that are weights */
};

/* Returns how many numbers the line at the scanner has, two to four, the ends whole; 0 for any other line. */
unsigned mu_arc_lines_columns(struct mu_scan *scan, bool separators, uint64_t first[MU_COLUMNS_MAX]);

/* Reads a decimal number, with or without fraction and exponent, and the blanks behind it; NULL where there is none. */
const unsigned char *mu_take_real(const unsigned char *at, bool separators, double *value);

/* Looks at every line. MU_INPUT with the first line that does not fit. */
int mu_arc_lines_survey(const struct mu_source *source, const struct mu_arc_lines *lines, struct mu_reading *reading,
                        struct mu_arc_lines_survey *survey, struct mu_error *err);

/* Reads the graph, whose vertices are the ids that occur, in their order, unless the lines are counted. */
int mu_arc_lines_read(const struct mu_source *source, const struct mu_arc_lines *lines, struct mu_reading *reading,
                      struct mu_graph **graph, struct mu_error *err);

#endif
