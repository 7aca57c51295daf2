/* What became of predictions of cases that the model has not seen, for the tables of predictions. */
#ifndef MU_ANALYSIS_PREDICTION_JUDGED_H
#define MU_ANALYSIS_PREDICTION_JUDGED_H

#include "analysis/prediction/model.h"
#include "base/grid.h"

/* What became of the prediction of one case. */
struct mu_judged {
    const struct mu_case *of;
    bool has_error;
    double log_truth;                                 /* of the ratio of portable to the run of multi-kernel */
    double log_error, spread, spreads, log_margin;    /* of portable's time; the margin NAN: none */
    const struct mu_choice_key *named, *best, *usual; /* usual: what most other cases had as their best */
    double regret, usual_regret;                      /* the time of what was named over the best's, less 1 */
};

/* Begins the grid of errors by class of device, beside those of two constants; and adds the rows of what was left out.
 */
struct mu_grid *mu_baselines_begin(struct mu_grids *grids);
void mu_baselines_add(struct mu_grid *grid, const struct mu_judged *judged, size_t count, enum mu_left_out left_out,
                      struct mu_error *err);

#endif
