/* Records for people. */
#ifndef MU_ANALYSIS_SHOW_H
#define MU_ANALYSIS_SHOW_H

#include "base/error.h"
#include "base/json.h"

#include <jansson.h>
#include <stddef.h>
#include <stdio.h>

/* One record, several lines; the last are warnings of what in its samples calls for care. */
void mu_show_record(json_t *record, FILE *to);

#endif
