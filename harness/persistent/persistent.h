/* The persistent-threads study (Gupta, Stuart and Owens, "A study of persistent threads style GPU programming for GPGPU
 * workloads", InPar 2012) as a survey (harness/engine/survey_suite.h): four use cases, each a pair of launches and a
 * kernel whose workgroups stay, over a sweep. */
#ifndef MU_HARNESS_PERSISTENT_PERSISTENT_H
#define MU_HARNESS_PERSISTENT_PERSISTENT_H

#include "base/error.h"
#include "harness/engine/survey_suite.h"

/* Ends in a row without a name. */
extern const struct mu_survey_suite mu_persistent_suites[];

/* ---- The child's side: measure an experiment at a point ---- */

int mu_persistent_gap(struct mu_trial *trial, struct mu_error *err);
int mu_persistent_handover(struct mu_trial *trial, struct mu_error *err);
int mu_persistent_forest(struct mu_trial *trial, struct mu_error *err);
int mu_persistent_reduce(struct mu_trial *trial, struct mu_error *err);
int mu_persistent_stages(struct mu_trial *trial, struct mu_error *err);
int mu_persistent_sync(struct mu_trial *trial, struct mu_error *err);

/* Serves the kind "persistent" of request. */
int mu_persistent_serve(const json_t *request, struct mu_json *response, struct mu_error *err);

#endif
