/* muster results merge: many files of records become one.
 *
 * The result is the same, byte for byte, whatever the files are called and in whatever order they are read: the lines
 * are copied, in the order of where and when their runs were made. A run that occurs more than once is written once. If
 * its lines say the same, they are duplicates. Otherwise they conflict: a message says so, and the line that was made
 * first is written, which readers of records would choose too (records/sets.h). Merging a merged file again, with or
 * without newer records, changes nothing else. */
#ifndef MU_HARNESS_COMMANDS_RESULTS_MERGE_H
#define MU_HARNESS_COMMANDS_RESULTS_MERGE_H

#include "base/error.h"
#include "base/json.h"

#include <stdbool.h>
#include <stddef.h>

struct mu_merge_request {
    const char *root; /* folder of results */
    const char *const *sets;
    size_t set_count;
    const char *output; /* file that gets its name when it is complete; NULL: standard output */
    bool (*is_wanted)(const void *context, const json_t *record);
    const void *context;
};

/* Merges. Damaged lines are left out and named on standard error: those that are no record, that no reader could use,
 * or that lie behind the place where a packed file is corrupt. Fails with MU_INPUT if nothing else is left, MU_USAGE
 * for a set that does not exist, MU_IO, MU_NO_MEMORY, or MU_INTERRUPTED after a signal. A failure leaves no file
 * behind. */
int mu_results_merge(const struct mu_merge_request *request, struct mu_error *err);

#endif
