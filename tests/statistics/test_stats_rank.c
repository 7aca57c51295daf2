/* statistics/statistics: Mann and Whitney's test against SciPy, Benjamini and Hochberg's correction by hand, signs of
 * trouble in samples.
 */
#include "base/memory.h"
#include "statistics/statistics.h"
#include "tests/tap.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <string.h>

static bool near(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fabs(b);
}

static struct mu_rank_test rank(const double *a, size_t count_a, const double *b, size_t count_b)
{
    struct mu_rank_test test = {0};
    if (mu_mann_whitney(a, count_a, b, count_b, &test, NULL) != MU_OK) test.p = -1;
    return test;
}

/* scipy.stats.mannwhitneyu of SciPy 1.17. */
static void test_known(void)
{
    static const double a[] = {1.1, 2.3, 3.7, 4.0, 5.9}, b[] = {2.0, 3.1, 6.5, 7.2, 8.8, 9.1};
    static const double tied_a[] = {1, 2, 2, 3, 3, 3, 4}, tied_b[] = {2, 3, 4, 4, 5, 5, 6, 6}, equal[] = {7, 7, 7};
    double many_a[25], many_b[25];
    struct mu_rank_test test = rank(a, 5, b, 6);
    CHECK(test.exact && near(test.u, 7) && near(test.p, 0.17748917748917747) && near(test.effect, 7 / 30.0),
          "exact: U %.1f, p %.6f, effect %.3f", test.u, test.p, test.effect);
    test = rank(b, 6, a, 5);
    CHECK(near(test.u, 23) && near(test.p, 0.17748917748917747), "the other way round: U %.1f, p %.6f", test.u, test.p);
    test = rank(tied_a, 7, tied_b, 8);
    CHECK(!test.exact && near(test.u, 8.5) && near(test.p, 0.025144761173357368), "with ties: U %.1f, p %.6f", test.u,
          test.p);
    for (int i = 0; i < 20; i++) {
        many_a[i] = i + 1.25;
        many_b[i] = (i + 1) * 1.1 + 5;
    }
    test = rank(many_a, 20, many_b, 20);
    CHECK(test.exact && near(test.u, 105) && near(test.p, 0.009483607191205003), "20 and 20, exact: p %.9f", test.p);
    for (int i = 0; i < 25; i++) {
        many_a[i] = i;
        many_b[i] = i + 4.5;
    }
    test = rank(many_a, 25, many_b, 25);
    CHECK(!test.exact && near(test.u, 210) && near(test.p, 0.0478057953309806), "25 and 25, normal: p %.9f", test.p);
    test = rank(equal, 3, equal, 3);
    CHECK(near(test.p, 1) && near(test.effect, 0.5), "nothing but ties: p %.3f", test.p);
    test = rank(a, 1, b, 1);
    CHECK(near(test.p, 1), "one and one: p %.3f", test.p);
}

static void test_false_discovery(void)
{
    static const double p[] = {0.01, 0.04, 0.03, 0.005}, hand[] = {0.02, 0.04, 0.04, 0.02};
    double adjusted[4], one[] = {0.7};
    bool same = mu_false_discovery(p, 4, adjusted, NULL) == MU_OK;
    for (int i = 0; i < 4; i++) same = same && near(adjusted[i], hand[i]);
    CHECK(same, "Benjamini and Hochberg: %.3f %.3f %.3f %.3f", adjusted[0], adjusted[1], adjusted[2], adjusted[3]);
    CHECK(mu_false_discovery(one, 1, one, NULL) == MU_OK && near(one[0], 0.7), "the correction of one");
    CHECK(mu_false_discovery(one, 0, one, NULL) == MU_OK && near(one[0], 0.7), "the correction of none");
}

/* ---- Signs ---- */

enum { SAMPLES = 60 };

static struct mu_signs signs_of(const double *values, size_t count)
{
    struct mu_signs signs;
    if (mu_signs_of(values, count, &signs, NULL) != MU_OK) memset(&signs, 0xff, sizeof signs);
    return signs;
}

static void test_signs(gsl_rng *rng)
{
    double steady[SAMPLES], changed[SAMPLES];
    struct mu_signs signs;
    for (int i = 0; i < SAMPLES; i++) steady[i] = 1e6 * (1 + gsl_ran_gaussian(rng, 0.01));
    signs = signs_of(steady, SAMPLES);
    CHECK(signs.outliers == 0 && !signs.slow_first && !signs.drift && !signs.rising, "steady samples have no signs");
    memcpy(changed, steady, sizeof steady);
    changed[20] *= 1.3;
    changed[40] *= 0.7;
    signs = signs_of(changed, SAMPLES);
    CHECK(signs.outliers == 2 && !signs.slow_first && !signs.drift, "two outliers: %zu", signs.outliers);
    memcpy(changed, steady, sizeof steady);
    changed[0] *= 1.5;
    signs = signs_of(changed, SAMPLES);
    CHECK(signs.slow_first && signs.outliers == 1 && !signs.drift && fabs(signs.first_excess - 0.5) < 0.05,
          "a slow first sample: %+.0f %%", 100 * signs.first_excess);
    for (int i = 0; i < SAMPLES; i++) changed[i] = steady[i] * (1 + 0.001 * i);
    signs = signs_of(changed, SAMPLES);
    CHECK(signs.drift && !signs.rising && fabs(signs.change - 0.04) < 0.02, "drift: %+.1f %%", 100 * signs.change);
    for (int i = 0; i < SAMPLES; i++) changed[i] = steady[i] * (1 - 0.002 * i);
    signs = signs_of(changed, SAMPLES);
    CHECK(signs.drift && !signs.rising && signs.change < -0.05, "drift downwards: %+.1f %%", 100 * signs.change);
    for (int i = 0; i < SAMPLES; i++) changed[i] = steady[i] * (i < SAMPLES / 2 ? 1 : 1.2);
    signs = signs_of(changed, SAMPLES);
    CHECK(signs.drift && signs.rising && fabs(signs.change - 0.2) < 0.03, "rising: %+.1f %%", 100 * signs.change);
    signs = signs_of(steady, 1);
    CHECK(signs.outliers == 0 && !signs.slow_first && !signs.drift, "one sample");
    for (int i = 0; i < SAMPLES; i++) changed[i] = i == 30 ? 2 : 1;
    signs = signs_of(changed, SAMPLES);
    CHECK(signs.outliers == 0 && !signs.drift, "equal samples but for one have no scale");
}

/* Steady samples are seldom called anything. */
static void test_false_alarms(gsl_rng *rng)
{
    enum { TRIALS = 3000 };
    double values[20];
    size_t alarms = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        for (int i = 0; i < 20; i++) values[i] = 1e6 * (1 + 0.05 * gsl_ran_lognormal(rng, 0, 0.5));
        const struct mu_signs signs = signs_of(values, 20);
        alarms += signs.slow_first || signs.drift;
    }
    CHECK(alarms <= TRIALS / 100, "%zu of %d series of steady samples raise an alarm", alarms, TRIALS);
}

static void test_memory(void)
{
    const double values[] = {1, 2, 3};
    double p[] = {0.1, 0.2, 0.3};
    struct mu_rank_test test;
    struct mu_signs signs;
    struct mu_level level;
    const struct mu_samples process = {.values = values, .count = 3};
    for (unsigned long n = 1; n <= 3; n++) {
        mu_fail_allocation(n);
        CHECK(mu_mann_whitney(values, 3, values, 2, &test, NULL) == (n <= 2 ? MU_NO_MEMORY : MU_OK),
              "Mann-Whitney, allocation %lu fails", n);
    }
    mu_fail_allocation(3);
    CHECK(mu_mann_whitney(values, 2, values + 2, 1, &test, NULL) == MU_NO_MEMORY, "the exact p has no memory");
    mu_fail_allocation(2);
    CHECK(mu_false_discovery(p, 3, p, NULL) == MU_NO_MEMORY, "the correction has no memory");
    mu_fail_allocation(1);
    CHECK(mu_signs_of(values, 3, &signs, NULL) == MU_NO_MEMORY, "signs have no memory");
    mu_fail_allocation(1);
    CHECK(mu_level_of(&process, 1, &level, NULL) == MU_NO_MEMORY, "a level has no memory");
    mu_fail_allocation(0);
}

int main(void)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(rng, 2016);
    test_known();
    test_false_discovery();
    test_signs(rng);
    test_false_alarms(rng);
    test_memory();
    gsl_rng_free(rng);
    return tap_done();
}
