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

/* Two numbers of neighbouring rows, in a register of any 64-bit processor. */
typedef double pair __attribute__((vector_size(2 * sizeof(double))));
enum { PAIRS = 4, ROWS = 2 * PAIRS };

/* Finds the factor's elements left of column `end` of ROWS rows, which stand in `block` column by column. A sum waits
 * for each of its additions, and several rows wait together. Each sum has the order of `dot`. */
static void reduce_rows(pair *block, const double *matrix, size_t count, size_t end)
{
    for (size_t j = 0; j < end; j++) {
        const double *above = &matrix[j * count];
        pair *own = &block[j * PAIRS], a = {0}, b = {0}, c = {0}, d = {0};
        for (size_t k = 0; k < j; k++) {
            const pair *before = &block[k * PAIRS];
            a += before[0] * above[k];
            b += before[1] * above[k];
            c += before[2] * above[k];
            d += before[3] * above[k];
        }
        own[0] = (own[0] - a) / above[j];
        own[1] = (own[1] - b) / above[j];
        own[2] = (own[2] - c) / above[j];
        own[3] = (own[3] - d) / above[j];
    }
}

/* Copies what is left of column `end` between ROWS rows and a block. */
static void pack_rows(pair *block, const double *rows, size_t count, size_t end)
{
    for (size_t k = 0; k < end; k++)
        for (size_t r = 0; r < ROWS; r++) block[k * PAIRS + r / 2][r % 2] = rows[r * count + k];
}

static void unpack_rows(const pair *block, double *rows, size_t count, size_t end)
{
    for (size_t r = 0; r < ROWS; r++)
        for (size_t k = 0; k < end; k++) rows[r * count + k] = block[k * PAIRS + r / 2][r % 2];
}

/* Computes the factor's elements of a row from column `begin` on. */
static void finish_row(double *matrix, size_t count, size_t i, size_t begin)
{
    double *row = &matrix[i * count];
    for (size_t j = begin; j < i; j++) {
        const double *above = &matrix[j * count];
        row[j] = (row[j] - dot(row, above, j)) / above[j];
    }
    const double pivot = row[i] - dot(row, row, i);
    row[i] = sqrt(pivot > LEAST_PIVOT ? pivot : LEAST_PIVOT);
}

/* Factorises the matrix. `block` has room for ROWS rows. */
static void factorise(double *matrix, size_t count, pair *block)
{
    size_t i = 0;
    for (; i + ROWS <= count; i += ROWS) {
        pack_rows(block, &matrix[i * count], count, i);
        reduce_rows(block, matrix, count, i);
        unpack_rows(block, &matrix[i * count], count, i);
        for (size_t r = i; r < i + ROWS; r++) finish_row(matrix, count, r, i);
    }
    for (; i < count; i++) finish_row(matrix, count, i, 0);
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
    pair *block = mu_malloc(count, PAIRS * sizeof *block, "rows of covariances", err);
    if (block != NULL && err->status == MU_OK) {
        factorise(kriging->factor, count, block);
        solve_lower(kriging->factor, count, values, kriging->weights);
        solve_upper(kriging->factor, count, kriging->weights);
    }
    mu_free(block);
    return err->status;
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
