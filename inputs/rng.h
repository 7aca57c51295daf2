/* Counter-based random numbers: a number is a hash of the seed and of what it is for, never of what was drawn before,
 * so that any thread may draw any of them. The mixing function is the finaliser of SplitMix64 (Steele, Lea and Flood,
 * "Fast splittable pseudorandom number generators", OOPSLA 2014). */
#ifndef MU_INPUTS_RNG_H
#define MU_INPUTS_RNG_H

#include <stdint.h>

#define MU_GOLDEN_RATIO UINT64_C(0x9e3779b97f4a7c15)

static inline uint64_t mu_mix64(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

/* Returns a stream of its own for each seed and purpose. */
static inline uint64_t mu_random_stream(uint64_t seed, uint64_t purpose)
{
    return mu_mix64(mu_mix64(seed + MU_GOLDEN_RATIO) ^ (purpose * MU_GOLDEN_RATIO));
}

/* Returns the counter-th number of a stream. */
static inline uint64_t mu_random(uint64_t stream, uint64_t counter)
{
    return mu_mix64(stream + (counter + 1) * MU_GOLDEN_RATIO);
}

/* Returns the counter-th number of a stream, mapped to 0 .. bound - 1; bound at most 2^32. */
static inline uint32_t mu_random_below(uint64_t stream, uint64_t counter, uint64_t bound)
{
    return (uint32_t)(((mu_random(stream, counter) >> 32) * bound) >> 32);
}

#endif
