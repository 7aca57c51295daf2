/* The baseline of ratios: the better of multi-kernel's two forms. */
#ifndef MU_ANALYSIS_BASELINE_H
#define MU_ANALYSIS_BASELINE_H

#include "analysis/study.h"

/* Chooses the baseline of each test; call it after mu_study_choose. If a test was measured as multi-kernel and as
 * multi-kernel-fixed, multi-kernel gets the level of the better form (mu_level_of_better). `better` gets the name of
 * the form that was better in more than half of the splits.
 *
 * If a form has a single process in every session, nothing can be chosen, and multi-kernel stays as it is. Fails with
 * MU_NO_MEMORY. */
int mu_study_take_baselines(struct mu_study *study, struct mu_error *err);

#endif
