/* statistics/kriging: values and variances against ones by hand, repeated observations, failures. */
#include "base/memory.h"
#include "statistics/kriging.h"
#include "tests/tap.h"

#include <math.h>
#include <string.h>

#define MOST 11

static bool near(double a, double b)
{
    return fabs(a - b) <= 1e-9 * (1 + fabs(b));
}

/* Fits count values to a copy of the covariances, rows of `count`. */
static int fit(struct mu_kriging *kriging, const double *covariances, const double *values, size_t count,
               struct mu_error *err)
{
    double *copy = mu_malloc(count, count * sizeof *copy, "covariances", err);
    if (copy == NULL) return err->status;
    memcpy(copy, covariances, count * count * sizeof *copy);
    return mu_kriging_fit(kriging, copy, values, count, err);
}

static void check_by_hand(struct mu_error *err)
{
    /* With noise 1: the inverse of ((3, 1), (1, 2)) is ((0.4, -0.2), (-0.2, 0.6)). What is above the diagonal is not
     * read. */
    const double covariances[] = {3, NAN, 1, 2}, values[] = {5, 10}, with[] = {2, 1};
    struct mu_kriging kriging = {0};
    const bool fitted = fit(&kriging, covariances, values, 2, err) == MU_OK && kriging.weights != NULL;
    CHECK(fitted, "two observations");
    if (!fitted) return;
    CHECK(near(kriging.weights[0], 0) && near(kriging.weights[1], 5), "… their weights are those by hand");
    CHECK(near(mu_kriging_value(&kriging, with), 5), "… the value, too");
    CHECK(near(mu_kriging_variance(&kriging, with, 4), 4 - 1.4), "… and the variance");
    CHECK(mu_kriging_variance(&kriging, with, 1) == 0, "a variance is never negative");
    mu_kriging_release(&kriging);
    CHECK(fit(&kriging, covariances, values, 0, err) == MU_OK && mu_kriging_value(&kriging, with) == 0 &&
              near(mu_kriging_variance(&kriging, with, 4), 4),
          "where nothing was observed, the mean and all of the variance");
    mu_kriging_release(&kriging);
}

/* Ten observations of 1 in one place, one of -1 in another, and what is as far from both. */
static void check_repeated(struct mu_error *err)
{
    double covariances[MOST * MOST], values[MOST], with[MOST];
    for (size_t i = 0; i < MOST; i++) {
        values[i] = i < MOST - 1 ? 1 : -1;
        with[i] = 0.5;
        for (size_t j = 0; j < MOST; j++)
            covariances[i * MOST + j] = ((i < MOST - 1) == (j < MOST - 1) ? 1 : 0) + (i == j ? 0.01 : 0);
    }
    struct mu_kriging kriging;
    CHECK(fit(&kriging, covariances, values, MOST, err) == MU_OK && fabs(mu_kriging_value(&kriging, with)) < 0.01,
          "what was observed ten times in one place does not outweigh what was observed once in another");
    mu_kriging_release(&kriging);
}

/* So many that rows are taken several at a time, and some are left over: the covariances times the weights are the
 * values. */
static void check_many(struct mu_error *err)
{
    enum { MANY = 37 };
    static double covariances[MANY * MANY], values[MANY];
    struct mu_kriging kriging;
    for (size_t i = 0; i < MANY; i++) {
        values[i] = (double)(i * i % 7) - 3;
        for (size_t j = 0; j < MANY; j++)
            covariances[i * MANY + j] = exp(-fabs((double)i - (double)j) / 5) + (i == j ? 0.5 : 0);
    }
    bool right = fit(&kriging, covariances, values, MANY, err) == MU_OK;
    for (size_t i = 0; i < MANY && right; i++)
        right = near(mu_kriging_value(&kriging, &covariances[i * MANY]), values[i]);
    CHECK(right, "the weights of many observations solve their equations");
    mu_kriging_release(&kriging);
}

static void check_failures(void)
{
    const double covariances[] = {3, 1, 1, 2}, values[] = {5, 10};
    const uint64_t before = mu_memory_in_use();
    bool failed = true;
    for (unsigned long nth = 2; nth <= 4; nth++) {
        struct mu_kriging kriging = {0};
        struct mu_error err = {0};
        mu_fail_allocation(nth);
        failed = failed && fit(&kriging, covariances, values, 2, &err) == MU_NO_MEMORY;
        mu_kriging_release(&kriging);
    }
    mu_fail_allocation(0);
    CHECK(failed && mu_memory_in_use() == before, "no memory is an error, and nothing is lost");
}

int main(void)
{
    struct mu_error err = {0};
    check_by_hand(&err);
    check_repeated(&err);
    check_many(&err);
    check_failures();
    return tap_done();
}
