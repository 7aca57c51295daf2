/* Figures for people: times in readable units, and ratios that are not 0. */
#ifndef MU_BASE_UNITS_H
#define MU_BASE_UNITS_H

#include <stddef.h>

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

#endif
