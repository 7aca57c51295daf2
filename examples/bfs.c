/* Breadth-first search: a round serves the vertices of one level, and a sum over the team says whether there are more.
 */
#include "open.h"

#define VERTICES   20000u
#define ARCS       4u /* of each vertex; the k-th leads to HEAD(v, k) */
#define HEAD(v, k) (((v)*3u + (k)*7919u + 1u) % VERTICES)

static const char source[] =
    "#define HEAD(v, k) (((v) * 3u + (k) * 7919u + 1u) % vertices)\n"
    "MU_KERNEL void bfs(__global uint *level, __global uint *parts, const uint vertices, const uint arcs,\n"
    "                   MU_TEAM_PARAMETERS)\n"
    "{\n"
    "    MU_TEAM_BEGIN;\n"
    "    uint round = 0, found;\n"
    "    do {\n"
    "        MU_EXTENT(vertices);\n"
    "        uint mine = 0;\n"
    "        FOR_EACH (v) {\n"
    "            if (mu_load_relaxed(level + v) != round) continue;\n"
    "            for (uint k = 0; k < arcs; k++)\n"
    "                mine += atomic_cmpxchg((volatile __global uint *)(level + HEAD(v, k)), 0xffffffffu, round + 1) "
    "==\n"
    "                        0xffffffffu;\n"
    "        }\n"
    "        found = mu_team_sum_uint(T, parts, mine);\n"
    "        round++;\n"
    "    } while (found != 0);\n"
    "    MU_TEAM_END;\n"
    "}\n";

static cl_uint level[VERTICES], expected[VERTICES], list[VERTICES];

/* The same on the host. Returns the last level. */
static cl_uint search(void)
{
    size_t count = 1;
    for (size_t v = 1; v < VERTICES; v++) expected[v] = 0xffffffffu;
    for (size_t i = 0; i < count; i++)
        for (cl_uint k = 0; k < ARCS; k++) {
            const cl_uint head = HEAD(list[i], k);
            if (expected[head] != 0xffffffffu) continue;
            expected[head] = expected[list[i]] + 1;
            list[count++] = head;
        }
    return expected[list[count - 1]];
}

int main(void)
{
    const cl_uint vertices = VERTICES, arcs = ARCS;
    const struct mu_team_settings settings = {.yield = 1};
    struct mu_team *team = NULL;
    struct mu_team_error error;
    struct mu_team_report report;
    cl_command_queue queue = open_queue();
    need(mu_team_new(queue, &settings, &team, &error) == MU_TEAM_OK, error.message);
    need(mu_team_trust(team, &error) == MU_TEAM_OK, error.message);
    for (size_t v = 1; v < VERTICES; v++) level[v] = 0xffffffffu;

    cl_kernel kernel = build_kernel(queue, team, source, "bfs");
    cl_mem levels = argument(queue, kernel, 0, sizeof level, level);
    argument(queue, kernel, 1, 2 * mu_team_groups(team) * sizeof(cl_uint), NULL);
    need(clSetKernelArg(kernel, 2, sizeof vertices, &vertices) == CL_SUCCESS, "vertices");
    need(clSetKernelArg(kernel, 3, sizeof arcs, &arcs) == CL_SUCCESS, "arcs");
    need(mu_team_run(team, kernel, 4, &report, &error) == MU_TEAM_OK, error.message);

    read_buffer(queue, levels, sizeof level, level);
    const cl_uint last = search();
    printf("%u levels, %u of %u workgroups, %u barriers, %.3f ms\n", last + 1, report.team, report.expected,
           report.barriers, (double)report.host_ns / 1e6);
    mu_team_free(team);
    for (size_t v = 0; v < VERTICES; v++) need(level[v] == expected[v], "that is not what the host computes");
    need(report.barriers == last + 1, "a level is a barrier");
    return 0;
}
