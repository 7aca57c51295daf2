/* The model of predictions: what one run of multi-kernel and the chip's profile say of the times of the other variants,
 * workgroup sizes and teams.
 *
 * A persistent variant saves launches and read-backs and pays for barriers. So the first estimate of its time is what
 * multi-kernel spends in kernels, and the barriers on top. What that leaves out (the work of a step is not the same in
 * both forms, launches overlap with kernels, a team is smaller than a launch) is taken from known cases: each says by
 * how much its time differed from that estimate, and cases count the more, the more alike they are to the one asked
 * for. Alike are cases in which launches and read-backs take the same share of multi-kernel's time, of the same app, on
 * the same chip. This is the estimator of Nadaraya and Watson (1964) on the scale of logarithms.
 *
 * Which workgroup size and team is best is found in the same way, from how much slower than the best each was in alike
 * cases; for that the chip must be the same. */
#ifndef MU_ANALYSIS_PREDICTION_MODEL_H
#define MU_ANALYSIS_PREDICTION_MODEL_H

#include "analysis/prediction/cases.h"

#include <stdbool.h>
#include <stddef.h>

/* A prediction of one choice. */
struct mu_forecast {
    struct mu_choice_key key;
    double log_ns;
};

/* Which known cases may not be used for a case that is asked for: those that share this with it. */
enum mu_left_out { MU_LEAVE_NOTHING, MU_LEAVE_INPUT, MU_LEAVE_FAMILY, MU_LEAVE_CHIP, MU_LEAVE_APP, MU_LEAVE_OUT_COUNT };
extern const struct mu_choice mu_left_out_names[]; /* by the enum */

/* Whether what is left out for `asked` takes `known` with it. A family is a generator (road:1000 and road:300), or a
 * file; an input is the same on all chips and in all sets. */
bool mu_leaves_out(enum mu_left_out left_out, const struct mu_case *asked, const struct mu_case *known);

/* The first estimate: the log of a persistent variant's time. */
double mu_model_estimate(const struct mu_case_facts *facts);

/* Predicts the choices with these keys for a case, from the known cases that are not left out: log_ns of each, NAN
 * where no known case has it. The run of multi-kernel is not predicted but taken from the facts where sizes are no part
 * of the choice. */
void mu_model_predict(const struct mu_cases *known, enum mu_left_out left_out, const struct mu_case *asked,
                      struct mu_forecast *forecasts, size_t count);

/* The forecast with the least time; NULL where nothing was predicted. */
const struct mu_forecast *mu_model_best(const struct mu_forecast *forecasts, size_t count);

/* Half of the interval at 95 % for a prediction of a variant of `asked`, on the scale of logarithms: 95 % of the known
 * cases that may be used for it, each predicted with its like left out, were not further off. So it promises no more
 * than that the case is drawn as those were. NAN for fewer than 20 of them. MU_NO_MEMORY. */
int mu_model_margin(const struct mu_cases *known, enum mu_left_out left_out, const struct mu_case *asked,
                    const char *variant, double *margin, struct mu_error *err);

/* The name of the choice that most known cases had as their best, of those that `asked` has; NULL where no case is
 * known. Ties go to the one that comes first. */
const struct mu_choice_key *mu_model_commonest(const struct mu_cases *known, enum mu_left_out left_out,
                                               const struct mu_case *asked);

#endif
