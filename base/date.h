/* Dates as records write them. */
#ifndef MU_BASE_DATE_H
#define MU_BASE_DATE_H

#include <time.h>

enum { MU_DATE_TEXT = 32 }; /* bytes that a date takes, and more */

/* Write a time, or the present one, as ISO 8601 in UTC: "2026-11-21T13:05:09Z". */
void mu_date(time_t when, char text[MU_DATE_TEXT]);
void mu_date_now(char text[MU_DATE_TEXT]);

#endif
