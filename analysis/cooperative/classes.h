/* The grid of the thesis's table 5.4 behind table cooperative. */
#ifndef MU_ANALYSIS_COOPERATIVE_CLASSES_H
#define MU_ANALYSIS_COOPERATIVE_CLASSES_H

#include "analysis/ratios/matrix.h"
#include "analysis/tables/tables.h"

/* Adds the mean and the greatest slowdown of the matrix's ratios, which are of apps with global barriers, of the
 * work-stealing apps on the same chips, and of both. Returns the status of grids->err. */
int mu_cooperative_add_classes(const struct mu_table_request *request, const struct mu_ratio_matrix *matrix,
                               struct mu_grids *grids);

#endif
