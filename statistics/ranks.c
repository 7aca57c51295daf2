/* Tests of ranks, their correction, and signs of trouble: what statistics/statistics.h promises for them. */
#include "statistics/statistics.h"

#include "base/memory.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <string.h>

enum { EXACT_MAX = 20, DRIFT_MIN = 12, SLOW_FIRST_MIN = 5, ODD_ONE_MIN = 4 };

/* ---- Mann and Whitney ---- */

/* Finds the two-sided p of u by counting arrangements. Their number for each u is a coefficient of the Gaussian
 * binomial polynomial, and exact in double precision up to 20 and 20 values. */
static int exact_p(double u, size_t a, size_t b, double *p, struct mu_error *err)
{
    const size_t pairs = a * b;
    double *ways = mu_calloc(pairs + 1, sizeof *ways, "arrangements", err);
    if (ways == NULL) return MU_NO_MEMORY;
    ways[0] = 1;
    for (size_t i = 1; i <= a; i++) {
        for (size_t v = pairs; v >= b + i; v--) ways[v] -= ways[v - b - i];
        for (size_t v = i; v <= pairs; v++) ways[v] += ways[v - i];
    }
    double total = 0, tail = 0;
    const double least = fmin(u, (double)pairs - u);
    for (size_t v = 0; v <= pairs; v++) {
        total += ways[v];
        if ((double)v <= least) tail += ways[v];
    }
    *p = fmin(1, 2 * tail / total);
    mu_free(ways);
    return MU_OK;
}

/* Returns the two-sided p of u by the normal distribution. `ties` is the sum of t³ - t over groups of t equal
 * values. */
static double normal_p(double u, double a, double b, double ties)
{
    const double n = a + b;
    const double variance = a * b / 12 * (n + 1 - ties / (n * (n - 1)));
    const double off = fmax(0, fabs(u - a * b / 2) - 0.5);
    return variance > 0 ? fmin(1, 2 * gsl_cdf_ugaussian_Q(off / sqrt(variance))) : 1;
}

/* Walks the values in order: the sum of the ranks of A, equal values sharing their mean rank, and the ties. */
static double sum_ranks(const double *values, const size_t *order, size_t count, size_t count_a, double *ties)
{
    double sum = 0;
    *ties = 0;
    for (size_t start = 0, end; start < count; start = end) {
        end = start + 1;
        while (end < count && values[order[end]] <= values[order[start]]) end++;
        const double size = (double)(end - start);
        for (size_t i = start; i < end; i++)
            if (order[i] < count_a) sum += (double)start + (size + 1) / 2;
        *ties += size * size * size - size;
    }
    return sum;
}

int mu_mann_whitney(const double *a, size_t count_a, const double *b, size_t count_b, struct mu_rank_test *test,
                    struct mu_error *err)
{
    double ties = 0;
    int status = MU_OK;
    const size_t count = count_a + count_b;
    double *values = mu_malloc(count, sizeof *values, "values to rank", err);
    size_t *order = mu_malloc(count, sizeof *order, "ranks", err);
    if (values == NULL || order == NULL) {
        status = MU_NO_MEMORY;
        goto out;
    }
    memcpy(values, a, count_a * sizeof *a);
    memcpy(values + count_a, b, count_b * sizeof *b);
    gsl_sort_index(order, values, 1, count);
    const double n_a = (double)count_a, n_b = (double)count_b;
    *test = (struct mu_rank_test){.u = sum_ranks(values, order, count, count_a, &ties) - n_a * (n_a + 1) / 2};
    test->effect = test->u / (n_a * n_b);
    test->exact = count_a <= EXACT_MAX && count_b <= EXACT_MAX && ties <= 0;
    if (test->exact)
        status = exact_p(test->u, count_a, count_b, &test->p, err);
    else
        test->p = normal_p(test->u, n_a, n_b, ties);
out:
    mu_free(values);
    mu_free(order);
    return status;
}

/* ---- Clusters ---- */

size_t mu_draw(uint64_t *state, size_t limit)
{
    uint64_t x = *state += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return (size_t)((x ^ x >> 31) % limit);
}

/* Returns the p of Mann and Whitney's test of n effects, `below` of which are below 1, against n ones. */
static double p_against_ones(double below, double n)
{
    return normal_p((n - below) * n, n, n, n * n * n - n);
}

double mu_clusters_below_one(const size_t *faster, const size_t *counts, size_t clusters, double alpha)
{
    enum { RESAMPLES = 1000 };
    uint64_t state = 1;
    size_t found = 0;
    for (int resample = 0; resample < RESAMPLES; resample++) {
        double below = 0, n = 0;
        for (size_t i = 0; i < clusters; i++) {
            const size_t drawn = mu_draw(&state, clusters);
            below += (double)faster[drawn];
            n += (double)counts[drawn];
        }
        found += n > 0 && 2 * below > n && p_against_ones(below, n) < alpha;
    }
    return (double)found / RESAMPLES;
}

/* ---- Many tests ---- */

int mu_false_discovery(const double *p, size_t count, double *adjusted, struct mu_error *err)
{
    size_t *order = mu_malloc(count, sizeof *order, "an order of tests", err);
    double *result = mu_malloc(count, sizeof *result, "adjusted p", err);
    const bool done = order != NULL && result != NULL;
    if (done && count > 0) {
        double least = 1;
        gsl_sort_index(order, p, 1, count);
        for (size_t i = count; i-- > 0;) {
            least = fmin(least, (double)count / (double)(i + 1) * p[order[i]]);
            result[order[i]] = least;
        }
        memcpy(adjusted, result, count * sizeof *result);
    }
    mu_free(order);
    mu_free(result);
    return done ? MU_OK : MU_NO_MEMORY;
}

/* ---- Signs of trouble ---- */

/* Returns the median of values, which it puts in order. */
static double sort_median(double *values, size_t count)
{
    gsl_sort(values, 1, count);
    return gsl_stats_median_from_sorted_data(values, 1, count);
}

static double median_of(const double *values, size_t count, double *work)
{
    memcpy(work, values, count * sizeof *values);
    return sort_median(work, count);
}

static size_t count_outliers(const double *values, size_t count, double *work)
{
    const double median = median_of(values, count, work);
    for (size_t i = 0; i < count; i++) work[i] = fabs(values[i] - median);
    const double mad = sort_median(work, count);
    size_t outliers = 0;
    /* Where more than half of the values are equal there is no scale to judge the others by. */
    for (size_t i = 0; mad > 0 && i < count; i++) outliers += fabs(values[i] - median) > 14.8 * mad;
    return outliers;
}

/* Returns the two-sided p, by Student's distribution, of Spearman's correlation with the order. `work` has room for 3
 * count. */
static double trend_p(const double *values, size_t count, double *work)
{
    for (size_t i = 0; i < count; i++) work[i] = (double)i;
    const double rho = gsl_stats_spearman(work, 1, values, 1, count, work + count);
    if (!isfinite(rho)) return 1;
    if (fabs(rho) >= 1) return 0;
    const double df = (double)count - 2;
    return 2 * gsl_cdf_tdist_Q(fabs(rho) * sqrt(df / (1 - rho * rho)), df);
}

int mu_signs_of(const double *values, size_t count, struct mu_signs *signs, struct mu_error *err)
{
    size_t room = 0;
    *signs = (struct mu_signs){0};
    if (!mu_mul_size(count, 3, &room)) return mu_fail(err, MU_NO_MEMORY, "too many samples");
    double *work = mu_malloc(room, sizeof *work, "samples in order", err);
    if (work == NULL) return MU_NO_MEMORY;
    signs->outliers = count_outliers(values, count, work);
    if (count >= SLOW_FIRST_MIN) {
        const double others = median_of(values + 1, count - 1, work);
        signs->first_excess = values[0] / others - 1;
        const bool slowest = values[0] > work[count - 2];
        for (size_t i = 1; i < count; i++) work[i - 1] = fabs(values[i] - others);
        const double mad = sort_median(work, count - 1);
        signs->slow_first = slowest && values[0] > 1.1 * others && values[0] > others + 7.4 * mad;
    }
    if (count >= DRIFT_MIN) {
        const size_t third = count / 3;
        const double first = median_of(values, third, work);
        signs->change = median_of(values + count - third, third, work) / first - 1;
        signs->drift = fabs(signs->change) >= 0.02 && trend_p(values, count, work) < 0.001;
        signs->rising = signs->drift && signs->change >= 0.05;
    }
    mu_free(work);
    return MU_OK;
}

int mu_odd_one(const double *logs, size_t count, double *factor, struct mu_error *err)
{
    double farthest = 0;
    *factor = 0;
    if (count < ODD_ONE_MIN) return MU_OK;
    double *work = mu_malloc(count, sizeof *work, "medians of processes", err);
    if (work == NULL) return MU_NO_MEMORY;
    const double median = median_of(logs, count, work);
    for (size_t i = 0; i < count; i++) {
        work[i] = fabs(logs[i] - median);
        if (work[i] > fabs(farthest)) farthest = logs[i] - median;
    }
    const double limit = fmax(log(1.5), 10 * sort_median(work, count));
    if (fabs(farthest) > limit) *factor = exp(farthest);
    mu_free(work);
    return MU_OK;
}
