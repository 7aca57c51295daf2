/* What ratios are taken of: the better of multi-kernel's two forms. */
#ifndef MU_ANALYSIS_BASELINE_H
#define MU_ANALYSIS_BASELINE_H

#include "analysis/study.h"

/* After mu_study_choose: where a test was measured as multi-kernel and as multi-kernel-fixed, the level of multi-kernel
 * becomes that of the better form (mu_level_of_better), and `better` the name of the form that was better in more than
 * half of the splits. Where a form has a single process in every session there is nothing to choose by, and
 * multi-kernel stays as it is. Fails with MU_NO_MEMORY. */
int mu_study_take_baselines(struct mu_study *study, struct mu_error *err);

#endif
