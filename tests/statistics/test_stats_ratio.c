/* statistics/statistics: levels, ratios and their means against figures of SciPy and by hand. How often their intervals
 * hold the truth is simulated in tests/statistics/test_coverage.c. */
#include "statistics/statistics.h"
#include "tests/tap.h"

#include <math.h>

static bool near(double a, double b, double relative)
{
    return fabs(a - b) <= relative * fabs(b);
}

/* scipy.stats.ttest_ind(log a, log b, equal_var=False) of SciPy 1.17 and its confidence_interval, exponentiated. */
static void test_processes(void)
{
    static const double a[] = {100, 102, 99, 101, 103}, b[] = {110, 108, 111};
    struct mu_samples processes_a[5], processes_b[3];
    struct mu_level level_a, level_b;
    struct mu_ratio ratio;
    for (int i = 0; i < 5; i++) processes_a[i] = (struct mu_samples){.values = &a[i], .count = 1};
    for (int i = 0; i < 3; i++) processes_b[i] = (struct mu_samples){.values = &b[i], .count = 1};
    CHECK(mu_level_of(processes_a, 5, &level_a, NULL) == MU_OK &&
              mu_level_of(processes_b, 3, &level_b, NULL) == MU_OK && level_a.processes == 5 && level_a.samples == 5,
          "levels of processes");
    mu_ratio_of(&level_a, &level_b, &ratio);
    /* The variance of rounding to nanoseconds is the least, and far below that of these. */
    CHECK(near(ratio.value, 0.9209420852389251, 1e-12) && near(ratio.low, 0.8956878436169281, 1e-10) &&
              near(ratio.high, 0.9469083793069246, 1e-10) && near(ratio.df, 4.793032482844609, 1e-10),
          "Welch's interval: %.6f [%.6f, %.6f], %.4f degrees of freedom", ratio.value, ratio.low, ratio.high, ratio.df);
    CHECK(near(ratio.p, 0.0007057295885792804, 1e-8) && ratio.confident, "its p: %g", ratio.p);
}

/* The closed form by scipy.stats.beta.cdf; 400 000 resamples gave 0.12766. */
static void test_one_process(void)
{
    static const double values[] = {3, 1, 4, 1.5, 9, 2.6, 5.3}, same[] = {1000, 1000, 1000, 1000, 1000, 1000};
    struct mu_samples process = {.values = values, .count = 7};
    struct mu_level level = {0};
    struct mu_ratio ratio;
    const int status = mu_level_of(&process, 1, &level, NULL);
    CHECK(status == MU_OK && near(level.log_value, log(3), 1e-12) && near(level.variance, 0.1275610438557644, 1e-10),
          "the variance of a median: %.12f", level.variance);
    CHECK(near(values[1], 1, 0), "the samples keep their order");
    process.count = 5;
    mu_level_of(&process, 1, &level, NULL);
    mu_ratio_of(&level, &level, &ratio);
    CHECK(!ratio.has_interval && !ratio.confident && near(ratio.value, 1, 1e-12) && near(ratio.p, 1, 0),
          "five samples have no interval");
    process = (struct mu_samples){.values = same, .count = 6};
    mu_level_of(&process, 1, &level, NULL);
    mu_ratio_of(&level, &level, &ratio);
    CHECK(ratio.has_interval && ratio.low < 1 && 1 < ratio.high && ratio.high < 1.01 && !ratio.confident,
          "equal samples are known but to their rounding: [%.6f, %.6f]", ratio.low, ratio.high);
}

static void test_mean(void)
{
    struct mu_ratio ratios[2] = {{.log_value = log(2), .variance = 0.01, .df = 4, .has_interval = true},
                                 {.log_value = log(8), .variance = 0.03, .df = 8, .has_interval = true}};
    struct mu_ratio mean;
    mu_ratio_mean(ratios, 2, &mean);
    /* By hand: variance 0.04/4, df 0.04²/(0.01²/4 + 0.03²/8) = 11.636, t = 2.1863 there. */
    CHECK(near(mean.value, 4, 1e-12) && near(mean.df, 11.6363636, 1e-6) &&
              near(mean.high, 4 * exp(2.1863 * 0.1), 1e-4) && mean.confident,
          "a geometric mean: %.4f [%.4f, %.4f]", mean.value, mean.low, mean.high);
    ratios[1].has_interval = false;
    mu_ratio_mean(ratios, 2, &mean);
    CHECK(near(mean.value, 4, 1e-12) && !mean.has_interval, "no interval without that of each ratio");
}

/* The level of equal times of 1000 ns in two processes of each of so many sessions, and of so many devices. */
static struct mu_level equal_level(uint32_t sessions, uint32_t devices)
{
    static const double time = 1000;
    struct mu_samples processes[8];
    struct mu_level level = {0};
    for (uint32_t i = 0; i < 8; i++)
        processes[i] = (struct mu_samples){.values = &time, .count = 1, .session = i % sessions, .device = i % devices};
    mu_level_of(processes, 8, &level, NULL);
    return level;
}

/* Equal times are known but to their rounding to a nanosecond, of which the variance is 1/12, at every level. */
static void test_floors(void)
{
    const double floor_of_one = 1e-6 / 12 / 8;
    const struct mu_level one = equal_level(1, 1), two = equal_level(2, 1);
    struct mu_ratio ratios[2], mean;
    CHECK(near(one.variance, floor_of_one, 1e-9) && near(two.variance, floor_of_one, 1e-9), "the floor of a level: %g",
          one.variance);
    mu_ratio_of(&two, &two, &ratios[0]);
    CHECK(ratios[0].scope == MU_OVER_SESSIONS && near(ratios[0].variance, 2 * floor_of_one, 1e-9),
          "of a ratio over sessions: %g", ratios[0].variance);
    ratios[1] = ratios[0];
    mu_ratio_mean(ratios, 2, &mean);
    CHECK(mean.has_interval && near(mean.variance, floor_of_one, 1e-9), "of their mean: %g", mean.variance);
    CHECK(near(equal_level(1, 2).df, 1, 0) && near(one.df, 7, 0), "two devices have one degree of freedom");
}

/* What the ratios' sessions let their mean cover. */
static void test_mean_scopes(void)
{
    struct mu_ratio ratios[2] = {
        {.variance = 0.01, .df = 4, .has_interval = true, .scope = MU_OVER_SESSIONS},
        {.variance = 0.01, .df = 8, .has_interval = true, .scope = MU_OVER_SESSIONS, .sessions.known = 3}};
    struct mu_ratio mean;
    mu_ratio_mean(ratios, 2, &mean);
    CHECK(mean.scope == MU_OVER_SESSIONS && near(mean.df, 4, 0) && near(mean.variance, 0.01, 1e-12),
          "ratios that may depend on each other have the fewest degrees of freedom: %g", mean.df);
    ratios[0].scope = MU_APART_IN_SESSION;
    mu_ratio_mean(ratios, 2, &mean);
    CHECK(mean.scope == MU_APART_IN_SESSION, "one of different sessions makes the mean one");
    ratios[0].scope = ratios[1].scope = MU_WITHIN_SESSION;
    mu_ratio_mean(ratios, 2, &mean);
    CHECK(mean.scope == MU_WITHIN_SESSION, "ratios within a session make one within a session");
}

/* One form is told by all of its samples, and forms of one sample without an interval. */
static void test_quickest_small(void)
{
    const double a[] = {5, 1, 3}, b[] = {2};
    const struct mu_samples both[] = {{.values = a, .count = 3}, {.values = b, .count = 1}};
    struct mu_level level;
    size_t most;
    CHECK(mu_level_of_quickest(both, 1, &level, &most, NULL) == MU_OK && most == 0 && level.log_value == log(3),
          "a single form is told by all of its samples");
    CHECK(mu_level_of_quickest(both, 2, &level, &most, NULL) == MU_OK && most == 1 && level.df == 0,
          "forms of a single sample have no interval");
}

static void test_scopes(void)
{
    static const double values[] = {100, 101, 102, 103};
    const struct mu_samples one[] = {{values, 1, 0, 0}, {values + 1, 1, 0, 0}},
                            next[] = {{values + 2, 1, 1, 0}, {values + 3, 1, 1, 0}},
                            both[] = {{values, 1, 0, 0}, {values + 1, 1, 16 + 1, 0}};
    struct mu_level a, b, c;
    struct mu_ratio ratio;
    mu_level_of(one, 2, &a, NULL);
    mu_level_of(next, 2, &b, NULL);
    mu_level_of(both, 2, &c, NULL);
    mu_ratio_of(&a, &a, &ratio);
    CHECK(ratio.scope == MU_WITHIN_SESSION, "the same session");
    mu_ratio_of(&a, &b, &ratio);
    CHECK(ratio.scope == MU_APART_IN_SESSION, "two sessions, one a side");
    mu_ratio_of(&a, &c, &ratio);
    CHECK(ratio.scope == MU_APART_IN_SESSION, "one session against two");
    mu_ratio_of(&c, &c, &ratio);
    CHECK(ratio.scope == MU_OVER_SESSIONS && c.df <= 1 && c.sessions.known == 3, "two sessions, one of them the 17th");
}

/* The speedup halves with each tenfold of x: between 100 (1.2) and 1000 (0.6) it is 1.05. */
static void test_crossover(void)
{
    static const double x[] = {0, 1, 10, 100, 1000}, falls[] = {9.6, 4.8, 2.4, 1.2, 0.6},
                        never[] = {0.9, 1.04, 1, 0.5, 0.9}, always[] = {3, 1, 1, 1, 1.06}, again[] = {2, 1, 1.2, 1, 1};
    const double part = log(1.2 / 1.05) / log(1.2 / 0.6),
                 expected = expm1(log1p(100) + part * (log1p(1000) - log1p(100)));
    CHECK(fabs(mu_crossover(x, falls, 5) - expected) < 1e-9 * expected, "a crossover at %g", expected);
    CHECK(mu_crossover(x, never, 5) <= 0 && mu_crossover(x, always, 5) <= 0 && mu_crossover(x, falls, 0) <= 0,
          "none where the speedup never was above, or does not fall for good");
    CHECK(mu_crossover(x, again, 5) > 10 && mu_crossover(x, again, 5) < 100, "what falls twice falls for good once");
}

int main(void)
{
    test_processes();
    test_one_process();
    test_mean();
    test_floors();
    test_mean_scopes();
    test_quickest_small();
    test_scopes();
    test_crossover();
    return tap_done();
}
