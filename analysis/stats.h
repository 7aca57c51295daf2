/* Statistics of samples. Exact where an exact method exists; nothing is dropped. */
#ifndef MU_ANALYSIS_STATS_H
#define MU_ANALYSIS_STATS_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mu_summary {
    size_t count;
    double min, median, max;
    bool has_interval;          /* false for too few samples: five or fewer have no interval at 95 % */
    double low, high;           /* the interval of the median: order statistics low_rank and high_rank */
    size_t low_rank, high_rank; /* from 1 */
    double coverage; /* the exact probability that the interval holds the median, at least the confidence asked for */
};

/* Ranks, from 1, of the order statistics that enclose the median of `count` independent samples with at least
 * `confidence` (0.95): the narrowest symmetric pair, by the binomial distribution. False when even the extremes do not
 * suffice (count <= 5 at 95 %). */
bool mu_median_ranks(size_t count, double confidence, size_t *low_rank, size_t *high_rank, double *coverage);

/* Summarises count >= 1 values at 95 %. MU_NO_MEMORY; MU_USAGE for no values. */
int mu_summarise(const double *values, size_t count, struct mu_summary *summary, struct mu_error *err);

/* The geometric mean of count >= 1 positive values. */
double mu_geometric_mean(const double *values, size_t count);

#endif
