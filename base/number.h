/* Numbers in texts of the user, of files and of the environment: one strict grammar for all of them.
 *
 * A whole number is decimal digits and nothing else. A real number is decimal: digits with a point, a sign and an
 * exponent where it has them; neither hexadecimal nor infinite, and not the word "nan". No blanks around it. */
#ifndef MU_BASE_NUMBER_H
#define MU_BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reads the whole text as a number from `min` to `max`. Returns false, leaving *value alone, if it is none. */
bool mu_number_whole(const char *text, uint64_t min, uint64_t max, uint64_t *value);

/* Reads the whole text as a finite number. Returns false, leaving *value alone, if it is none or does not fit. */
bool mu_number_real(const char *text, double *value);

/* Reads the real number at the beginning of a text that ends in a zero byte. Returns how many bytes it takes; 0 if
 * there is none, or if what follows could be a part of it. *fits gets whether a double can hold it. */
size_t mu_number_at(const char *text, double *value, bool *fits);

#endif
