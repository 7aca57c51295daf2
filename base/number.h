/* Numbers in texts of the user, of files and of the environment: one strict grammar for all of them.
 *
 * A whole number is decimal digits and nothing else. A real number is decimal: digits with a point, a sign and an
 * exponent where it has them; neither hexadecimal nor infinite, and not the word "nan". No blanks around it. */
#ifndef MU_BASE_NUMBER_H
#define MU_BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The whole of text as a number from min to max into *value; false, leaving *value alone, where it is none. */
bool mu_number_whole(const char *text, uint64_t min, uint64_t max, uint64_t *value);

/* The whole of text as a finite number into *value; false, leaving *value alone, where it is none or does not fit. */
bool mu_number_real(const char *text, double *value);

/* The real number at the beginning of text, which ends in a zero byte: how many bytes it takes; 0 where there is none,
 * or where what follows could be taken for a part of it. *fits tells whether it is neither too large nor too small for
 * a double. */
size_t mu_number_at(const char *text, double *value, bool *fits);

#endif
