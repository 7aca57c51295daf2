/* Which files the sets of a command line name: files, folders of files of records, chips under the folder of results,
 * or files that come with the program. */
#ifndef MU_RECORDS_SET_FILES_H
#define MU_RECORDS_SET_FILES_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Who takes the files. */
struct mu_set_files {
    /* Takes a file. What it returns, if it is a failure, ends the walk. */
    int (*take)(struct mu_set_files *files, const char *path, struct mu_error *err);
    void *context;
    FILE *notes;
    const char *label; /* the walk's: the set takes only the records of this label; NULL: all */
    bool matched;      /* to be set by `take` where it finds such a record */
};

/* Walks through the files of some sets, each file and folder once, whatever links lead to it, with a note on those that
 * are named again; without a set, through everything under the root, and no root is no file. "SET@LABEL" takes only the
 * records of that label. MU_USAGE for a set that is not there, or in which `take` finds no such record; MU_IO,
 * MU_NO_MEMORY, and what `take` returns. */
int mu_set_files_each(const char *root, const char *const *sets, size_t count, struct mu_set_files *files,
                      struct mu_error *err);

#endif
