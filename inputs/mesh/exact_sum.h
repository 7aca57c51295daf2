/* The sum of many doubles without any error: a long fixed-point accumulator (U. Kulisch and W. L. Miranker, "The
 * arithmetic of the digital computer: a new approach", SIAM Review 28, 1986). */
#ifndef MU_INPUTS_MESH_EXACT_SUM_H
#define MU_INPUTS_MESH_EXACT_SUM_H

#include <stdint.h>

/* The terms may be 0 or of a magnitude from MU_EXACT_SUM_LEAST to 2^300. The exact products of two coordinates of a
 * mesh are from 2^-384 to 2^281, as pairs of doubles. */
#define MU_EXACT_SUM_LEAST 0x1p-396
#define MU_EXACT_SUM_LIMBS 25

struct mu_exact_sum {
    int64_t limb[MU_EXACT_SUM_LIMBS]; /* of 32 bits each, the lowest first; more bits are carries not yet passed on */
    uint32_t additions;               /* since carries were passed on */
};

/* Adds one of up to 2^50 terms. Start from a sum of zeros. */
void mu_exact_sum_add(struct mu_exact_sum *sum, double term);

/* Adds what another sum holds. */
void mu_exact_sum_join(struct mu_exact_sum *sum, const struct mu_exact_sum *other);

/* Returns the sum, rounded to a double's precision; 0 if and only if it is 0. */
double mu_exact_sum_value(const struct mu_exact_sum *sum);

#endif
