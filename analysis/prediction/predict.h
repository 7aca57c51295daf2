/* muster predict: the times of all variants, and the best sizes, from one run of multi-kernel. */
#ifndef MU_ANALYSIS_PREDICTION_PREDICT_H
#define MU_ANALYSIS_PREDICTION_PREDICT_H

#include "base/error.h"
#include "base/grid.h"

#include <stddef.h>

struct mu_predict_request {
    const char *root;         /* the folder of all results: profiles, and the cases that are known */
    const char *const *files; /* files of records, whose runs of multi-kernel are predicted from */
    size_t file_count;
};

/* Adds for each run of multi-kernel two grids: the variants, with an interval where enough cases are known, and the
 * best of the workgroup sizes and teams that tunings of the chip have tried on other inputs. No known case of the same
 * input is used, so that errors are those of `muster table prediction`. What a constant tells as well on known cases of
 * the same class of device is not told, and a note says why. The status of grids->err: MU_USAGE where there is no run
 * of multi-kernel, no profile of its chip, or no known case. */
int mu_predict(const struct mu_predict_request *request, struct mu_grids *grids);

#endif
