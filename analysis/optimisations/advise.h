/* What the optimisation study says of one chip: muster advise. */
#ifndef MU_ANALYSIS_OPTIMISATIONS_ADVISE_H
#define MU_ANALYSIS_OPTIMISATIONS_ADVISE_H

#include "base/error.h"
#include "base/grid.h"

#include <jansson.h>
#include <stdbool.h>

struct mu_advice_request {
    const char *root; /* of all results: strategies but the chip's own are over all of its chips */
    const char *chip;
    bool plain_rows; /* for programs: verdicts of all partitions */
};

/* Adds two grids: the configuration of each partition that the chip has tests in, with the number of tests and what it
 * brings on this chip; and the verdicts behind it. *strategies, unless it is NULL, gets what
 * records/optimisations/stored.h keeps, which is the caller's. MU_USAGE where the study has no test of the chip. */
int mu_advise(const struct mu_advice_request *request, struct mu_grids *grids, json_t **strategies);

#endif
