/* Figures for people: times in readable units. */
#ifndef MU_BASE_UNITS_H
#define MU_BASE_UNITS_H

#include <stddef.h>

/* "12.3 us", "1.23 ms", "4.56 s": three significant digits. */
void mu_show_time(double ns, char *text, size_t bytes);

#endif
