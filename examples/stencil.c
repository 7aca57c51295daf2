/* An iterative solver: the heat in a square plate with one warm edge, by Jacobi's method, until no point changes by
 * more than ENOUGH. All rounds are one launch; a reduction over the team says when to stop, and is the barrier between
 * two. Beside it, one launch a round, behind each of which the host reads whether there was a change.
 *
 * The rounds are also timed alone (alone.h): with the library's reduction but for its barrier, and without, as the
 * launched kernel is. build-aux/library-factor makes of that, and of what `muster probe` has measured of launches and
 * barriers, what the two forms should take. */
#include "alone.h"

#include <string.h>

#define N      64
#define ENOUGH 1e-3f
#define MOST   100000u

static const char source[] = ALONE_SOURCE
    "static float relax(__global float *heat, const uint n, uint round, uint i)\n"
    "{\n"
    "    __global const float *from = heat + round % 2 * n * n;\n"
    "    const uint at = (i / (n - 2) + 1) * n + i % (n - 2) + 1;\n"
    "    const float after = 0.25f * (from[at - 1] + from[at + 1] + from[at - n] + from[at + n]);\n"
    "    heat[(round + 1) % 2 * n * n + at] = after;\n"
    "    return fabs(after - from[at]);\n"
    "}\n"
    "\n"
    "#ifdef ALONE\n"
    "static real team_max(struct mu_team T, __global real *parts, real mine)\n"
    "{\n"
    "#ifdef RELAX_ONLY\n"
    "    CROSS_ALONE();\n"
    "    return fabs(mine);\n"
    "#else\n"
    "    mu_part_real_MAX(T, parts, true, mine);\n"
    "    CROSS_ALONE();\n"
    "    return mu_whole_real_MAX(T, parts);\n"
    "#endif\n"
    "}\n"
    "#else\n"
    "#define team_max mu_team_max_real\n"
    "#endif\n"
    "\n"
    "MU_KERNEL void stencil(__global float *heat, __global real *parts, __global uint *told, const uint n,\n"
    "                       const float enough, const uint most, MU_TEAM_PARAMETERS)\n"
    "{\n"
    "    MU_TEAM_BEGIN;\n"
    "    uint round = 0;\n"
    "    real change;\n"
    "    do {\n"
    "        real mine = 0;\n"
    "        MU_EXTENT((n - 2) * (n - 2));\n"
    "        FOR_EACH (i) mine = fmax(mine, (real)relax(heat, n, round, i));\n"
    "        change = team_max(T, parts, mine);\n"
    "        round++;\n"
    "    } while (change > enough && round < most);\n"
    "    if (T.first == 0) told[0] = round;\n"
    "    MU_TEAM_END;\n"
    "}\n"
    "\n"
    "MU_KERNEL void stencil_round(__global float *heat, __global uint *changed, const uint n, const float enough,\n"
    "                             const uint round)\n"
    "{\n"
    "    const uint extent = (n - 2) * (n - 2);\n"
    "    for (uint i = (uint)get_global_id(0); i < extent; i += (uint)get_global_size(0))\n"
    "        if (relax(heat, n, round, i) > enough) changed[0] = round + 1;\n"
    "}\n";

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

/* What the plate is like at the start, and at the end on the host, after so many rounds. */
static float plate[2 * N * N], expected[2 * N * N];
static unsigned right;

/* The plate on the device is what the host computes. */
static void compare(cl_command_queue queue, cl_mem grid, cl_uint rounds)
{
    static float heat[2 * N * N];
    float far = 0;
    read_buffer(queue, grid, sizeof heat, heat);
    for (int i = 0; i < 2 * N * N; i++) far = fmaxf(far, fabsf(heat[i] - expected[i]));
    need(rounds == right && far < 1e-3f, "that is not what the host computes");
}

/* All rounds in one launch; with options of rounds alone, as many of them as there would be, with wrong results. */
static struct mu_team_report run_persistent(cl_command_queue queue, struct mu_team *team, const char *options)
{
    const int alone = options[0] != '\0';
    const cl_uint n = N, most = alone ? right : MOST;
    const cl_float enough = alone ? -1 : ENOUGH;
    struct mu_team_report report;
    struct mu_team_error error;
    cl_uint rounds = 0;
    cl_kernel kernel = kernel_of(build_program(queue, team, source, options), "stencil");
    cl_mem grid = argument(queue, kernel, 0, sizeof plate, plate);
    argument(queue, kernel, 1, 2 * mu_team_groups(team) * sizeof(cl_double), NULL);
    cl_mem told = argument(queue, kernel, 2, sizeof rounds, &rounds);
    need(clSetKernelArg(kernel, 3, sizeof n, &n) == CL_SUCCESS, "n");
    need(clSetKernelArg(kernel, 4, sizeof enough, &enough) == CL_SUCCESS, "enough");
    need(clSetKernelArg(kernel, 5, sizeof most, &most) == CL_SUCCESS, "most");
    need(mu_team_run(team, kernel, 6, &report, &error) == MU_TEAM_OK, error.message);
    read_buffer(queue, told, sizeof rounds, &rounds);
    if (alone) return report;
    compare(queue, grid, rounds);
    need(report.barriers == rounds, "a round is a barrier");
    return report;
}

/* ns of a round alone. */
static double time_alone(cl_command_queue queue, struct mu_team *team, const char *options)
{
    run_persistent(queue, team, options);
    return (double)run_persistent(queue, team, options).host_ns / right - fence_ns(queue, team);
}

/* A launch for each round: ns for all of them. */
static double run_launched(cl_command_queue queue, struct mu_team *team)
{
    const size_t workgroup = mu_team_workgroup(team), items = workgroup * mu_team_groups(team);
    const cl_uint n = N;
    const cl_float enough = ENOUGH;
    cl_uint changed = 0, round = 0;
    cl_kernel kernel = kernel_of(build_program(queue, team, source, ""), "stencil_round");
    cl_mem grid = argument(queue, kernel, 0, sizeof plate, plate);
    cl_mem flag = argument(queue, kernel, 1, sizeof changed, &changed);
    need(clSetKernelArg(kernel, 2, sizeof n, &n) == CL_SUCCESS, "n");
    need(clSetKernelArg(kernel, 3, sizeof enough, &enough) == CL_SUCCESS, "enough");
    const double start = now_ns();
    do {
        need(clSetKernelArg(kernel, 4, sizeof round, &round) == CL_SUCCESS &&
                 clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &workgroup, 0, NULL, NULL) == CL_SUCCESS,
             "a launch");
        read_buffer(queue, flag, sizeof changed, &changed);
        round++;
    } while (changed == round && round < MOST);
    const double ns = now_ns() - start;
    compare(queue, grid, round);
    return ns;
}

int main(void)
{
    cl_uint units = 1;
    cl_command_queue queue = open_queue();
    need(clGetDeviceInfo(device_of(queue), CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL) == CL_SUCCESS,
         "the compute units");
    const struct mu_team_settings settings = {.groups = units, .yield = 1};
    struct mu_team *team = NULL;
    struct mu_team_error error;
    need(mu_team_new(queue, &settings, &team, &error) == MU_TEAM_OK, error.message);
    need(mu_team_trust(team, &error) == MU_TEAM_OK, error.message);
    for (int half = 0; half < 2; half++)
        for (int x = 0; x < N; x++) plate[half * N * N + x] = 100;
    memcpy(expected, plate, sizeof plate);
    right = solve(expected);

    run_persistent(queue, team, "");
    const struct mu_team_report report = run_persistent(queue, team, "");
    run_launched(queue, team);
    const double launched = run_launched(queue, team) / right;
    const double persistent = (double)report.host_ns / right;
    const double alone = time_alone(queue, team, "-DALONE");
    const double relaxed = time_alone(queue, team, "-DALONE -DRELAX_ONLY");
    printf("%u rounds on %u workgroups of %u\n", right, report.team, mu_team_workgroup(team));
    printf("persistent %.0f ns a round, of which alone %.0f\n", persistent, alone);
    printf("launched %.0f ns a round, of which alone %.0f\n", launched, relaxed);
    printf("persistent is %.2f times as fast\n", launched / persistent);
    mu_team_free(team);
    return 0;
}
