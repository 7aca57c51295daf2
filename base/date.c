#include "base/date.h"

void mu_date(time_t when, char text[MU_DATE_TEXT])
{
    struct tm utc;
    if (gmtime_r(&when, &utc) == NULL || strftime(text, MU_DATE_TEXT, "%Y-%m-%dT%H:%M:%SZ", &utc) == 0) text[0] = '\0';
}

void mu_date_now(char text[MU_DATE_TEXT])
{
    mu_date(time(NULL), text);
}
