/* What a mistyped word most likely stood for: "did you mean …?".
 *
 *     struct mu_nearest nearest = {.word = "portble"};
 *     for (…) mu_nearest_try(&nearest, name);
 *     mu_nearest_hint(&nearest, hint, sizeof hint);      " (did you mean portable?)", or "" where nothing is near
 */
#ifndef MU_BASE_USER_NEAREST_H
#define MU_BASE_USER_NEAREST_H

#include <stddef.h>

/* Enough for the hint of any name that the program has. */
#define MU_HINT_BYTES 128

struct mu_nearest {
    const char *word;
    const char *best; /* NULL: no candidate is near */
    size_t distance;  /* of best */
};

/* Takes the candidate, which must outlive *nearest, if it is nearer than those before it. Distance is the number of
 * letters that are wrong, missing, too many, or exchanged with the next one (Damerau 1964); capitals count as small
 * letters. Near is what has a third of the word's letters wrong at most, but one letter may always be, and what begins
 * with the word. */
void mu_nearest_try(struct mu_nearest *nearest, const char *candidate);

/* Writes the hint, and returns `text`. */
const char *mu_nearest_hint(const struct mu_nearest *nearest, char *text, size_t bytes);

#endif
