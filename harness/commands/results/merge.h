/* muster results merge: many files of records become one.
 *
 * The result is the same, byte for byte, whatever the files are called and in whatever order they are read: lines as
 * they were, put in order by where and when their runs were made. A run that is there more than once is written once.
 * Lines of one run that say the same are duplicates; where they do not, they are in conflict, which is told, and the
 * one that was made first is written, as readers of records would choose (records/sets.h). Merging what was merged
 * before, with or without what came since, changes nothing else. */
#ifndef MU_HARNESS_COMMANDS_RESULTS_MERGE_H
#define MU_HARNESS_COMMANDS_RESULTS_MERGE_H

#include "base/error.h"
#include "base/json.h"

#include <stdbool.h>
#include <stddef.h>

struct mu_merge_request {
    const char *root; /* of results */
    const char *const *sets;
    size_t set_count;
    const char *output; /* a file that gets its name when all is there; NULL: standard output */
    bool (*is_wanted)(const void *context, const json_t *record);
    const void *context;
};

/* Merges. What is damaged costs its lines, each of which is named on standard error: a line that is no record or that
 * no reader could use; what is behind the place where a packed file is corrupt. MU_INPUT where it costs all there is;
 * MU_USAGE for a set that is not there; MU_IO, MU_NO_MEMORY; MU_INTERRUPTED after a signal. With any of them no file is
 * left behind. */
int mu_results_merge(const struct mu_merge_request *request, struct mu_error *err);

#endif
