/* Figures for people: times in readable units, ratios that are not 0, and numbers of things. */
#ifndef MU_BASE_UNITS_H
#define MU_BASE_UNITS_H

#include <stddef.h>
#include <stdint.h>

/* The unit that a time is shown in, and the digits behind the point that make three significant ones. */
struct mu_time_unit {
    const char *name;
    double ns;
    int decimals;
};

void mu_time_unit(double ns, struct mu_time_unit *unit);

/* "12.3 us", "1.23 ms", "4.56 s": three significant digits. */
void mu_show_time(double ns, char *text, size_t bytes);

/* How many digits behind the point a number is shown with that is to have `decimals`: as many, or where 2 or 3 of them,
 * as ratios have, would all be 0, so many that it has two others. */
int mu_decimals_of(double value, int decimals);

/* The ending of a noun behind a number: "s", or "" for one. */
const char *mu_plural(uint64_t count);

#endif
