#include "inputs/mesh/exact_sum.h"

#include <math.h>
#include <string.h>

/* The lowest limb's lowest bit is 2^LOWEST, the last bit of the least term's mantissa. An addition puts less than 2^34
 * into a limb, which has room for 2^63. */
enum { MANTISSA_BITS = 52, EXPONENT_BIAS = 1023, LOWEST = -396 - 52, LIMB_BITS = 32, ADDITIONS_MAX = 1 << 28 };

#define LIMB_MASK INT64_C(0xffffffff)

/* Afterwards each limb but the highest is from 0 to 2^32 - 1, and that one has the sum's sign. */
static void pass_carries(struct mu_exact_sum *sum)
{
    for (unsigned i = 0; i + 1 < MU_EXACT_SUM_LIMBS; i++) {
        const int64_t rest = sum->limb[i] & LIMB_MASK;
        sum->limb[i + 1] += (sum->limb[i] - rest) / (LIMB_MASK + 1);
        sum->limb[i] = rest;
    }
    sum->additions = 0;
}

void mu_exact_sum_add(struct mu_exact_sum *sum, double term)
{
    uint64_t bits;
    if (term == 0.0) return;
    memcpy(&bits, &term, sizeof bits);
    const uint64_t mantissa = (bits & ((UINT64_C(1) << MANTISSA_BITS) - 1)) | UINT64_C(1) << MANTISSA_BITS;
    const int exponent = (int)(bits >> MANTISSA_BITS & 0x7ff) - EXPONENT_BIAS - MANTISSA_BITS;
    const unsigned place = (unsigned)(exponent - LOWEST), shift = place % LIMB_BITS;
    int64_t *limb = sum->limb + place / LIMB_BITS;
    const uint64_t low = (mantissa & (uint64_t)LIMB_MASK) << shift, high = (mantissa >> LIMB_BITS) << shift;
    const int64_t sign = bits >> 63 ? -1 : 1;
    limb[0] += sign * (int64_t)(low & (uint64_t)LIMB_MASK);
    limb[1] += sign * (int64_t)((low >> LIMB_BITS) + (high & (uint64_t)LIMB_MASK));
    limb[2] += sign * (int64_t)(high >> LIMB_BITS);
    if (++sum->additions == ADDITIONS_MAX) pass_carries(sum);
}

void mu_exact_sum_join(struct mu_exact_sum *sum, const struct mu_exact_sum *other)
{
    struct mu_exact_sum term = *other;
    pass_carries(sum);
    pass_carries(&term);
    for (unsigned i = 0; i < MU_EXACT_SUM_LIMBS; i++) sum->limb[i] += term.limb[i];
    pass_carries(sum);
}

double mu_exact_sum_value(const struct mu_exact_sum *sum)
{
    struct mu_exact_sum now = *sum;
    double value = 0, sign = 1;
    pass_carries(&now);
    if (now.limb[MU_EXACT_SUM_LIMBS - 1] < 0) {
        for (unsigned i = 0; i < MU_EXACT_SUM_LIMBS; i++) now.limb[i] = -now.limb[i];
        pass_carries(&now);
        sign = -1;
    }
    for (int i = MU_EXACT_SUM_LIMBS - 1; i >= 0; i--) value += ldexp((double)now.limb[i], LOWEST + LIMB_BITS * i);
    return sign * value;
}
