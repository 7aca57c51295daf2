/* statistics/statistics: levels, ratios and their means against figures of SciPy, and the coverage of their intervals
 * by simulation, with and without differences between processes. */
#include "statistics/statistics.h"
#include "tests/tap.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>

enum { PROCESSES_MAX = 10, SAMPLES_MAX = 50 };

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
    for (int i = 0; i < 5; i++) processes_a[i] = (struct mu_samples){&a[i], 1};
    for (int i = 0; i < 3; i++) processes_b[i] = (struct mu_samples){&b[i], 1};
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
    struct mu_samples process = {values, 7};
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
    process = (struct mu_samples){same, 6};
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

/* ---- Simulation ---- */

enum shape { NORMAL, LOGNORMAL };

struct design {
    const char *name;
    size_t processes, samples;
    enum shape shape;
    double width;     /* of samples: relative deviation, or sigma of the logs of what a lognormal adds to the minimum */
    double between;   /* relative deviation between processes */
    double between_b; /* the same for the second test */
    double least, most;
};

static double draw(gsl_rng *rng, const struct design *design)
{
    if (design->shape == NORMAL) return 1e6 * (1 + gsl_ran_gaussian(rng, design->width));
    return 1e6 * (1 + 0.05 * gsl_ran_lognormal(rng, 0, design->width));
}

static void simulate(gsl_rng *rng, const struct design *design, double between, struct mu_level *level)
{
    static double values[PROCESSES_MAX][SAMPLES_MAX];
    struct mu_samples processes[PROCESSES_MAX];
    for (size_t i = 0; i < design->processes; i++) {
        const double effect = exp(gsl_ran_gaussian(rng, between));
        for (size_t j = 0; j < design->samples; j++) values[i][j] = effect * draw(rng, design);
        processes[i] = (struct mu_samples){values[i], design->samples};
    }
    mu_level_of(processes, design->processes, level, NULL);
}

/* The truth is a ratio of 1: both sides have the same distribution. */
static void test_coverage(gsl_rng *rng, const struct design *design)
{
    enum { TRIALS = 20000 };
    struct mu_level a, b;
    struct mu_ratio ratio;
    size_t held = 0, confident = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        simulate(rng, design, design->between, &a);
        simulate(rng, design, design->between_b, &b);
        mu_ratio_of(&a, &b, &ratio);
        held += ratio.low <= 1 && 1 <= ratio.high;
        confident += ratio.confident;
    }
    const double rate = 100.0 * (double)held / TRIALS;
    CHECK(design->least <= rate && rate <= design->most && held + confident == TRIALS,
          "%s, %zu processes of %zu samples: the interval held the ratio in %.2f %%", design->name, design->processes,
          design->samples, rate);
}

static const struct design designs[] = {
    {"normal", 1, 30, NORMAL, 0.02, 0, 0, 94, 96},
    {"normal", 1, 50, NORMAL, 0.02, 0, 0, 94, 96},
    {"lognormal", 1, 50, LOGNORMAL, 0.3, 0, 0, 94, 96},
    {"lognormal", 1, 20, LOGNORMAL, 0.7, 0, 0, 94, 97},
    {"normal", 5, 10, NORMAL, 0.02, 0, 0, 94, 96},
    {"lognormal", 5, 10, LOGNORMAL, 0.5, 0, 0, 94, 96},
    {"normal, processes differ", 5, 5, NORMAL, 0.02, 0.01, 0.01, 94, 96},
    {"lognormal, processes differ", 5, 5, LOGNORMAL, 0.5, 0.05, 0.05, 94, 96},
    {"lognormal, processes differ by twice as much", 5, 5, LOGNORMAL, 0.5, 0.02, 0.04, 94, 96},
    {"lognormal, processes differ", 10, 5, LOGNORMAL, 0.7, 0.02, 0.02, 94, 96},
    {"normal, processes differ", 3, 7, NORMAL, 0.02, 0.02, 0.02, 94, 97},
};

/* Of 20 tests of equals, about one has an interval that excludes 1; corrected, hardly ever one. */
static void test_equals(gsl_rng *rng)
{
    enum { CAMPAIGNS = 500, TESTS = 20 };
    static const struct design design = {"", 5, 4, LOGNORMAL, 0.5, 0.02, 0.02, 0, 0};
    double p[TESTS];
    struct mu_level a, b;
    struct mu_ratio ratio;
    size_t confident = 0, alarms = 0, many = 0;
    for (int campaign = 0; campaign < CAMPAIGNS; campaign++) {
        size_t found = 0;
        for (int i = 0; i < TESTS; i++) {
            simulate(rng, &design, design.between, &a);
            simulate(rng, &design, design.between, &b);
            mu_ratio_of(&a, &b, &ratio);
            confident += ratio.confident;
            p[i] = ratio.p;
        }
        if (mu_holm(p, TESTS, p, NULL) != MU_OK) break;
        for (int i = 0; i < TESTS; i++) found += p[i] < 0.05;
        alarms += found > 0;
        many += found > 1;
    }
    const double each = 100.0 * (double)confident / (CAMPAIGNS * TESTS), any = 100.0 * (double)alarms / CAMPAIGNS;
    CHECK(4 <= each && each <= 6, "equals: %.2f %% of intervals exclude 1", each);
    CHECK(0.5 <= any && any <= 7.5 && many <= CAMPAIGNS / 100,
          "equals: after Holm's correction %.1f %% of campaigns of %d tests have a difference, %zu of %d more than one",
          any, TESTS, many, CAMPAIGNS);
}

int main(void)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(rng, 20161030);
    test_processes();
    test_one_process();
    test_mean();
    for (size_t i = 0; i < sizeof designs / sizeof designs[0]; i++) test_coverage(rng, &designs[i]);
    test_equals(rng);
    gsl_rng_free(rng);
    return tap_done();
}
