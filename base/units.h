/* Figures for people: times in readable units. */
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

#endif
