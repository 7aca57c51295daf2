/* An iterative solver: the heat in a square plate with one warm edge, by Jacobi's method, until no point changes by
 * more than ENOUGH. All rounds are one launch; a reduction over the team says when to stop, and is the barrier between
 * two. */
#include "open.h"

#include <math.h>
#include <string.h>

#define N      64
#define ENOUGH 1e-3f
#define MOST   100000u

static const char source[] =
    "MU_KERNEL void stencil(__global float *heat, __global real *parts, __global uint *told, const uint n,\n"
    "                       const float enough, const uint most, MU_TEAM_PARAMETERS)\n"
    "{\n"
    "    MU_TEAM_BEGIN;\n"
    "    uint round = 0;\n"
    "    real change;\n"
    "    do {\n"
    "        __global const float *from = heat + round % 2 * n * n;\n"
    "        __global float *to = heat + (round + 1) % 2 * n * n;\n"
    "        real mine = 0;\n"
    "        MU_EXTENT((n - 2) * (n - 2));\n"
    "        FOR_EACH (i) {\n"
    "            const uint at = (i / (n - 2) + 1) * n + i % (n - 2) + 1;\n"
    "            const float after = 0.25f * (from[at - 1] + from[at + 1] + from[at - n] + from[at + n]);\n"
    "            mine = fmax(mine, (real)fabs(after - from[at]));\n"
    "            to[at] = after;\n"
    "        }\n"
    "        change = mu_team_max_real(T, parts, mine);\n"
    "        round++;\n"
    "    } while (change > enough && round < most);\n"
    "    if (T.first == 0) told[0] = round;\n"
    "    MU_TEAM_END;\n"
    "}\n";

static float heat[2 * N * N], expected[2 * N * N];

/* The same on the host. Returns the number of rounds. */
static unsigned solve(float *grid)
{
    for (unsigned round = 0; round < MOST; round++) {
        const float *from = grid + round % 2 * N * N;
        float *to = grid + (round + 1) % 2 * N * N, change = 0;
        for (int y = 1; y < N - 1; y++)
            for (int x = 1; x < N - 1; x++) {
                const int at = y * N + x;
                to[at] = 0.25f * (from[at - 1] + from[at + 1] + from[at - N] + from[at + N]);
                change = fmaxf(change, fabsf(to[at] - from[at]));
            }
        if (!(change > ENOUGH)) return round + 1;
    }
    return MOST;
}

int main(void)
{
    const cl_uint n = N, most = MOST;
    const cl_float enough = ENOUGH;
    const struct mu_team_settings settings = {.yield = 1};
    struct mu_team *team = NULL;
    struct mu_team_error error;
    struct mu_team_report report;
    cl_uint rounds = 0;
    cl_command_queue queue = open_queue();
    need(mu_team_new(queue, &settings, &team, &error) == MU_TEAM_OK, error.message);
    need(mu_team_trust(team, &error) == MU_TEAM_OK, error.message);
    for (int half = 0; half < 2; half++)
        for (int x = 0; x < N; x++) heat[half * N * N + x] = 100;
    memcpy(expected, heat, sizeof heat);

    cl_kernel kernel = build_kernel(queue, team, source, "stencil");
    cl_mem grid = argument(queue, kernel, 0, sizeof heat, heat);
    argument(queue, kernel, 1, 2 * mu_team_groups(team) * sizeof(cl_double), NULL);
    cl_mem told = argument(queue, kernel, 2, sizeof rounds, &rounds);
    need(clSetKernelArg(kernel, 3, sizeof n, &n) == CL_SUCCESS, "n");
    need(clSetKernelArg(kernel, 4, sizeof enough, &enough) == CL_SUCCESS, "enough");
    need(clSetKernelArg(kernel, 5, sizeof most, &most) == CL_SUCCESS, "most");
    need(mu_team_run(team, kernel, 6, &report, &error) == MU_TEAM_OK, error.message);

    read_buffer(queue, grid, sizeof heat, heat);
    read_buffer(queue, told, sizeof rounds, &rounds);
    const unsigned right = solve(expected);
    printf("%u rounds, %u workgroups, %u barriers, %.3f ms\n", rounds, report.team, report.barriers,
           (double)report.host_ns / 1e6);
    float far = 0;
    for (int i = 0; i < 2 * N * N; i++) far = fmaxf(far, fabsf(heat[i] - expected[i]));
    mu_team_free(team);
    need(rounds == right && report.barriers == rounds && far < 1e-3f, "that is not what the host computes");
    return 0;
}
