/* muster with row offsets of 64 bits for all graphs but the smallest, so that kernels for graphs beyond 2^31 arcs run
 * on graphs of a few. The linker takes this constant instead of that in apps/offsets.c. */
#include "apps/app.h"

const uint64_t mu_narrow_edges = 16;
