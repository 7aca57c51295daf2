/* What stands before a roll call, a barrier or an app's steps in a program, compiled for the host: the team, its
 * bounded spins, and all that they need. Include the sources that follow after this one. */
#ifndef MU_TESTS_HOST_KERNEL_H
#define MU_TESTS_HOST_KERNEL_H

#include "tests/host/atomics.h"

/* Constants of a device's build are values of the launch here, so that one build serves all workgroup sizes. */
#define MU_WORKGROUP  ((uint)get_local_size(0))
#define MU_SPIN_LIMIT (host_item->launch->spin_limit)

#include "variants/teams/sync_layout.clh"

#include "variants/teams/team.clh"

#include "variants/teams/spin.clh"

#endif
