/* Advice of the optimisation study for one chip: muster advise. */
#ifndef MU_ANALYSIS_OPTIMISATIONS_ADVISE_H
#define MU_ANALYSIS_OPTIMISATIONS_ADVISE_H

#include "base/error.h"
#include "base/grid.h"

#include <jansson.h>
#include <stdbool.h>

struct mu_advice_request {
    const char *root; /* root of all results: strategies other than the chip's own are made from all of its chips */
    const char *chip;
    bool plain_rows; /* for programs: print the verdicts of all partitions */
};

/* Adds two grids. The first has the configuration of each partition in which the chip has tests, their number, and the
 * speedup on this chip; the second has the verdicts behind it. *strategies, unless NULL, gets what
 * records/optimisations/stored.h stores, and is the caller's. Fails with MU_USAGE if the study has no test of the
 * chip. */
int mu_advise(const struct mu_advice_request *request, struct mu_grids *grids, json_t **strategies);

#endif
