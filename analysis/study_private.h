/* What the files of a study share. */
#ifndef MU_ANALYSIS_STUDY_PRIVATE_H
#define MU_ANALYSIS_STUDY_PRIVATE_H

#include "analysis/study.h"

/* Makes a measurement of one record, which must outlive it. Free with mu_measurement_free, also after MU_NO_MEMORY. */
int mu_measurement_read(const json_t *record, struct mu_measurement *measurement, struct mu_error *err);
void mu_measurement_free(struct mu_measurement *measurement);

#endif
