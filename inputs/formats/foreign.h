/* Files that are no graph in a format that is read, but have a name. */
#ifndef MU_INPUTS_FORMATS_FOREIGN_H
#define MU_INPUTS_FORMATS_FOREIGN_H

#include "base/files/stream.h"

/* Fails with what the file is and what to do about it; MU_OK where that is not known. */
int mu_foreign_refuse(const struct mu_source *source, struct mu_error *err);

/* Finds out whether a binary file looks like pairs of 64-bit numbers. */
bool mu_foreign_is_pairs(const struct mu_source *source);

#endif
