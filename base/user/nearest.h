/* Finds the word that a misspelled one most likely stood for: "did you mean …?".
 *
 *     struct mu_nearest nearest = {.word = "portble"};
 *     for (…) mu_nearest_try(&nearest, name);
 *     mu_nearest_hint(&nearest, hint, sizeof hint);
 *
 * gives " (did you mean portable?)", or "" if nothing is near. */
#ifndef MU_BASE_USER_NEAREST_H
#define MU_BASE_USER_NEAREST_H

#include <stddef.h>

/* Bytes of a hint, enough for any name in the program. */
#define MU_HINT_BYTES 128

struct mu_nearest {
    const char *word;
    const char *best; /* NULL: no candidate is near */
    size_t distance;  /* of best */
};

/* Keeps the candidate, which must outlive *nearest, if it is nearer than those before it. The distance is the number of
 * letters that are wrong, missing, superfluous, or exchanged with the next one (Damerau 1964); case does not count. A
 * candidate is near if at most a third of the word's letters are wrong, though one always may be, or if it begins with
 * the word. */
void mu_nearest_try(struct mu_nearest *nearest, const char *candidate);

/* Writes the hint, and returns `text`. */
const char *mu_nearest_hint(const struct mu_nearest *nearest, char *text, size_t bytes);

#endif
