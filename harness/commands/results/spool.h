/* Keeps lines of records in a temporary file while they are gathered. It serves output that depends on all records
 * before the first is printed, and needs all their members, which would not fit into memory. */
#ifndef MU_HARNESS_COMMANDS_RESULTS_SPOOL_H
#define MU_HARNESS_COMMANDS_RESULTS_SPOOL_H

#include "base/json.h"
#include "records/lines.h"

#include <stdio.h>

/* Fill with zeros; release with mu_spool_release. */
struct mu_spool {
    FILE *file; /* a file without a name */
    struct mu_spooled *lines;
    size_t count, capacity;
    long long end; /* size of what is written */
    long long at;  /* position of the next read; -1: unknown */
};

/* A buffer for a line; call mu_free(bytes) at the end. Fill with zeros. */
struct mu_spooled_text {
    char *bytes; /* owned; a zero byte follows the text */
    size_t count, room;
};

/* Stores a line in a place, replacing one that was there; NULL empties the place. Fails with MU_IO or MU_NO_MEMORY. */
int mu_spool_put(struct mu_spool *spool, const struct mu_line *line, size_t place, struct mu_error *err);

/* Reads the line in a place that is not empty, replacing what the buffer held. Fails with MU_IO or MU_NO_MEMORY. */
int mu_spool_get(struct mu_spool *spool, size_t place, struct mu_spooled_text *text, struct mu_error *err);

/* Calls `take` with each record, in the order of places, parsing only the wanted members (records/scan.h). Fails with
 * MU_IO or MU_NO_MEMORY, or as `take` does. */
int mu_spool_each(struct mu_spool *spool, const char *const *members,
                  int (*take)(void *context, json_t *record, struct mu_error *err), void *context,
                  struct mu_error *err);

/* Closes the file and releases the places; accepts zeros. */
void mu_spool_release(struct mu_spool *spool);

#endif
