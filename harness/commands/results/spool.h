/* Lines of records, kept in a file while they are gathered: for what has to see all records before it can print the
 * first, and all members of each, which would not fit into memory. */
#ifndef MU_HARNESS_COMMANDS_RESULTS_SPOOL_H
#define MU_HARNESS_COMMANDS_RESULTS_SPOOL_H

#include "base/json.h"
#include "records/lines.h"

#include <stdio.h>

/* Fill with zeros; release with mu_spool_release. */
struct mu_spool {
    FILE *file; /* without a name */
    struct mu_spooled *lines;
    size_t count, capacity;
    long long end; /* of what is written */
    long long at;  /* where reading is; -1: elsewhere */
};

/* Where a line is read into; mu_free(bytes) at the end. Fill with zeros. */
struct mu_spooled_text {
    char *bytes; /* with a zero byte behind them */
    size_t count, room;
};

/* Keeps a line in a place, where it stands for one that was there; NULL leaves the place empty. MU_IO, MU_NO_MEMORY. */
int mu_spool_put(struct mu_spool *spool, const struct mu_line *line, size_t place, struct mu_error *err);

/* Reads the line in a place that is not empty, over what was read into the text before. MU_IO, MU_NO_MEMORY. */
int mu_spool_get(struct mu_spool *spool, size_t place, struct mu_spooled_text *text, struct mu_error *err);

/* Hands the records to `take`, by their places, with the members that are wanted (records/scan.h). MU_IO, MU_NO_MEMORY,
 * and what `take` returns. */
int mu_spool_each(struct mu_spool *spool, const char *const *members,
                  int (*take)(void *context, json_t *record, struct mu_error *err), void *context,
                  struct mu_error *err);

/* Accepts zeros. */
void mu_spool_release(struct mu_spool *spool);

#endif
