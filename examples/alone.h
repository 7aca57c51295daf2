/* How long a round of a persistent kernel takes alone: its results become visible to the whole device, and those of
 * others to it, but nobody waits for anybody else. Kernels that are timed so have ALONE_SOURCE before their own text,
 * and CROSS_ALONE() in place of a global barrier.
 *
 * A plain barrier of the workgroup in its place would leave out what a global barrier costs a round beside the waiting:
 * results have to be written through to the memory that the device shares, and the next round reads it, because what
 * the compute unit had at hand is out of date. */
#ifndef ALONE_H
#define ALONE_H

#include "open.h"

#include <math.h>

#define ALONE_SOURCE                                                                                                   \
    "#if defined(MU_PTX_FENCES)\n"                                                                                     \
    "#define FENCE() __asm__ volatile(\"membar.gl;\" : : : \"memory\")\n"                                              \
    "#elif defined(MU_PTX)\n"                                                                                          \
    "#define FENCE() __asm__ volatile(\"fence.acq_rel.gpu;\" : : : \"memory\")\n"                                      \
    "#elif defined(MU_ATOMICS_C11)\n"                                                                                  \
    "#define FENCE() atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device)\n"        \
    "#else\n"                                                                                                          \
    "#define FENCE() mem_fence(CLK_GLOBAL_MEM_FENCE)\n"                                                                \
    "#endif\n"                                                                                                         \
    "#define CROSS_ALONE() \\\n"                                                                                       \
    "    GROUP_BARRIER(); \\\n"                                                                                        \
    "    if (get_local_id(0) == 0) FENCE(); \\\n"                                                                      \
    "    GROUP_BARRIER()\n"                                                                                            \
    "\n"

static const char fence_source[] = ALONE_SOURCE "MU_KERNEL void fences(const uint rounds, MU_TEAM_PARAMETERS)\n"
                                                "{\n"
                                                "    MU_TEAM_BEGIN;\n"
                                                "    for (uint round = 0; round < rounds; round++) { CROSS_ALONE(); }\n"
                                                "    MU_TEAM_END;\n"
                                                "}\n";

/* ns of CROSS_ALONE() with nothing to make visible. A global barrier has that, too: who adds what `muster probe` has
 * measured of barriers to a round alone takes it off, so that it counts once. */
static inline double fence_ns(cl_command_queue queue, struct mu_team *team)
{
    const cl_uint counts[] = {2, 2002};
    double ns[] = {INFINITY, INFINITY};
    struct mu_team_report report;
    struct mu_team_error error;
    cl_kernel kernel = kernel_of(build_program(queue, team, fence_source, ""), "fences");
    for (int i = 0; i < 10; i++) {
        need(clSetKernelArg(kernel, 0, sizeof counts[i % 2], &counts[i % 2]) == CL_SUCCESS, "rounds");
        need(mu_team_run(team, kernel, 1, &report, &error) == MU_TEAM_OK, error.message);
        if ((double)report.host_ns < ns[i % 2]) ns[i % 2] = (double)report.host_ns;
    }
    return fmax(ns[1] - ns[0], 0) / (counts[1] - counts[0]);
}

#endif
