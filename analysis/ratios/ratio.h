/* Tables of the ratio of two variants' times, with a column for each chip and set, and the paper's figures beside them.
 */
#ifndef MU_ANALYSIS_RATIOS_RATIO_H
#define MU_ANALYSIS_RATIOS_RATIO_H

#include "analysis/ratios/paper_2016.h"
#include "analysis/tables/tables.h"

/* Which two variants a table compares: it shows the ratio of their times. */
struct mu_ratio_of_variants {
    const char *name, *title, *numerator, *denominator;
    enum mu_paper_half half;
    bool only_cold; /* show only sets that measured portable cold */
};

/* Adds the table. Returns the status of grids->err. */
int mu_ratio_table(const struct mu_table_request *request, const struct mu_ratio_of_variants *comparison,
                   struct mu_grids *grids);

#endif
