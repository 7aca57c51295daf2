/* How similar two cases are, and which known cases may be used for a prediction. */
#ifndef MU_ANALYSIS_PREDICTION_ALIKE_H
#define MU_ANALYSIS_PREDICTION_ALIKE_H

#include "analysis/prediction/cases.h"

#include <stdbool.h>

/* Which known cases may not be used for a prediction: those that share this with the case. */
enum mu_left_out { MU_LEAVE_NOTHING, MU_LEAVE_INPUT, MU_LEAVE_FAMILY, MU_LEAVE_CHIP, MU_LEAVE_APP, MU_LEAVE_OUT_COUNT };
extern const struct mu_choice mu_left_out_names[]; /* by the enum */

/* Returns true if `known` may not be used for `asked`. A family is a generator (road:1000 and road:300) or a file. An
 * input is the same on all chips and in all sets, and so is a graph that a file holds under another name. Never true
 * for MU_LEAVE_NOTHING. */
bool mu_leaves_out(enum mu_left_out left_out, const struct mu_case *asked, const struct mu_case *known);

bool mu_same_chip(const struct mu_case *a, const struct mu_case *b);

/* Returns true if both devices are CPUs, or neither is. */
bool mu_same_class(const struct mu_case *a, const struct mu_case *b);

/* Returns true if both are the same app on the same input on the same chip. */
bool mu_same_test(const struct mu_case *a, const struct mu_case *b);

/* The constants of the model. OF_EVERY: the variance that all cases have in common, however far apart; OF_ALIKE: that
 * of cases that are not apart, and OF_CHIP, OF_APP, OF_BOTH what comes to it where these are the same. OTHER_FORM: what
 * is left of a covariance where only one of the two was run with a fixed grid, at most 1. */
enum mu_constant {
    MU_LATE_ARRIVAL, /* duration of a plan's barrier, relative to the profile's */
    MU_OF_EVERY,
    MU_LEVEL_NOISE, /* the variance of what no other case tells of a persistent variant's time */
    MU_OF_ALIKE,
    MU_OF_CHIP,
    MU_OF_APP,
    MU_OF_BOTH,
    MU_OTHER_FORM,
    MU_SHARE_WIDTH,    /* of multi-kernel's time, by the profile: launches and read-backs */
    MU_DEGREE_WIDTH,   /* edges a vertex */
    MU_LAUNCHES_WIDTH, /* launches of an execution */
    MU_WORK_WIDTH,     /* work of a launch */
    MU_READBACKS_WIDTH /* read-backs a launch: how the plan of an app is built */
};
#define MU_CONSTANT_COUNT (MU_READBACKS_WIDTH + 1)

struct mu_constants {
    double of[MU_CONSTANT_COUNT]; /* by enum mu_constant */
};

/* Starting values of a fit. */
extern const struct mu_constants mu_usual_constants;

/* Returns the covariance of the errors of two cases' estimates, on the scale of logarithms, without the part that all
 * cases share. */
double mu_alike(const struct mu_case *a, const struct mu_case *b, const struct mu_constants *constants);

#endif
