/* Records for people: times in readable units, one run, a table of runs. */
#ifndef MU_ANALYSIS_SHOW_H
#define MU_ANALYSIS_SHOW_H

#include "base/error.h"

#include <jansson.h>
#include <stddef.h>
#include <stdio.h>

/* "12.3 us", "1.23 ms", "4.56 s": three significant digits. */
void mu_show_time(double ns, char *text, size_t bytes);

/* The numbers of a JSON array into a new array (mu_free), *count of them; NULL when the array is empty or absent, or on
 * MU_NO_MEMORY. */
double *mu_json_numbers(const json_t *array, size_t *count, struct mu_error *err);

/* One record, several lines. */
void mu_show_record(const json_t *record, FILE *to);

#endif
