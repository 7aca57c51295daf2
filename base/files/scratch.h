/* A folder for temporary files. What a process that was killed has left is removed when the next folder is made. */
#ifndef MU_BASE_FILES_SCRATCH_H
#define MU_BASE_FILES_SCRATCH_H

#include "base/error.h"

#include <limits.h>

struct mu_scratch {
    char path[PATH_MAX];
    int lock; /* descriptor of the folder, locked while it is in use; -1: none */
};

/* Makes a new folder, which only the user may enter. Its name is `beginning` and six random characters; it is made in
 * `parent`, or in TMPDIR or /tmp if that is NULL. First removes such folders of the user that nobody has locked and
 * that are older than a minute. Fails with MU_IO or MU_LIMIT. */
int mu_scratch_make(const char *parent, const char *beginning, struct mu_scratch *scratch, struct mu_error *err);

/* Removes the folder and its content. */
void mu_scratch_remove(struct mu_scratch *scratch);

/* Removes any folder and its content. Follows no symbolic links. */
void mu_scratch_remove_folder(const char *path);

#endif
