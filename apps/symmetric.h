/* For checks of apps that take their graph as simple and undirected: that the graph they have worked on is the input.
 */
#ifndef MU_APPS_SYMMETRIC_H
#define MU_APPS_SYMMETRIC_H

#include "apps/app.h"

/* Whether instance->derived is the instance's input made symmetric: for each pair of vertices with an arc in either
 * direction both arcs once, no loops, rows in ascending order, and as weights, where both graphs have them, the least
 * of a pair. It is found out from the input alone, by walking its arcs, or sorting its pairs where it is not symmetric:
 * nothing of what made the derived graph is used, so that an arc which was lost on the way is missed here. MU_OK;
 * MU_WRONG; MU_NO_MEMORY. */
int mu_check_symmetric(const struct mu_instance *instance, struct mu_error *err);

#endif
