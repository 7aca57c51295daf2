/* What reading and writing of packs share. */
#ifndef MU_RECORDS_PACK_PRIVATE_H
#define MU_RECORDS_PACK_PRIVATE_H

#include "records/packs/pack.h"

/* The set of that name, made where it is missing. NULL with MU_USAGE, MU_LIMIT, MU_NO_MEMORY. */
struct mu_pack_set *mu_pack_set_of(struct mu_pack *pack, const char *name, struct mu_error *err);

/* Appends a record to a set. Fails with MU_LIMIT or MU_NO_MEMORY. */
int mu_pack_append(struct mu_pack *pack, struct mu_pack_set *set, const json_t *record, struct mu_error *err);

#endif
