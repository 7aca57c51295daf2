/* What the table advice says, in one line. */
#ifndef MU_ANALYSIS_TABLES_ADVICE_H
#define MU_ANALYSIS_TABLES_ADVICE_H

#include "analysis/tables/tables.h"

/* Enough for any such line. */
enum { MU_ADVICE_BYTES = 320 };

/* "3 of 57 tests have warnings: busy machine (2), outliers (1)"; "" where there is none. As the table fails. */
int mu_advice_summarise(const struct mu_table_request *request, char *text, size_t bytes, struct mu_error *err);

#endif
