/* Kriging (Krige 1951; Matheron 1963), which is the mean of a Gaussian process given what was observed: predicts a
 * value from observations whose covariances with it and with each other are known. Observations count the more, the
 * more alike they are to what is asked for. Several that are alike each other share that weight, so that what was
 * observed ten times does not count ten times. The mean of all values is taken to be 0. */
#ifndef MU_STATISTICS_KRIGING_H
#define MU_STATISTICS_KRIGING_H

#include "base/error.h"

#include <stddef.h>

struct mu_kriging {
    size_t count;
    double *factor;  /* of Cholesky: the lower triangle of count rows of count columns */
    double *weights; /* the covariances' inverse times the values */
    double *solved;  /* room for a vector */
};

/* Makes it of `count` values and of their covariances: count rows of count columns, symmetric, the noise of an
 * observation included on the diagonal; only the lower triangle is read. Takes over `covariances`, which came from
 * mu_malloc, also when it fails. Release it after a failure, too. Fails with MU_NO_MEMORY. */
int mu_kriging_fit(struct mu_kriging *kriging, double *covariances, const double *values, size_t count,
                   struct mu_error *err);

/* Returns the prediction, by the covariances of what is asked for with each observation. */
double mu_kriging_value(const struct mu_kriging *kriging, const double *covariances);

/* Returns the variance of its error, where `own` is the variance of what is asked for; never negative. */
double mu_kriging_variance(const struct mu_kriging *kriging, const double *covariances, double own);

void mu_kriging_release(struct mu_kriging *kriging);

#endif
