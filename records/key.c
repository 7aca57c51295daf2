#include "records/key.h"

#include "base/memory.h"

#include <string.h>

void mu_key_of(const char *text, char key[MU_KEY_BYTES])
{
    mu_hash_text(mu_hash_bytes(text, strlen(text)), key);
}

char *mu_key_new(const char *text, struct mu_error *err)
{
    char key[MU_KEY_BYTES];
    if (text == NULL) return NULL;
    mu_key_of(text, key);
    return mu_strdup(key, err);
}
