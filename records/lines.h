/* JSON Lines: one JSON object a line, each line ended by a newline; empty lines say nothing. */
#ifndef MU_RECORDS_LINES_H
#define MU_RECORDS_LINES_H

#include "base/json.h"
#include "records/scan.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Where an object was read. */
struct mu_line {
    const char *path; /* of the file, for messages */
    size_t number;    /* from 1 */
    const char *text; /* the line's bytes, without its newline */
    size_t bytes;
    uint64_t content; /* with a scan: the hash of the object (mu_content_hash) */
};

struct mu_line_reader {
    const char *path;
    /* Takes one object, which is borrowed. What it returns, if it is a failure, ends the reading. */
    int (*take)(void *context, json_t *object, const struct mu_line *line, struct mu_error *err);
    void *context;
    FILE *notes;          /* for notes on lines that are passed over */
    bool tolerant;        /* a damaged line is passed over with a note, else it is MU_INPUT */
    size_t damaged;       /* how many were passed over so far, the cut one included */
    size_t lines;         /* how many were read so far: a text that follows another goes on with their numbers */
    struct mu_scan *scan; /* makes objects of the members that it wants where it can; NULL: all have all members */
};

/* Hands the objects of a text to reader->take. A last line without a newline, as a kill leaves it, is taken where it is
 * an object, else passed over with a note. Any other line that is not one JSON object, without members that are there
 * twice, is damaged. Messages and notes begin with file and line. MU_INPUT, MU_NO_MEMORY, and what `take` returns. */
int mu_lines_read(struct mu_line_reader *reader, const char *text, size_t bytes, struct mu_error *err);

/* The most bytes of a line. A child answers with half of that, so that no record of our own comes near. */
#define MU_MOST_LINE_BYTES ((size_t)1 << 26)

/* Does the same for the lines of the file `path`, plain or packed, of which only a line and a little is in memory at
 * once. MU_IO; MU_LIMIT, with file and line, for a line longer than MU_MOST_LINE_BYTES. */
int mu_lines_read_file(struct mu_line_reader *reader, struct mu_error *err);

/* Returns the bytes of a text up to its last newline, which is included: what follows was cut off. */
size_t mu_lines_whole(const char *text, size_t bytes);

/* Returns the line of a record, with its newline, to be freed by free(); *bytes is its length. Real numbers have so
 * many digits; 0 for all. NULL: out of memory. */
char *mu_line_of(const json_t *record, unsigned digits, size_t *bytes);

#endif
