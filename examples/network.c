/* A recurrent network that stays on the device: h' = tanh(W h + x). One launch serves all steps. Each work-item keeps
 * its weights in registers (a private array), each workgroup the whole state in local memory; between two steps the
 * state goes through global memory and a global barrier. Beside it, one launch for each step, which loads its weights
 * again.
 *
 * A workgroup computes ROWS elements of the state; LANES work-items share a row of W. Since weights belong to
 * workgroups, the team must have GROUPS of them: it is launched without a roll call, one workgroup for each compute
 * unit.
 *
 * For every form the time of a step alone is measured, too (alone.h). build-aux/library-factor makes of that, and of
 * what `muster probe` has measured of launches and barriers, what the two forms should take. */
#include "alone.h"

#include <string.h>

#define PERIOD  16u /* different inputs, which repeat */
#define STEPS   500u
#define REPEATS 5 /* of every time, of which the least is taken */

static const char source[] = ALONE_SOURCE
    "#define LANES (MU_WORKGROUP / ROWS)\n"
    "#define KEPT  (HIDDEN / LANES)\n"
    "#ifdef ALONE\n"
    "#define CROSS() CROSS_ALONE()\n"
    "#else\n"
    "#define CROSS() mu_barrier(T)\n"
    "#endif\n"
    "#define LOAD_WEIGHTS() \\\n"
    "    for (uint k = 0; k < KEPT; k++) kept[k] = weights[row * HIDDEN + k * LANES + lane]\n"
    "\n"
    "static void load_state(__local float *state, __global const float *from)\n"
    "{\n"
    "    for (uint i = (uint)get_local_id(0); i < HIDDEN; i += MU_WORKGROUP) state[i] = from[i];\n"
    "    GROUP_BARRIER();\n"
    "}\n"
    "\n"
    "static void compute(const float *kept, __local const float *state, __local float *parts, uint row,\n"
    "                    __global const float *input, __global float *next)\n"
    "{\n"
    "    const uint lid = (uint)get_local_id(0), lane = lid % LANES;\n"
    "    float sum = 0;\n"
    "    for (uint k = 0; k < KEPT; k++) sum += kept[k] * state[k * LANES + lane];\n"
    "    parts[lid] = sum;\n"
    "    GROUP_BARRIER();\n"
    "    if (lane == 0) {\n"
    "        float total = input[row];\n"
    "        for (uint i = 0; i < LANES; i++) total += parts[lid + i];\n"
    "        next[row] = tanh(total);\n"
    "    }\n"
    "}\n"
    "\n"
    "MU_KERNEL void network(__global const float *weights, __global const float *inputs, __global float *states,\n"
    "                       const uint steps, MU_TEAM_PARAMETERS)\n"
    "{\n"
    "    __local float state[HIDDEN];\n"
    "    __local float parts[MU_WORKGROUP];\n"
    "    MU_TEAM_BEGIN;\n"
    "    const uint lid = (uint)get_local_id(0), lane = lid % LANES, row = T.rank * ROWS + lid / LANES;\n"
    "    float kept[KEPT];\n"
    "    LOAD_WEIGHTS();\n"
    "    load_state(state, states + HIDDEN);\n"
    "    for (uint step = 0; step < steps; step++) {\n"
    "        __global float *next = states + step % 2 * HIDDEN;\n"
    "#ifdef RELOAD\n"
    "        LOAD_WEIGHTS();\n"
    "#endif\n"
    "        compute(kept, state, parts, row, inputs + step % PERIOD * HIDDEN, next);\n"
    "        CROSS();\n"
    "        load_state(state, next);\n"
    "    }\n"
    "    MU_TEAM_END;\n"
    "}\n"
    "\n"
    "MU_KERNEL void network_step(__global const float *weights, __global const float *inputs,\n"
    "                            __global float *states, const uint step)\n"
    "{\n"
    "    __local float state[HIDDEN];\n"
    "    __local float parts[MU_WORKGROUP];\n"
    "    const uint lid = (uint)get_local_id(0), lane = lid % LANES;\n"
    "    const uint row = (uint)get_group_id(0) * ROWS + lid / LANES;\n"
    "    float kept[KEPT];\n"
    "    LOAD_WEIGHTS();\n"
    "    load_state(state, states + (step + 1) % 2 * HIDDEN);\n"
    "    compute(kept, state, parts, row, inputs + step % PERIOD * HIDDEN, states + step % 2 * HIDDEN);\n"
    "}\n";

/* The network and where it runs. */
struct network {
    cl_command_queue queue;
    struct mu_team *team;
    cl_uint hidden;
    size_t bytes; /* of a state */
    float *weights, *inputs, *states;
    cl_mem device_states;
};

/* Numbers between -1 and 1, always the same. */
static float next_random(cl_uint *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (float)(*seed >> 8) / 8388608.0f - 1.0f;
}

/* Weights small enough that the network forgets: so rounding errors do not grow. */
static void make_network(struct network *network)
{
    const size_t hidden = network->hidden;
    cl_uint seed = 1;
    network->bytes = hidden * sizeof(float);
    network->weights = malloc(hidden * network->bytes);
    network->inputs = malloc(PERIOD * network->bytes);
    network->states = calloc(2, network->bytes);
    need(network->weights != NULL && network->inputs != NULL && network->states != NULL, "out of memory");
    for (size_t i = 0; i < hidden * hidden; i++) network->weights[i] = next_random(&seed) / sqrtf((float)hidden);
    for (size_t i = 0; i < PERIOD * hidden; i++) network->inputs[i] = next_random(&seed);
}

/* All steps on the host, into network->states, which is 0 before. */
static void run_on_host(struct network *network)
{
    const cl_uint hidden = network->hidden;
    for (cl_uint step = 0; step < STEPS; step++) {
        const float *state = network->states + (size_t)(step + 1) % 2 * hidden;
        float *next = network->states + (size_t)step % 2 * hidden;
        for (size_t row = 0; row < hidden; row++) {
            float sum = network->inputs[step % PERIOD * (size_t)hidden + row];
            for (size_t i = 0; i < hidden; i++) sum += network->weights[row * hidden + i] * state[i];
            next[row] = tanhf(sum);
        }
    }
}

/* A kernel whose first three arguments are the network's, with these options. */
static cl_kernel make_kernel(struct network *network, const char *options, const char *name)
{
    const cl_uint rows = network->hidden / mu_team_groups(network->team);
    const size_t bytes = network->bytes;
    char all[160];
    snprintf(all, sizeof all, "-DHIDDEN=%uu -DROWS=%uu -DPERIOD=%uu %s", network->hidden, rows, PERIOD, options);
    cl_kernel kernel = kernel_of(build_program(network->queue, network->team, source, all), name);
    argument(network->queue, kernel, 0, network->hidden * bytes, network->weights);
    argument(network->queue, kernel, 1, PERIOD * bytes, network->inputs);
    network->device_states = argument(network->queue, kernel, 2, 2 * bytes, NULL);
    return kernel;
}

static void clear_states(const struct network *network)
{
    const cl_float zero = 0;
    need(clEnqueueFillBuffer(network->queue, network->device_states, &zero, sizeof zero, 0, 2 * network->bytes, 0, NULL,
                             NULL) == CL_SUCCESS &&
             clFinish(network->queue) == CL_SUCCESS,
         "the first state");
}

static double less(double a, double b)
{
    return a < b ? a : b;
}

/* One launch for all steps: ns for each. The difference of two numbers of steps leaves out what a launch costs. */
static double run_persistent(struct network *network, const char *options)
{
    const cl_uint counts[] = {2, 2 + STEPS};
    double ns[] = {INFINITY, INFINITY};
    struct mu_team_report report;
    struct mu_team_error error;
    cl_kernel kernel = make_kernel(network, options, "network");
    for (int i = 0; i < 2 * REPEATS; i++) {
        clear_states(network);
        need(clSetKernelArg(kernel, 3, sizeof counts[i % 2], &counts[i % 2]) == CL_SUCCESS, "steps");
        need(mu_team_run(network->team, kernel, 4, &report, &error) == MU_TEAM_OK, error.message);
        ns[i % 2] = less(ns[i % 2], (double)report.host_ns);
    }
    return (ns[1] - ns[0]) / STEPS;
}

/* The same, once, with STEPS steps: for its result. */
static void run_for_result(struct network *network)
{
    const cl_uint steps = STEPS;
    struct mu_team_report report;
    struct mu_team_error error;
    cl_kernel kernel = make_kernel(network, "", "network");
    clear_states(network);
    need(clSetKernelArg(kernel, 3, sizeof steps, &steps) == CL_SUCCESS, "steps");
    need(mu_team_run(network->team, kernel, 4, &report, &error) == MU_TEAM_OK, error.message);
    need(report.barriers == STEPS, "a step is a barrier");
}

/* A launch for each step, none waited for but the last: ns for each. */
static double run_launched(struct network *network)
{
    const size_t workgroup = mu_team_workgroup(network->team), items = workgroup * mu_team_groups(network->team);
    double ns = INFINITY;
    cl_kernel kernel = make_kernel(network, "", "network_step");
    /* Its time is the host's more than the device's, and wavers: where it is short, there are more repeats. */
    const double begin = now_ns();
    for (int i = 0; i <= REPEATS || (i < 10 * REPEATS && now_ns() - begin < 2e8); i++) {
        clear_states(network);
        const double start = now_ns();
        for (cl_uint step = 0; step < STEPS; step++)
            need(clSetKernelArg(kernel, 3, sizeof step, &step) == CL_SUCCESS &&
                     clEnqueueNDRangeKernel(network->queue, kernel, 1, NULL, &items, &workgroup, 0, NULL, NULL) ==
                         CL_SUCCESS,
                 "a launch");
        need(clFinish(network->queue) == CL_SUCCESS, "launches");
        ns = less(ns, (now_ns() - start) / STEPS);
    }
    return ns;
}

/* The last state on the device is the host's. */
static void compare(const struct network *network, const char *what)
{
    float *state = malloc(2 * network->bytes), far = 0;
    need(state != NULL, "out of memory");
    read_buffer(network->queue, network->device_states, 2 * network->bytes, state);
    for (size_t i = 0; i < 2 * (size_t)network->hidden; i++) far = fmaxf(far, fabsf(state[i] - network->states[i]));
    free(state);
    need(far < 1e-4f, what);
}

/* The largest power of two workgroups of which each has a compute unit for itself, and how much there is to do. */
static struct mu_team_settings choose(struct network *network)
{
    struct mu_team_settings settings = {.workgroup = 256, .groups = 1, .specialised = 1, .yield = 1};
    cl_device_type type = 0;
    cl_uint units = 1;
    need(clGetDeviceInfo(device_of(network->queue), CL_DEVICE_TYPE, sizeof type, &type, NULL) == CL_SUCCESS &&
             clGetDeviceInfo(device_of(network->queue), CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL) ==
                 CL_SUCCESS,
         "the device");
    network->hidden = (type & CL_DEVICE_TYPE_CPU) != 0 ? 256 : 1024;
    while (2 * settings.groups <= units && 2 * settings.groups <= network->hidden) settings.groups *= 2;
    while (network->hidden / settings.groups > settings.workgroup) network->hidden /= 2;
    return settings;
}

int main(void)
{
    struct network network = {.queue = open_queue()};
    struct mu_team_error error;
    const struct mu_team_settings settings = choose(&network);
    need(mu_team_new(network.queue, &settings, &network.team, &error) == MU_TEAM_OK, error.message);
    need(mu_team_trust(network.team, &error) == MU_TEAM_OK, error.message);
    make_network(&network);
    run_on_host(&network);

    run_for_result(&network);
    compare(&network, "the persistent network is not the host's");
    const double launched = run_launched(&network);
    compare(&network, "the network of one launch a step is not the host's");
    const double kept = run_persistent(&network, "");
    const double fence = fence_ns(network.queue, network.team);
    const double alone = run_persistent(&network, "-DALONE") - fence;
    const double reloaded = run_persistent(&network, "-DALONE -DRELOAD") - fence;
    printf("%u hidden units on %u workgroups of %u\n", network.hidden, settings.groups, settings.workgroup);
    printf("persistent %.0f ns a step, of which alone %.0f\n", kept, alone);
    printf("launched %.0f ns a step, of which alone %.0f\n", launched, reloaded);
    printf("persistent is %.2f times as fast\n", launched / kept);
    mu_team_free(network.team);
    free(network.weights);
    free(network.inputs);
    free(network.states);
    return 0;
}
