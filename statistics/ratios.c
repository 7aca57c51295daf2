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

/* Returns the sorted logs of a process's samples, which the caller frees; NULL with MU_NO_MEMORY. */
static double *sorted_logs(const struct mu_samples *process, struct mu_error *err)
{
    double *logs = mu_malloc(process->count, sizeof *logs, "sorted samples", err);
    for (size_t i = 0; logs != NULL && i < process->count; i++) logs[i] = log(process->values[i]);
    if (logs != NULL) gsl_sort(logs, 1, process->count);
    return logs;
}

/* Returns the variance of the median of sorted values by Maritz and Jarrett. The i-th smallest value is the median of a
 * resample with a certain probability. It is that of a beta variable with both parameters (n + 1)/2 to lie between (i -
 * 1)/n and i/n. */
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

/* Returns the rounding of times in whole nanoseconds, relative to them. */
static double rounding_of(const struct mu_level *level)
{
    return exp(-2 * level->log_value) / 12 / (double)level->processes;
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

/* ---- Sessions ---- */

static size_t count_sessions(const struct mu_by_session *sessions)
{
    size_t count = 0;
    for (uint32_t left = sessions->known; left != 0; left &= left - 1) count++;
    return count;
}

/* Mean and sum of squares of observations so far, by Welford's recurrence. */
struct running {
    double mean, squares;
    size_t count;
};

static void observe(struct running *running, double value)
{
    const double off = value - running->mean;
    running->mean += off / (double)++running->count;
    running->squares += off * (value - running->mean);
}

/* Fills in the mean, its variance and degrees of freedom of the figures of several sessions. */
static void over_sessions(const struct mu_by_session *sessions, double *mean, double *variance, double *df)
{
    struct running running = {0};
    for (size_t i = 0; i < MU_SESSIONS_MAX; i++)
        if ((sessions->known >> i & 1) != 0) observe(&running, sessions->value[i]);
    *mean = running.mean;
    *df = (double)(running.count - 1);
    *variance = running.squares / *df / (double)running.count;
}

/* Returns the figure of each session, or device, that has observations. */
static struct mu_by_session means_of(const struct running running[MU_SESSIONS_MAX])
{
    struct mu_by_session means = {0};
    for (size_t i = 0; i < MU_SESSIONS_MAX; i++) {
        means.value[i] = running[i].mean;
        if (running[i].count != 0) means.known |= UINT32_C(1) << i;
    }
    return means;
}

int mu_level_of(const struct mu_samples *processes, size_t count, struct mu_level *level, struct mu_error *err)
{
    struct mu_level one = {0};
    struct running all = {0}, sessions[MU_SESSIONS_MAX] = {{0}}, devices[MU_SESSIONS_MAX] = {{0}};
    *level = (struct mu_level){.processes = count};
    for (size_t i = 0; i < count; i++) {
        if (level_of_one(&processes[i], count == 1, &one, err) != MU_OK) return MU_NO_MEMORY;
        observe(&all, one.log_value);
        observe(&sessions[processes[i].session % MU_SESSIONS_MAX], one.log_value);
        observe(&devices[processes[i].device % MU_SESSIONS_MAX], one.log_value);
        level->samples += processes[i].count;
    }
    const struct mu_by_session by_device = means_of(devices);
    level->sessions = means_of(sessions);
    level->log_value = all.mean;
    level->variance = one.variance;
    level->df = one.df;
    if (count_sessions(&level->sessions) > 1) {
        over_sessions(&level->sessions, &level->log_value, &level->variance, &level->df);
    } else if (count_sessions(&by_device) > 1) {
        over_sessions(&by_device, &level->log_value, &level->variance, &level->df);
    } else if (count > 1) {
        level->df = (double)(count - 1);
        level->variance = all.squares / level->df / (double)count;
    }
    if (level->df > 0) level->variance = fmax(level->variance, rounding_of(level));
    return MU_OK;
}

/* Returns a quantile of Student's distribution, or of the normal one that it becomes, which GSL has under another
 * name. */
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

/* Returns what the sessions of both sides let the ratio's interval cover. */
static enum mu_scope scope_of(const struct mu_level *a, const struct mu_level *b)
{
    const size_t sessions_a = count_sessions(&a->sessions), sessions_b = count_sessions(&b->sessions);
    if (sessions_a > 1 && sessions_b > 1) return MU_OVER_SESSIONS;
    return a->sessions.known == b->sessions.known ? MU_WITHIN_SESSION : MU_APART_IN_SESSION;
}

static size_t spans_of(const struct mu_level *a, const struct mu_level *b)
{
    const size_t sessions_a = count_sessions(&a->sessions), sessions_b = count_sessions(&b->sessions);
    return sessions_a < sessions_b ? sessions_a : sessions_b;
}

void mu_ratio_of(const struct mu_level *numerator, const struct mu_level *denominator, struct mu_ratio *ratio)
{
    const double a = numerator->variance, b = denominator->variance;
    *ratio = (struct mu_ratio){.log_value = numerator->log_value - denominator->log_value,
                               .variance = a + b,
                               .rounding = rounding_of(numerator) + rounding_of(denominator),
                               .scope = scope_of(numerator, denominator),
                               .spans = spans_of(numerator, denominator),
                               .single = numerator->processes < 2 || denominator->processes < 2};
    if (ratio->scope == MU_OVER_SESSIONS && numerator->sessions.known == denominator->sessions.known) {
        ratio->sessions.known = numerator->sessions.known;
        for (size_t i = 0; i < MU_SESSIONS_MAX; i++)
            ratio->sessions.value[i] = numerator->sessions.value[i] - denominator->sessions.value[i];
        over_sessions(&ratio->sessions, &ratio->log_value, &ratio->variance, &ratio->df);
        ratio->variance = fmax(ratio->variance, ratio->rounding);
    } else if (numerator->df > 0 && denominator->df > 0 && a + b > 0) {
        ratio->df = welch_df(a, numerator->df, b, denominator->df);
    }
    complete(ratio);
}

void mu_ratio_of_one(const struct mu_level *level, struct mu_ratio *ratio)
{
    *ratio = (struct mu_ratio){.log_value = level->log_value, .variance = level->variance, .df = level->df};
    ratio->spans = spans_of(level, level);
    ratio->single = level->processes < 2;
    if (ratio->spans > 1) ratio->scope = MU_OVER_SESSIONS;
    complete(ratio);
}

/* Fills in the mean of ratios whose errors are independent: those of one session. */
static void mean_of_independent(const struct mu_ratio *ratios, size_t count, struct mu_ratio *mean)
{
    const double n = (double)count;
    double variance = 0, weighted = 0;
    for (size_t i = 0; i < count; i++) {
        variance += ratios[i].variance;
        weighted += ratios[i].variance * ratios[i].variance / ratios[i].df;
    }
    mean->variance = variance / (n * n);
    mean->df = weighted > 0 ? variance * variance / weighted : INFINITY;
}

/* Fills in the mean of ratios that all have the same sessions. */
static void mean_of_sessions(const struct mu_ratio *ratios, size_t count, struct mu_ratio *mean)
{
    double log_value;
    mean->sessions.known = ratios[0].sessions.known;
    for (size_t i = 0; i < count; i++) {
        for (size_t s = 0; s < MU_SESSIONS_MAX; s++)
            mean->sessions.value[s] += ratios[i].sessions.value[s] / (double)count;
        mean->rounding += ratios[i].rounding / (double)count / (double)count;
    }
    over_sessions(&mean->sessions, &log_value, &mean->variance, &mean->df);
    mean->variance = fmax(mean->variance, mean->rounding);
}

/* Fills in the mean of ratios whose errors may be the same: the deviations add up. */
static void mean_of_dependent(const struct mu_ratio *ratios, size_t count, struct mu_ratio *mean)
{
    double deviation = 0;
    mean->df = INFINITY;
    for (size_t i = 0; i < count; i++) {
        deviation += sqrt(ratios[i].variance) / (double)count;
        mean->df = fmin(mean->df, ratios[i].df);
    }
    mean->variance = deviation * deviation;
}

void mu_ratio_mean(const struct mu_ratio *ratios, size_t count, struct mu_ratio *mean)
{
    bool known = true, over = false, same = true;
    *mean = (struct mu_ratio){.spans = ratios[0].spans};
    for (size_t i = 0; i < count; i++) {
        mean->single = mean->single || ratios[i].single;
        if (ratios[i].spans < mean->spans) mean->spans = ratios[i].spans;
        mean->log_value += ratios[i].log_value / (double)count;
        known = known && ratios[i].has_interval;
        over = over || ratios[i].scope == MU_OVER_SESSIONS;
        same = same && ratios[i].sessions.known != 0 && ratios[i].sessions.known == ratios[0].sessions.known;
        if (ratios[i].scope == MU_APART_IN_SESSION) mean->scope = MU_APART_IN_SESSION;
    }
    if (over && mean->scope != MU_APART_IN_SESSION) mean->scope = MU_OVER_SESSIONS;
    if (known && same)
        mean_of_sessions(ratios, count, mean);
    else if (known && over)
        mean_of_dependent(ratios, count, mean);
    else if (known)
        mean_of_independent(ratios, count, mean);
    complete(mean);
}

void mu_ratio_over(const double *logs, size_t count, struct mu_ratio *mean)
{
    struct running running = {0};
    for (size_t i = 0; i < count; i++) observe(&running, logs[i]);
    *mean = (struct mu_ratio){.log_value = running.mean};
    if (count > 1) {
        mean->df = (double)(count - 1);
        mean->variance = running.squares / mean->df / (double)count;
    }
    complete(mean);
}

double mu_levels_differ(const struct mu_level *levels, size_t count)
{
    double processes = 0, mean = 0, between = 0, within = 0, df = 0;
    for (size_t i = 0; i < count; i++) {
        processes += (double)levels[i].processes;
        mean += (double)levels[i].processes * levels[i].log_value;
    }
    mean /= processes;
    for (size_t i = 0; i < count; i++) {
        const double k = (double)levels[i].processes, off = levels[i].log_value - mean;
        between += k * off * off;
        if (levels[i].processes < 2) continue;
        within += levels[i].variance * k * (k - 1);
        df += k - 1;
    }
    if (df <= 0 || within <= 0) return (double)NAN;
    const double groups = (double)(count - 1);
    return gsl_cdf_fdist_Q(between / groups / (within / df), groups, df);
}

void mu_ratio_widen(struct mu_ratio *ratio, double variance)
{
    if (!ratio->has_interval) return;
    ratio->df = welch_df(ratio->variance, ratio->df, variance, INFINITY);
    ratio->variance += variance;
    complete(ratio);
}

double mu_ratio_detectable(const struct mu_ratio *ratio, double alpha)
{
    const double power = 0.8;
    if (!ratio->has_interval) return (double)NAN;
    return exp(sqrt(ratio->variance) * (quantile(1 - alpha / 2, ratio->df) + quantile(power, ratio->df)));
}

double mu_crossover(const double *x, const double *speedup, size_t count)
{
    size_t last = count;
    while (last > 0 && speedup[last - 1] <= MU_AS_GOOD) last--;
    if (last == 0 || last == count) return 0;
    const double above = log(speedup[last - 1] / MU_AS_GOOD), below = log(MU_AS_GOOD / speedup[last]);
    const double from = log1p(x[last - 1]), to = log1p(x[last]);
    return expm1(from + (to - from) * above / (above + below));
}
