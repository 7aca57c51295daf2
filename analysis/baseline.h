/* What ratios are taken of: the better of multi-kernel's two forms. */
#ifndef MU_ANALYSIS_BASELINE_H
#define MU_ANALYSIS_BASELINE_H

#include "analysis/study.h"

/* After mu_study_choose: where a test was measured as multi-kernel and as multi-kernel-fixed, the level of multi-kernel
 * becomes that of the better form, whose name `better` then has. Whoever takes the better of two and reports the times
 * that it was chosen by reports too short a time. So every other process of each form in each session, from the first,
 * takes part in the choice, and the level is that of the others. Where a form has a single process in every session
 * there is nothing to choose by, and multi-kernel stays as it is. MU_NO_MEMORY. */
int mu_study_take_baselines(struct mu_study *study, struct mu_error *err);

#endif
