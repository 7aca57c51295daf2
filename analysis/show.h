/* Records for people: times in readable units, one run, a table of runs. */
#ifndef MU_ANALYSIS_SHOW_H
#define MU_ANALYSIS_SHOW_H

#include "base/error.h"
#include "base/json.h"

#include <jansson.h>
#include <stddef.h>
#include <stdio.h>

/* "12.3 us", "1.23 ms", "4.56 s": three significant digits. */
void mu_show_time(double ns, char *text, size_t bytes);

/* One record, several lines. */
void mu_show_record(const json_t *record, FILE *to);

#endif
