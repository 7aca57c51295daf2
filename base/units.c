#include "base/units.h"

#include <stdio.h>

void mu_show_time(double ns, char *text, size_t bytes)
{
    static const struct {
        double ns;
        const char *name;
    } units[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}, {1, "ns"}};
    size_t unit = 0;
    while (unit < 3 && ns < units[unit].ns) unit++;
    const double value = ns / units[unit].ns;
    snprintf(text, bytes, "%.*f %s", value < 10 ? 2 : value < 100 ? 1 : 0, value, units[unit].name);
}
