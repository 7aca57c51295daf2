/* The model of predictions: what one run of multi-kernel and the chip's profile say of the times of the other variants,
 * workgroup sizes and teams.
 *
 * A persistent variant saves launches and read-backs and pays for barriers. So the first estimate of its time is what
 * multi-kernel spends in kernels, and the barriers on top. What that leaves out (the work of a step is not the same in
 * both forms, launches overlap with kernels, a team is smaller than a launch) is taken from known cases by kriging
 * (statistics/kriging.h): each says by how much its time differed from that estimate, and cases count the more, the
 * more alike they are to the one asked for (analysis/prediction/alike.h).
 *
 * Which variant, workgroup size and team is best is found in the same way, from how much slower than the best
 * persistent one each was in alike cases; for sizes and teams the chip must be the same. */
#ifndef MU_ANALYSIS_PREDICTION_MODEL_H
#define MU_ANALYSIS_PREDICTION_MODEL_H

#include "analysis/prediction/alike.h"
#include "analysis/prediction/cases.h"
#include "base/error.h"

#include <stddef.h>

/* A prediction of one choice. */
struct mu_forecast {
    struct mu_choice_key key;
    double log_ns;
    double spread; /* the standard deviation that the model expects of its error */
};

/* Fits the constants by maximum likelihood to the known cases that are not left out for `asked`. Fails with
 * MU_NO_MEMORY. */
int mu_model_constants(const struct mu_cases *known, enum mu_left_out left_out, const struct mu_case *asked,
                       struct mu_constants *constants, struct mu_error *err);

/* Makes a model from the known cases that are not left out for `asked`, which it borrows. Free with mu_model_free,
 * which accepts NULL. NULL with MU_NO_MEMORY. */
struct mu_model;
struct mu_model *mu_model_fit(const struct mu_cases *known, enum mu_left_out left_out, const struct mu_case *asked,
                              const struct mu_constants *constants, struct mu_error *err);
void mu_model_free(struct mu_model *model);

/* Returns true if a model that was fitted for one case serves another, since the same cases are left out for both. */
bool mu_model_serves(const struct mu_cases *known, enum mu_left_out left_out, const struct mu_case *fitted,
                     const struct mu_case *asked);

/* Predicts the choices with these keys for a case: log_ns of each, NAN where no known case has it. The run of
 * multi-kernel is not predicted but taken from the facts where sizes are no part of the choice. Fails with
 * MU_NO_MEMORY. */
int mu_model_predict(struct mu_model *model, const struct mu_case *asked, struct mu_forecast *forecasts, size_t count,
                     struct mu_error *err);

/* Returns the forecast with the least time; NULL if nothing was predicted. */
const struct mu_forecast *mu_model_best(const struct mu_forecast *forecasts, size_t count);

/* Returns how many spreads wide half of the interval at 95 % is for predictions of a variant of `asked`: 95 % of the
 * known cases that may be used for it, each predicted with its like left out, were not further off. So it promises no
 * more than that the case is drawn as those were. The same for all cases that left_out does not tell apart from
 * `asked`. NAN for fewer than 20 known cases. Fails with MU_NO_MEMORY. */
int mu_model_spreads(const struct mu_cases *known, enum mu_left_out left_out, const struct mu_case *asked,
                     const struct mu_constants *constants, const char *variant, double *spreads, struct mu_error *err);

/* Returns the key of the fastest choice of a case. */
const struct mu_choice_key *mu_model_truth(const struct mu_case *of);

/* Returns the choice of `asked` that was most often the best among known cases of the same class of device. The first
 * one wins ties; NULL if `asked` has none. */
const struct mu_choice_key *mu_model_commonest(const struct mu_cases *known, enum mu_left_out left_out,
                                               const struct mu_case *asked);

#endif
