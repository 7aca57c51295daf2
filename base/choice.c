#include "base/choice.h"

#include "base/user/nearest.h"

#include <stdio.h>
#include <string.h>

int mu_choice_find(const struct mu_choice *table, const char *option, const char *name, int *index,
                   struct mu_error *err)
{
    char choices[256] = "", hint[MU_HINT_BYTES];
    struct mu_nearest nearest = {.word = name};
    size_t used = 0;
    for (int i = 0; table[i].name != NULL; i++) {
        if (strcmp(table[i].name, name) == 0) {
            *index = i;
            return MU_OK;
        }
        mu_nearest_try(&nearest, table[i].name);
        if (used < sizeof choices)
            used += (size_t)snprintf(choices + used, sizeof choices - used, "%s%s", i ? ", " : "", table[i].name);
    }
    return mu_fail(err, MU_USAGE, "--%s=%s: no such choice%s; there are: %s", option, name,
                   mu_nearest_hint(&nearest, hint, sizeof hint), choices);
}
