/* Figures for people: times in readable units, digits of ratios, plurals. */
#ifndef MU_BASE_UNITS_H
#define MU_BASE_UNITS_H

#include <stddef.h>
#include <stdint.h>

/* The unit in which a time is shown, and the decimals that give three significant digits. */
struct mu_time_unit {
    const char *name;
    double ns;
    int decimals;
};

void mu_time_unit(double ns, struct mu_time_unit *unit);

/* Writes a time with three significant digits: "12.3 us", "1.23 ms", "4.56 s". */
void mu_show_time(double ns, char *text, size_t bytes);

/* Returns with how many decimals to show a number that should have `decimals`. That is `decimals`, unless these are 2
 * or 3, as for ratios, and would all be 0: then enough for two other digits. */
int mu_decimals_of(double value, int decimals);

/* Returns the ending of a noun behind a number: "s", or "" for one. */
const char *mu_plural(uint64_t count);

#endif
