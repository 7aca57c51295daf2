/* What the table advice says, in a few lines. */
#ifndef MU_ANALYSIS_TABLES_ADVICE_H
#define MU_ANALYSIS_TABLES_ADVICE_H

#include "analysis/tables/tables.h"

/* Enough for any such text. */
enum { MU_ADVICE_BYTES = 800 };

/* Tells how far the results may be relied on. `verdict` becomes one line, which says first how many speedups are firm,
 * or tests where nothing is compared: "17 of 19 speedups are firm; 2 of 57 tests vary by more than 20 %: other programs
 * had 1.1 of 2 cores: run again with --restart when they have ended". `warnings` becomes the number of tests with
 * warnings of each kind; "" where there are none. Both have room for MU_ADVICE_BYTES. Fails as the table does. */
int mu_advice_summarise(const struct mu_table_request *request, char *verdict, char *warnings, struct mu_error *err);

#endif
