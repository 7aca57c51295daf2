/* Records for people. */
#ifndef MU_ANALYSIS_SHOW_H
#define MU_ANALYSIS_SHOW_H

#include "base/error.h"
#include "base/json.h"

#include <jansson.h>
#include <stddef.h>
#include <stdio.h>

/* Prints one record in several lines. The last ones are warnings about its samples. */
void mu_show_record(json_t *record, FILE *to);

#endif
