/* Functions shared by the files of a study. */
#ifndef MU_ANALYSIS_STUDY_PRIVATE_H
#define MU_ANALYSIS_STUDY_PRIVATE_H

#include "analysis/study.h"

/* Makes a measurement of one record; its texts are stored in the draft's words. Release it with mu_measurement_release,
 * also after MU_NO_MEMORY. */
int mu_measurement_read(struct mu_study_draft *draft, json_t *record, struct mu_measurement *measurement,
                        struct mu_error *err);
void mu_measurement_release(struct mu_measurement *measurement);

/* Takes one more reading of how long a word takes between two cores; 0 is none. */
void mu_measurement_add_core_latency(struct mu_measurement *measurement, double ns);

/* Compare texts; and measurements by chip, driver, set, app, input, options and variant: the order of a study. */
int mu_compare_texts(const char *a, const char *b);
int mu_compare_tests(const struct mu_measurement *a, const struct mu_measurement *b);

/* Gives the process of each measurement, which is of one record still, the number of its session. `numbers` is as in
 * mu_study_finish. Records that do not tell their session are all of one. Fails with MU_NO_MEMORY. */
int mu_study_number_sessions(struct mu_study *study, json_t *numbers, struct mu_error *err);

/* Shortens what is shown of inputs that are files to their names without the folders, where no other input of the study
 * would have the same name then. Fails with MU_NO_MEMORY. */
int mu_study_name_files(struct mu_study *study, struct mu_error *err);

#endif
