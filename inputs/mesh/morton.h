/* The Morton curve: two coordinates, bit by bit in turns, so that what is near on the curve is near in the plane. */
#ifndef MU_INPUTS_MESH_MORTON_H
#define MU_INPUTS_MESH_MORTON_H

#include <stdint.h>

/* Moves the 32 bits of a number to the even places. */
static inline uint64_t mu_morton_spread(uint64_t bits)
{
    bits = (bits | bits << 16) & UINT64_C(0x0000ffff0000ffff);
    bits = (bits | bits << 8) & UINT64_C(0x00ff00ff00ff00ff);
    bits = (bits | bits << 4) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    bits = (bits | bits << 2) & UINT64_C(0x3333333333333333);
    return (bits | bits << 1) & UINT64_C(0x5555555555555555);
}

/* Gathers the bits of the even places again. */
static inline uint64_t mu_morton_gather(uint64_t bits)
{
    bits &= UINT64_C(0x5555555555555555);
    bits = (bits | bits >> 1) & UINT64_C(0x3333333333333333);
    bits = (bits | bits >> 2) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    bits = (bits | bits >> 4) & UINT64_C(0x00ff00ff00ff00ff);
    bits = (bits | bits >> 8) & UINT64_C(0x0000ffff0000ffff);
    return (bits | bits >> 16) & UINT64_C(0x00000000ffffffff);
}

static inline uint64_t mu_morton(uint64_t x, uint64_t y)
{
    return mu_morton_spread(x) | mu_morton_spread(y) << 1;
}

#endif
