#include "base/user/nearest.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Longer words are not compared; no name in the program is that long. */
#define MOST_LETTERS 64

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static bool same(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Returns the distance of two words of less than MOST_LETTERS letters. rows[k] holds the distances of a prefix of `a`
 * to each prefix of `b`. Three rows are enough, since an exchange looks back by two letters. */
static size_t distance_of(const char *a, const char *b)
{
    size_t rows[3][MOST_LETTERS];
    const size_t length_a = strlen(a), length_b = strlen(b);
    for (size_t j = 0; j <= length_b; j++) rows[0][j] = j;
    for (size_t i = 1; i <= length_a; i++) {
        size_t *row = rows[i % 3];
        const size_t *above = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= length_b; j++) {
            row[j] = least(least(above[j], row[j - 1]) + 1, above[j - 1] + !same(a[i - 1], b[j - 1]));
            if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]))
                row[j] = least(row[j], before[j - 2] + 1);
        }
    }
    return rows[length_a % 3][length_b];
}

void mu_nearest_try(struct mu_nearest *nearest, const char *candidate)
{
    const size_t letters = strlen(nearest->word), most = letters < 6 ? 1 : letters / 3;
    if (letters < 2 || letters >= MOST_LETTERS || strlen(candidate) >= MOST_LETTERS) return;
    const size_t distance = distance_of(nearest->word, candidate);
    if ((distance > most && strncasecmp(nearest->word, candidate, letters) != 0) ||
        (nearest->best != NULL && distance >= nearest->distance))
        return;
    nearest->best = candidate;
    nearest->distance = distance;
}

const char *mu_nearest_hint(const struct mu_nearest *nearest, char *text, size_t bytes)
{
    text[0] = '\0';
    if (nearest->best != NULL) snprintf(text, bytes, " (did you mean %s?)", nearest->best);
    return text;
}
