/* The line `p <kind> n m` that begins the edges of DIMACS and PACE files. */
#ifndef MU_INPUTS_FORMATS_PROBLEM_H
#define MU_INPUTS_FORMATS_PROBLEM_H

#include "inputs/formats/scan.h"
#include "inputs/lines/lines.h"

/* Returns true if the first line that is neither blank nor a comment begins with this word, and goes on with
 * next_word or, if that is NULL, with a number. */
bool mu_problem_sniff(const struct mu_source *source, const char *word, const char *next_word);

/* Reads the problem line of the given kind: the counts of the lines, and where they begin. */
int mu_problem_read(const struct mu_source *source, const char *kind, struct mu_arc_lines *lines,
                    struct mu_reading *reading, struct mu_error *err);

/* Fails if the file is too short for that many lines of edges: no header is believed before this is known. */
int mu_problem_check(const struct mu_scan *scan, uint64_t edges, struct mu_error *err);

#endif
