/* A file without a name, for content that is too large to be held in memory: it is gone when it is closed. */
#ifndef MU_BASE_FILES_SPILL_H
#define MU_BASE_FILES_SPILL_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mu_spill {
    int descriptor; /* above 2; 0: none */
    uint64_t bytes; /* written so far */
};

/* Opens one in TMPDIR, the user's cache, /var/tmp or /tmp: the first that allows it. False if none does. */
bool mu_spill_open(struct mu_spill *spill);

/* Appends bytes. Fails with MU_IO, for example when the disk is full; the message names `path`, the file whose content
 * it is. */
int mu_spill_write(struct mu_spill *spill, const void *bytes, size_t count, const char *path, struct mu_error *err);

#endif
