/* How alike two cases are, and which known cases may be used for one that is asked for. */
#ifndef MU_ANALYSIS_PREDICTION_ALIKE_H
#define MU_ANALYSIS_PREDICTION_ALIKE_H

#include "analysis/prediction/cases.h"

#include <stdbool.h>

/* Which known cases may not be used for a case that is asked for: those that share this with it. */
enum mu_left_out { MU_LEAVE_NOTHING, MU_LEAVE_INPUT, MU_LEAVE_FAMILY, MU_LEAVE_CHIP, MU_LEAVE_APP, MU_LEAVE_OUT_COUNT };
extern const struct mu_choice mu_left_out_names[]; /* by the enum */

/* Whether what is left out for `asked` takes `known` with it. A family is a generator (road:1000 and road:300), or a
 * file; an input is the same on all chips and in all sets, and so is a graph that a file holds under another name.
 * MU_LEAVE_NOTHING: never. */
bool mu_leaves_out(enum mu_left_out left_out, const struct mu_case *asked, const struct mu_case *known);

bool mu_same_chip(const struct mu_case *a, const struct mu_case *b);

/* Whether both devices are CPUs, or neither is. */
bool mu_same_class(const struct mu_case *a, const struct mu_case *b);

/* The same app on the same input on the same chip. */
bool mu_same_test(const struct mu_case *a, const struct mu_case *b);

/* The covariance of what the estimate leaves out of the two cases, on the scale of logarithms, without a part that all
 * cases have in common. */
double mu_alike(const struct mu_case *a, const struct mu_case *b);

#endif
