#include "statistics/kriging.h"

#include "base/memory.h"

#include <math.h>

/* What rounding may leave of a pivot, whose true value is the noise at least. */
#define LEAST_PIVOT 1e-12

static double dot(const double *a, const double *b, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) sum += a[i] * b[i];
    return sum;
}

static void factorise(double *matrix, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        double *row = &matrix[i * count];
        for (size_t j = 0; j < i; j++) {
            const double *above = &matrix[j * count];
            row[j] = (row[j] - dot(row, above, j)) / above[j];
        }
        const double pivot = row[i] - dot(row, row, i);
        row[i] = sqrt(pivot > LEAST_PIVOT ? pivot : LEAST_PIVOT);
    }
}

/* Solves factor × x = right. */
static void solve_lower(const double *factor, size_t count, const double *right, double *x)
{
    for (size_t i = 0; i < count; i++) x[i] = (right[i] - dot(&factor[i * count], x, i)) / factor[i * count + i];
}

/* Solves transposed factor × x = x in place. */
static void solve_upper(const double *factor, size_t count, double *x)
{
    for (size_t i = count; i-- > 0;) {
        x[i] /= factor[i * count + i];
        for (size_t j = 0; j < i; j++) x[j] -= factor[i * count + j] * x[i];
    }
}

int mu_kriging_fit(struct mu_kriging *kriging, double *covariances, const double *values, size_t count,
                   struct mu_error *err)
{
    *kriging = (struct mu_kriging){.count = count, .factor = covariances};
    kriging->weights = mu_malloc(count, sizeof *kriging->weights, "weights of observations", err);
    kriging->solved = mu_malloc(count, sizeof *kriging->solved, "weights of observations", err);
    if (kriging->weights == NULL || kriging->solved == NULL) return err->status;
    factorise(kriging->factor, count);
    solve_lower(kriging->factor, count, values, kriging->weights);
    solve_upper(kriging->factor, count, kriging->weights);
    return MU_OK;
}

double mu_kriging_value(const struct mu_kriging *kriging, const double *covariances)
{
    return dot(covariances, kriging->weights, kriging->count);
}

double mu_kriging_variance(const struct mu_kriging *kriging, const double *covariances, double own)
{
    solve_lower(kriging->factor, kriging->count, covariances, kriging->solved);
    const double left = own - dot(kriging->solved, kriging->solved, kriging->count);
    return left > 0 ? left : 0;
}

void mu_kriging_release(struct mu_kriging *kriging)
{
    mu_free(kriging->factor);
    mu_free(kriging->weights);
    mu_free(kriging->solved);
    *kriging = (struct mu_kriging){0};
}
