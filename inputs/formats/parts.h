/* Large files part by part: texts for scanners, numbers of binary files. A file that becomes shorter meanwhile ends
 * early, and is told apart by `failed`. */
#ifndef MU_INPUTS_FORMATS_PARTS_H
#define MU_INPUTS_FORMATS_PARTS_H

#include "inputs/formats/reading.h"
#include "inputs/formats/scan.h"

/* The part of a text that is held. */
struct mu_text {
    struct mu_source part; /* what the scanner sees; ends behind a blank or newline, so that no word is parted */
    const struct mu_source *whole;
    const struct mu_reading *reading; /* for its progress; may be NULL */
    uint64_t next;                    /* where the next part begins */
    bool failed, endless;             /* the file has changed; a word is longer than a part */
};

/* Begins to scan the text of a source, from its beginning. MU_NO_MEMORY. Close it whatever it returned. */
int mu_text_open(struct mu_text *text, const struct mu_source *source, const struct mu_reading *reading,
                 struct mu_scan *scan, struct mu_error *err);

/* Releases the part. Fails with MU_IO where the file has changed, with MU_INPUT where a word is too long; or else with
 * what the scanner's errors went to, `own`. */
int mu_text_close(struct mu_text *text, const struct mu_error *own, struct mu_error *err);

/* The part of a binary file that is held. */
struct mu_window {
    const struct mu_source *source;
    unsigned char *buffer;      /* NULL where the source holds the whole file */
    const unsigned char *bytes; /* from `begin` to `end` of the file */
    uint64_t begin, end;
};

/* Opens a window. MU_NO_MEMORY. Close it whatever it returned. */
int mu_window_open(struct mu_window *window, const struct mu_source *source, struct mu_error *err);
void mu_window_close(struct mu_window *window);

/* Moves the window to the byte, of which `count` are in the file; NULL where it cannot be read. */
const unsigned char *mu_window_move(struct mu_window *window, uint64_t at, unsigned count);

/* Returns the bytes there, up to eight; NULL as above. */
static inline const unsigned char *mu_window_at(struct mu_window *window, uint64_t at, unsigned count)
{
    if (at >= window->begin && at + count <= window->end) return window->bytes + (at - window->begin);
    return mu_window_move(window, at, count);
}

#endif
