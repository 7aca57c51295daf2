/* A profile in which every key has a value of its own. */
#ifndef MU_TESTS_FULL_PROFILE_H
#define MU_TESTS_FULL_PROFILE_H

#include "records/profile.h"

#include <stdio.h>
#include <string.h>

/* Fills every key with a value of its own. */
static inline void fill_profile(struct mu_profile *profile)
{
    uint32_t number = 1;
    memset(profile, 0, sizeof *profile);
    for (const struct mu_profile_key *key = mu_profile_keys; key->section != NULL; key++) {
        char *place = (char *)profile + key->offset, text[64];
        const size_t count = key->kind == MU_PROFILE_IS_SIZES ? MU_PROFILE_SIZES : 1;
        const double real = 0.5 + number;
        snprintf(text, sizeof text, "text %u of a profile", number);
        if (key->kind == MU_PROFILE_IS_TEXT) mu_profile_set_text(place, text);
        if (key->kind == MU_PROFILE_IS_CHOICE) mu_profile_set_text(place, key->choices[0].name);
        if (key->kind == MU_PROFILE_IS_NUMBER) memcpy(place, &real, sizeof real);
        if (key->kind == MU_PROFILE_IS_COUNT || key->kind == MU_PROFILE_IS_SIZES)
            for (size_t i = 0; i < count; i++, number++) memcpy(place + i * sizeof number, &number, sizeof number);
        number++;
    }
    profile->format = MU_PROFILE_FORMAT;
}

#endif
