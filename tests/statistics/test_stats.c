/* statistics/statistics: ranks of the median's interval against the known table, medians, coverage by simulation. */
#include "statistics/statistics.h"
#include "tests/tap.h"

#include <gsl/gsl_rng.h>
#include <math.h>

static bool near(double a, double b)
{
    return fabs(a - b) <= 1e-12 * fabs(b);
}

static void test_ranks(void)
{
    static const struct {
        size_t count, low, high;
        double coverage; /* to three digits; 0 where the table has none */
    } known[] = {{6, 1, 6, 0.969},   {7, 1, 7, 0.984},   {8, 1, 8, 0.992},   {9, 2, 8, 0.961},    {10, 2, 9, 0.979},
                 {11, 2, 10, 0.988}, {15, 4, 12, 0.965}, {20, 6, 15, 0.959}, {30, 10, 21, 0.957}, {50, 18, 33, 0.967}};
    size_t low = 0, high = 0;
    double coverage = 0;
    for (size_t count = 0; count <= 5; count++)
        CHECK(!mu_median_ranks(count, 0.95, &low, &high, &coverage), "%zu samples have no interval", count);
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const bool found = mu_median_ranks(known[i].count, 0.95, &low, &high, &coverage);
        CHECK(found && low == known[i].low && high == known[i].high && fabs(coverage - known[i].coverage) < 0.0006,
              "%zu samples: ranks %zu to %zu, coverage %.3f", known[i].count, low, high, coverage);
    }
    CHECK(mu_median_ranks(5, 0.90, &low, &high, &coverage) && low == 1 && high == 5 && near(coverage, 0.9375),
          "5 samples have an interval at 90 %%");
    CHECK(mu_median_ranks(100000, 0.95, &low, &high, &coverage) && low + high == 100001 && coverage >= 0.95,
          "100000 samples: ranks %zu to %zu", low, high);
}

/* The interval holds the true median about as often as it says. */
static void test_coverage(size_t count)
{
    enum { TRIALS = 20000 };
    size_t held = 0;
    struct mu_summary summary = {0};
    double values[64];
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(rng, 4711);
    for (int trial = 0; trial < TRIALS; trial++) {
        for (size_t i = 0; i < count; i++) values[i] = -log(1 - gsl_rng_uniform(rng));
        if (mu_summarise(values, count, &summary, NULL) != MU_OK || !summary.has_interval) break;
        held += summary.low <= log(2) && log(2) <= summary.high;
    }
    gsl_rng_free(rng);
    const double rate = (double)held / TRIALS;
    CHECK(fabs(rate - summary.coverage) < 0.006, "%zu samples: the interval held the median in %.1f %% of %d, not %.1f",
          count, 100 * rate, TRIALS, 100 * summary.coverage);
}

static void test_summary(void)
{
    const double odd[] = {5, 1, 4, 2, 3}, even[] = {8, 1, 4, 2, 16, 32};
    struct mu_summary summary;
    struct mu_error err = {0};
    CHECK(mu_summarise(odd, 5, &summary, &err) == MU_OK && near(summary.median, 3) && near(summary.min, 1) &&
              near(summary.max, 5) && summary.count == 5 && !summary.has_interval,
          "the median of an odd number, without an interval");
    CHECK(near(odd[0], 5) && near(odd[4], 3), "the samples keep their order");
    CHECK(mu_summarise(even, 6, &summary, &err) == MU_OK && near(summary.median, 6) && summary.has_interval &&
              near(summary.low, 1) && near(summary.high, 32) && summary.low_rank == 1 && summary.high_rank == 6,
          "the median of an even number, with its interval");
    CHECK(mu_summarise(odd, 1, &summary, &err) == MU_OK && near(summary.median, 5), "one sample");
    CHECK(mu_summarise(odd, 0, &summary, &err) == MU_USAGE && err.status == MU_USAGE, "no sample is an error");
}

static void test_geometric_mean(void)
{
    const double values[] = {0.5, 8, 2}, huge[] = {1e300, 1e300, 1e-300};
    CHECK(near(mu_geometric_mean(values, 3), 2), "geometric mean");
    CHECK(near(mu_geometric_mean(values, 1), 0.5), "geometric mean of one");
    CHECK(fabs(mu_geometric_mean(huge, 3) / 1e100 - 1) < 1e-9, "geometric mean without overflow");
}

int main(void)
{
    test_ranks();
    test_coverage(6);
    test_coverage(10);
    test_coverage(30);
    test_summary();
    test_geometric_mean();
    return tap_done();
}
