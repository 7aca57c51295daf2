/* Names of chips in tables: two unlike devices never have one. */
#ifndef MU_RECORDS_CHIPS_H
#define MU_RECORDS_CHIPS_H

#include "base/json.h"

#include <stdbool.h>

/* Which device has which name: an object of texts, in the order in which they came. */
struct mu_chip_names {
    json_t *devices;
};

/* Returns the name of the record's chip in tables: its own, or "name~2", "name~3" … if an unlike device has that
 * already. *is_new tells whether this device had no name before. The caller's (mu_free); NULL with MU_NO_MEMORY. */
char *mu_chip_names_of(struct mu_chip_names *names, const json_t *record, bool *is_new, struct mu_error *err);

/* Accepts zeros. */
void mu_chip_names_release(struct mu_chip_names *names);

#endif
