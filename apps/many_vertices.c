#include "apps/app.h"

/* Of so many vertices a work-item of a large GPU has more than a window (variants/teams/team.clh). */
const uint32_t mu_many_vertices = UINT32_C(1) << 23;
