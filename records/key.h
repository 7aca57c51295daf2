/* Keys identify records. The key of a record is the hash of a text that says everything by which it differs from
 * others: two records with one key are of the same run. */
#ifndef MU_RECORDS_KEY_H
#define MU_RECORDS_KEY_H

#include "base/error.h"
#include "base/hash.h"

enum { MU_KEY_BYTES = MU_HASH_TEXT }; /* of a key with its zero byte: 16 hexadecimal digits */

/* Makes the key of a text. Equal texts have equal keys; among a million records, two different texts have the same key
 * with a probability of 3e-8. */
void mu_key_of(const char *text, char key[MU_KEY_BYTES]);

#endif
