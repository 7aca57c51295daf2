#include "statistics/statistics.h"

#include "base/memory.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <string.h>

bool mu_median_ranks(size_t count, double confidence, size_t *low_rank, size_t *high_rank, double *coverage)
{
    /* The interval from the r-th smallest to the r-th largest misses the median with probability 2 P(B < r), where
     * B ~ binomial(count, 1/2). */
    size_t rank = 0;
    double missed = 0;
    for (size_t r = 1; 2 * r <= count; r++) {
        const double outside = 2 * gsl_cdf_binomial_P((unsigned)(r - 1), 0.5, (unsigned)count);
        if (outside > 1 - confidence) break;
        rank = r;
        missed = outside;
    }
    if (rank == 0) return false;
    *low_rank = rank;
    *high_rank = count + 1 - rank;
    *coverage = 1 - missed;
    return true;
}

int mu_summarise(const double *values, size_t count, struct mu_summary *summary, struct mu_error *err)
{
    if (count == 0) return mu_fail(err, MU_USAGE, "no samples to summarise");
    double *sorted = mu_malloc(count, sizeof *sorted, "sorted samples", err);
    if (sorted == NULL) return MU_NO_MEMORY;
    memset(summary, 0, sizeof *summary);
    memcpy(sorted, values, count * sizeof *sorted);
    gsl_sort(sorted, 1, count);
    summary->count = count;
    summary->min = sorted[0];
    summary->max = sorted[count - 1];
    summary->median = gsl_stats_median_from_sorted_data(sorted, 1, count);
    summary->has_interval = mu_median_ranks(count, 0.95, &summary->low_rank, &summary->high_rank, &summary->coverage);
    if (summary->has_interval) {
        summary->low = sorted[summary->low_rank - 1];
        summary->high = sorted[summary->high_rank - 1];
    }
    mu_free(sorted);
    return MU_OK;
}

double mu_geometric_mean(const double *values, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) sum += log(values[i]);
    return exp(sum / (double)count);
}
