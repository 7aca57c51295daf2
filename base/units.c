#include "base/units.h"

#include <math.h>
#include <stdio.h>

void mu_time_unit(double ns, struct mu_time_unit *unit)
{
    static const struct {
        double ns;
        const char *name;
    } units[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}, {1, "ns"}};
    size_t i = 0;
    while (i < 3 && ns < units[i].ns) i++;
    const double value = ns / units[i].ns;
    *unit = (struct mu_time_unit){.name = units[i].name,
                                  .ns = units[i].ns,
                                  .decimals = value < 10    ? 2
                                              : value < 100 ? 1
                                                            : 0};
}

void mu_show_time(double ns, char *text, size_t bytes)
{
    struct mu_time_unit unit;
    mu_time_unit(ns, &unit);
    snprintf(text, bytes, "%.*f %s", unit.decimals, ns / unit.ns, unit.name);
}

int mu_decimals_of(double value, int decimals)
{
    const double magnitude = fabs(value);
    if (decimals < 2 || decimals > 3 || !(magnitude > 0 && magnitude < 0.5 * pow(10, -decimals))) return decimals;
    /* More digits would be of no use for values below 1e-15, and the text is bounded. */
    const int zeros = (int)-floor(log10(magnitude)) - 1;
    return zeros < 15 ? zeros + 2 : decimals;
}

const char *mu_plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}
