#include "apps/app.h"

/* Half of what 32 bits hold, because prepare may double the edges of a directed graph. */
const uint64_t mu_narrow_edges = UINT64_C(1) << 31;
