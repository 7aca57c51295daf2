/* What a child and its parent have agreed on: where the child writes, and how its lines begin. */
#ifndef MU_HARNESS_DEVICE_CHILD_PRIVATE_H
#define MU_HARNESS_DEVICE_CHILD_PRIVATE_H

#include <jansson.h>

/* Where the child writes its response; standard output is left to drivers that print. */
#define MU_RESPONSE_FD 3

/* The child's memory that the parent sees, too: a struct mu_place. */
#define MU_PLACE_FD 4

/* Before its answer a child writes what it begins to do: this character, a word and a line's end. */
#define MU_PHASE_MARK '\x1e'

/* A part of the answer: this character, an object or nothing, and a line's end. JSON holds neither mark, since there
 * control characters are escaped. */
#define MU_PART_MARK '\x1d'

/* Writes a request or a response at once: jansson's own function makes a system call of each word, and wakes the reader
 * for it. Returns a negative number, with errno, where that fails. */
int mu_child_write(int file, const json_t *json);

#endif
