/* Levels and ratios: what statistics/statistics.h promises for them. */
#include "statistics/statistics.h"

#include "base/memory.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <string.h>

#define CONFIDENCE 0.95

enum { MEDIAN_SAMPLES_MIN = 6 }; /* as for the exact interval at 95 % */

/* The sorted logs of a process's samples; NULL when memory runs out. The caller frees. */
static double *sorted_logs(const struct mu_samples *process, struct mu_error *err)
{
    double *logs = mu_malloc(process->count, sizeof *logs, "sorted samples", err);
    for (size_t i = 0; logs != NULL && i < process->count; i++) logs[i] = log(process->values[i]);
    if (logs != NULL) gsl_sort(logs, 1, process->count);
    return logs;
}

/* The variance of the median of sorted values by Maritz and Jarrett: the i-th smallest value is the median of a
 * resample with the probability that a beta variable with both parameters (n + 1)/2 lies between (i - 1)/n and i/n. */
static double median_variance(const double *sorted, size_t count)
{
    const double n = (double)count, half = (n + 1) / 2;
    double mean = 0, below = 0, variance = 0;
    for (size_t i = 0; i < count; i++) {
        const double upto = gsl_cdf_beta_P((double)(i + 1) / n, half, half);
        mean += (upto - below) * sorted[i];
        below = upto;
    }
    below = 0;
    for (size_t i = 0; i < count; i++) {
        const double upto = gsl_cdf_beta_P((double)(i + 1) / n, half, half);
        variance += (upto - below) * (sorted[i] - mean) * (sorted[i] - mean);
        below = upto;
    }
    return variance;
}

/* Of a time in whole nanoseconds, relative to it. */
static double rounding_variance(double log_time)
{
    return exp(-2 * log_time) / 12;
}

static int level_of_one(const struct mu_samples *process, bool with_variance, struct mu_level *level,
                        struct mu_error *err)
{
    double *logs = sorted_logs(process, err);
    if (logs == NULL) return MU_NO_MEMORY;
    level->log_value = gsl_stats_median_from_sorted_data(logs, 1, process->count);
    level->df = 0;
    if (with_variance && process->count >= MEDIAN_SAMPLES_MIN) {
        level->df = INFINITY;
        level->variance = median_variance(logs, process->count);
    }
    mu_free(logs);
    return MU_OK;
}

int mu_level_of(const struct mu_samples *processes, size_t count, struct mu_level *level, struct mu_error *err)
{
    struct mu_level one = {0};
    double mean = 0, squares = 0;
    *level = (struct mu_level){.processes = count};
    for (size_t i = 0; i < count; i++) {
        if (level_of_one(&processes[i], count == 1, &one, err) != MU_OK) return MU_NO_MEMORY;
        /* Mean and sum of squares by Welford's recurrence. */
        const double off = one.log_value - mean;
        mean += off / (double)(i + 1);
        squares += off * (one.log_value - mean);
        level->samples += processes[i].count;
    }
    level->log_value = mean;
    level->variance = one.variance;
    level->df = one.df;
    if (count > 1) {
        level->df = (double)(count - 1);
        level->variance = squares / level->df / (double)count;
    }
    if (level->df > 0) level->variance = fmax(level->variance, rounding_variance(mean) / (double)count);
    return MU_OK;
}

/* Student's distribution becomes the normal one, which GSL has under another name. */
static double quantile(double probability, double df)
{
    return isfinite(df) ? gsl_cdf_tdist_Pinv(probability, df) : gsl_cdf_ugaussian_Pinv(probability);
}

static double upper_tail(double x, double df)
{
    return isfinite(df) ? gsl_cdf_tdist_Q(x, df) : gsl_cdf_ugaussian_Q(x);
}

/* Fills in what follows from log_value, variance and df. */
static void complete(struct mu_ratio *ratio)
{
    ratio->value = exp(ratio->log_value);
    ratio->low = ratio->high = ratio->value;
    ratio->p = 1;
    ratio->has_interval = ratio->df > 0 && ratio->variance > 0;
    ratio->confident = false;
    if (!ratio->has_interval) return;
    const double error = sqrt(ratio->variance);
    const double half = error * quantile((1 + CONFIDENCE) / 2, ratio->df);
    ratio->low = exp(ratio->log_value - half);
    ratio->high = exp(ratio->log_value + half);
    ratio->p = 2 * upper_tail(fabs(ratio->log_value) / error, ratio->df);
    ratio->confident = ratio->low > 1 || ratio->high < 1;
}

/* Degrees of freedom of a sum of two variances, after Welch and Satterthwaite. */
static double welch_df(double a, double df_a, double b, double df_b)
{
    const double weighted = a * a / df_a + b * b / df_b;
    return weighted > 0 ? (a + b) * (a + b) / weighted : INFINITY;
}

void mu_ratio_of(const struct mu_level *numerator, const struct mu_level *denominator, struct mu_ratio *ratio)
{
    const double a = numerator->variance, b = denominator->variance;
    *ratio = (struct mu_ratio){.log_value = numerator->log_value - denominator->log_value, .variance = a + b};
    if (numerator->df > 0 && denominator->df > 0 && a + b > 0)
        ratio->df = welch_df(a, numerator->df, b, denominator->df);
    complete(ratio);
}

void mu_ratio_of_one(const struct mu_level *level, struct mu_ratio *ratio)
{
    *ratio = (struct mu_ratio){.log_value = level->log_value, .variance = level->variance, .df = level->df};
    complete(ratio);
}

void mu_ratio_mean(const struct mu_ratio *ratios, size_t count, struct mu_ratio *mean)
{
    double sum = 0, variance = 0, weighted = 0;
    bool known = true;
    for (size_t i = 0; i < count; i++) {
        sum += ratios[i].log_value;
        known = known && ratios[i].has_interval;
        variance += ratios[i].variance;
        if (known) weighted += ratios[i].variance * ratios[i].variance / ratios[i].df;
    }
    const double n = (double)count;
    *mean = (struct mu_ratio){.log_value = sum / n, .variance = variance / (n * n)};
    if (known) mean->df = weighted > 0 ? variance * variance / weighted : INFINITY;
    complete(mean);
}
