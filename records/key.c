#include "records/key.h"

#include <string.h>

void mu_key_of(const char *text, char key[MU_KEY_BYTES])
{
    mu_hash_text(mu_hash_bytes(text, strlen(text)), key);
}
