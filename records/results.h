/* Where results are kept: one folder per chip, with its profile and its samples. */
#ifndef MU_RECORDS_RESULTS_H
#define MU_RECORDS_RESULTS_H

#include "base/error.h"

#include <stddef.h>
#include <stdio.h>

/* The folder of all results: the environment's MUSTER_RESULTS, else "results" in the current folder. Never NULL. */
const char *mu_results_root(void);

/* The folder that results are read from, where nobody names another: as mu_results_root, but where that is "results"
 * and there is no such folder, the published results that come with the program, where they are there. A note on
 * `notes` says so, unless there are sets and all of them are files and folders, which are read from where they are.
 * Never NULL. */
const char *mu_results_reading_root(const char *const *sets, size_t count, FILE *notes);

/* Writes the path of `file` in the chip's folder into path: "<root>/<chip>/<file>"; the folder itself when file is
 * NULL. Creates nothing. MU_LIMIT when it does not fit. */
int mu_results_path(const char *chip, const char *file, char *path, size_t bytes, struct mu_error *err);

/* The same for the records of one device of the chip: "<root>/<chip>/<set>.jsonl", or "<set>.<tag>.jsonl" where the tag
 * is not empty, so that equal devices can be measured at once, each into its own file. */
int mu_results_records_path(const char *chip, const char *tag, const char *set, char *path, size_t bytes,
                            struct mu_error *err);

/* Makes the chip's folder, and the root, where they are missing. MU_IO naming the folder. */
int mu_results_make(const char *chip, struct mu_error *err);

#endif
