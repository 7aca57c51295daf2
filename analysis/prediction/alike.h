/* How alike two cases are, and which known cases may be used for one that is asked for. */
#ifndef MU_ANALYSIS_PREDICTION_ALIKE_H
#define MU_ANALYSIS_PREDICTION_ALIKE_H

#include "analysis/prediction/cases.h"

#include <stdbool.h>

/* Which known cases may not be used for a case that is asked for: those that share this with it. */
enum mu_left_out { MU_LEAVE_NOTHING, MU_LEAVE_INPUT, MU_LEAVE_FAMILY, MU_LEAVE_CHIP, MU_LEAVE_APP, MU_LEAVE_OUT_COUNT };
extern const struct mu_choice mu_left_out_names[]; /* by the enum */

/* Returns true if what is left out for `asked` takes `known` with it. A family is a generator (road:1000 and road:300),
 * or a file; an input is the same on all chips and in all sets, and so is a graph that a file holds under another name.
 * MU_LEAVE_NOTHING: never. */
bool mu_leaves_out(enum mu_left_out left_out, const struct mu_case *asked, const struct mu_case *known);

bool mu_same_chip(const struct mu_case *a, const struct mu_case *b);

/* Returns true if both devices are CPUs, or neither is. */
bool mu_same_class(const struct mu_case *a, const struct mu_case *b);

/* The same app on the same input on the same chip. */
bool mu_same_test(const struct mu_case *a, const struct mu_case *b);

/* The constants of the model. OF_EVERY: the variance that all cases have in common, however far apart; OF_ALIKE: that
 * of cases that are not apart, and OF_CHIP, OF_APP, OF_BOTH what comes to it where these are the same. OTHER_FORM: what
 * is left of a covariance where only one of the two was run with a fixed grid, at most 1. */
enum mu_constant {
    MU_LATE_ARRIVAL, /* how many times as long as the profile's barrier one of a plan is */
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

/* What a fit begins with. */
extern const struct mu_constants mu_usual_constants;

/* The covariance of what the estimate leaves out of the two cases, on the scale of logarithms, without the part that
 * all cases have in common. */
double mu_alike(const struct mu_case *a, const struct mu_case *b, const struct mu_constants *constants);

#endif
