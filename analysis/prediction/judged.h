/* Judges predictions of cases that the model has not seen, for tables, and to decide what `muster predict` may show. */
#ifndef MU_ANALYSIS_PREDICTION_JUDGED_H
#define MU_ANALYSIS_PREDICTION_JUDGED_H

#include "analysis/prediction/model.h"
#include "base/grid.h"

/* The result of predicting one case. */
struct mu_judged {
    const struct mu_case *of;
    struct mu_constants constants; /* of the model, which were fitted without what is left out */
    bool has_error, done;
    double log_truth;                                 /* of the ratio of portable to the run of multi-kernel */
    double log_error, spread, spreads, log_margin;    /* of portable's time; the margin NAN: none */
    const struct mu_choice_key *named, *best, *usual; /* usual: what most other cases had as their best */
    double regret, usual_regret;                      /* the time of what was named over the best's, less 1 */
};

/* Notes which choice was named for a case, and which one the commonest choice would have been. */
void mu_judge_name(struct mu_judged *judged, const struct mu_choice_key *named, const struct mu_choice_key *usual);

/* Returns what the fit of the constants leaves out: the same as the prediction, but an input's whole family, so that
 * fewer fits are needed. */
enum mu_left_out mu_fitted_without(enum mu_left_out left_out);

/* Predicts each case from those that are not left out for it, without margins. Free with mu_free; NULL after a
 * failure. */
struct mu_judged *mu_judge_all(const struct mu_cases *cases, enum mu_left_out left_out, struct mu_error *err);

/* Fills in the margins of all cases. Returns the status of err. */
int mu_judge_margins(const struct mu_cases *cases, enum mu_left_out left_out, struct mu_judged *judged,
                     struct mu_error *err);

/* Classes of devices: those whose workgroups run on threads of the host, the others, and all. */
enum mu_device_class { MU_DEVICES_CPU, MU_DEVICES_GPU, MU_DEVICES_ALL, MU_DEVICE_CLASSES };
extern const char *const mu_device_class_names[MU_DEVICE_CLASSES];

/* How predictions did on the cases of one class, beside constants: errors are medians of absolute logs (NAN: none). */
struct mu_rating {
    size_t rated;                                  /* cases with a prediction of portable's time */
    double error, no_change, chip_and_app, margin; /* margin: of the interval */
    size_t named;                                  /* cases in which a best one was named */
    double right, usual_right;   /* of those: how many were named rightly, by the model and always so */
    double regret, usual_regret; /* of those, on average */
};

/* Rates the judged cases of a class. Returns the status of err. */
int mu_rate(const struct mu_judged *judged, size_t count, enum mu_left_out left_out, enum mu_device_class class,
            struct mu_rating *rating, struct mu_error *err);

/* Returns true if the model may be offered: its times where no constant is nearer; its naming of the best where it is
 * right more often than the commonest choice, and costs no more. */
bool mu_rating_has_times(const struct mu_rating *rating);
bool mu_rating_has_names(const struct mu_rating *rating);

/* Begins the grids of times and of names by class of device, beside constants; and adds what was left out to each. For
 * tunings the first is NULL. */
struct mu_grid *mu_baselines_begin_times(struct mu_grids *grids);
struct mu_grid *mu_baselines_begin_names(struct mu_grids *grids);
int mu_baselines_add(struct mu_grid *times, struct mu_grid *names, const char *choice, const struct mu_judged *judged,
                     size_t count, enum mu_left_out left_out, struct mu_error *err);

#endif
