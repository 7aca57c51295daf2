/* Where results are kept: one folder per chip, with its profile and its samples. */
#ifndef MU_RECORDS_RESULTS_H
#define MU_RECORDS_RESULTS_H

#include "base/error.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

/* Returns the user's own folder, into which all that is measured goes: the environment's MUSTER_RESULTS, else "mine" in
 * the current folder. Never NULL. */
const char *mu_results_root(void);

/* Returns the folder of the published results, which are only read; NULL if there is none, or if MUSTER_RESULTS names
 * the only folder that counts. */
const char *mu_results_published(void);

/* Returns true if the published results have their records. Profiles come with the program; records are a package of
 * their own, and mu_results_missing tells which. */
bool mu_results_have_records(void);
extern const char mu_results_missing[];

/* Writes the path of the medians of the published results, which ship with the program; false where they are not to be
 * read, since the records are there or MUSTER_RESULTS names the only folder that counts, or are not there. */
bool mu_results_medians(char path[PATH_MAX]);

/* Returns the folders from which results are read if the user names no others: the user's own and the published one,
 * with a colon between them. Never NULL. */
const char *mu_results_reading_root(void);

/* Takes the first folder off a list with colons; false when there is none left. */
bool mu_results_next_root(const char **roots, char root[PATH_MAX]);

/* Writes the path of a file in the chip's folder under the first of these roots that has it; false if none has. */
bool mu_results_find(const char *roots, const char *chip, const char *file, char path[PATH_MAX]);

/* Writes the path of `file` in the chip's folder into path: "<root>/<chip>/<file>"; the folder itself when file is
 * NULL. Creates nothing. MU_LIMIT when it does not fit. */
int mu_results_path(const char *chip, const char *file, char *path, size_t bytes, struct mu_error *err);

/* Does the same to read the file: if the user's own folder lacks it, the path is that of the published results, if they
 * have it. */
int mu_results_path_to_read(const char *chip, const char *file, char path[PATH_MAX], struct mu_error *err);

/* Does the same for the records of one device of the chip: "<root>/<chip>/<set>.jsonl", or "<set>.<tag>.jsonl" if the
 * tag is not empty. So equal devices can be measured at once, each into its own file. */
int mu_results_records_path(const char *chip, const char *tag, const char *set, char *path, size_t bytes,
                            struct mu_error *err);

/* Makes the chip's folder, and the root, where they are missing. MU_IO naming the folder. */
int mu_results_make(const char *chip, struct mu_error *err);

#endif
