#include "base/number.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool mu_number_whole(const char *text, uint64_t min, uint64_t max, uint64_t *value)
{
    char *end = NULL;
    if (text[0] < '0' || text[0] > '9') return false;
    errno = 0;
    const unsigned long long number = strtoull(text, &end, 10);
    if (*end != '\0' || errno != 0 || number < min || number > max) return false;
    *value = number;
    return true;
}

size_t mu_number_at(const char *text, double *value, bool *fits)
{
    char *end = NULL;
    const size_t length = strspn(text, "+-.0123456789eE");
    if (length == 0) return 0;
    errno = 0;
    const double number = strtod(text, &end);
    *fits = errno == 0 && isfinite(number);
    *value = number;
    return end == text + length ? length : 0;
}

bool mu_number_real(const char *text, double *value)
{
    double number;
    bool fits;
    const size_t length = mu_number_at(text, &number, &fits);
    if (length == 0 || text[length] != '\0' || !fits) return false;
    *value = number;
    return true;
}
