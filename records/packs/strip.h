/* Making records fit to be sent: nothing in them tells who measured them, or where their files were. */
#ifndef MU_RECORDS_STRIP_H
#define MU_RECORDS_STRIP_H

#include "base/error.h"
#include "base/json.h"

/* Changes a record: the names of hosts become a word that tells a host from others and not which it is, and of paths
 * that begin at the root or at a home folder only the last part stays, wherever they stand. `secret` goes into that
 * word, so that it cannot be found by trying names: the same secret and name give the same word. Fails with
 * MU_NO_MEMORY. */
int mu_record_strip(json_t *record, const char *secret, struct mu_error *err);

#endif
