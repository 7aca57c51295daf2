/* For tests/variants/library.sh: the halves of barriers and the work queue, in a program that has the installed library
 * and nothing of muster's. Arguments: kernel, "large", "small", "native" or "native-tried", the number of workgroups
 * that are launched without a roll call, options of the compiler, and the status that must come of it, with a part of
 * its message. */
#define CL_TARGET_OPENCL_VERSION 120
#include <muster/team.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORKGROUP 16
#define ITEMS     300
#define SLOTS     256
#define WORDS     4096

/* halves: a word before the barrier, one beside it, and one beside the workgroup's own.
 * flow: item i has the children 2 i + 1 and 2 i + 2; the last work-item of a group does the work. */
static const char source[] =
    "MU_KERNEL void halves(__global uint *wrong, __global uint *words, __global uint *own, MU_TEAM_PARAMETERS)\n"
    "{\n"
    "    MU_TEAM_BEGIN;\n"
    "    __local uint shown[MU_WORKGROUP];\n"
    "    const uint lid = (uint)get_local_id(0), next = (T.first + MU_WORKGROUP) % T.stride;\n"
    "    uint bad = 0;\n"
    "    if (T.rank < T.size) own[T.first] = 0;\n"
    "    for (uint round = 1; round <= 50; round++) {\n"
    "        __global uint *now = words + round % 2 * T.stride, *last = words + (round + 1) % 2 * T.stride;\n"
    "        if (MU_CROSSED(T) && round > 1) bad += last[next] != round - 1;\n"
    "        if (T.rank < T.size) now[T.first] = round;\n"
    "        mu_barrier_arrive(T);\n"
    "        if (T.rank < T.size) own[T.first] += round;\n"
    "        mu_barrier_wait(T);\n"
    "    }\n"
    "    mu_barrier(T);\n"
    "    if (MU_CROSSED(T)) bad += own[next] != 50 * 51 / 2;\n"
    "    shown[lid] = lid;\n"
    "    GROUP_ARRIVE();\n"
    "    bad += 1;\n"
    "    GROUP_WAIT();\n"
    "    bad += shown[MU_WORKGROUP - 1 - lid] - (MU_WORKGROUP - 1 - lid) - 1;\n"
    "    if (bad != 0) mu_add_relaxed(wrong, bad);\n"
    "    MU_TEAM_END;\n"
    "}\n"
    "#ifdef MU_QUEUE_OPEN\n"
    "MU_KERNEL void flow(__global uint *wrong, __global uint *words, __global uint *seen, MU_TEAM_PARAMETERS)\n"
    "{\n"
    "    MU_TEAM_BEGIN;\n"
    "    const uint lid = (uint)get_local_id(0);\n"
    "    uint bad = 0;\n"
    "    struct mu_queue Q = mu_team_queue(T, words, SLOTS);\n"
    "    MU_EXTENT(ITEMS);\n"
    "    FOR_EACH (i) seen[i] = 0;\n"
    "    if (T.first == 0) mu_team_put(T, Q, 0);\n"
    "    mu_barrier(T);\n"
    "    uint item = MU_NO_ITEM;\n"
    "    do {\n"
    "        if (lid == 0 && item != MU_NO_ITEM && item != LOST) {\n"
    "            const uint first = 2 * item + 1, end = min(first + 2, (uint)ITEMS);\n"
    "            mu_queue_done(Q, end > first ? end - first : 0u);\n"
    "            for (uint child = first; child < end; child++) mu_queue_push(Q, child);\n"
    "        }\n"
    "        item = mu_team_take(T, Q);\n"
    "        if (lid == MU_WORKGROUP - 1 && item != MU_NO_ITEM) seen[item] += item + 1;\n"
    "        GROUP_BARRIER();\n"
    "    } while (item != MU_NO_ITEM);\n"
    "    for (uint i = T.first; T.rank < T.size && i < ITEMS; i += T.stride) bad += seen[i] != i + 1;\n"
    "    if (bad != 0) mu_add_relaxed(wrong, bad);\n"
    "    MU_TEAM_END;\n"
    "}\n"
    "#endif\n";

static int failed(const char *what, const char *message)
{
    printf("%s: %s\n", what, message);
    return 1;
}

static cl_kernel build(cl_context context, cl_device_id device, const struct mu_team *team, char *const *arguments)
{
    char options[1024], log[4096] = "";
    const char *texts[] = {mu_team_source(), source};
    cl_int status;
    snprintf(options, sizeof options, "%s -DITEMS=%d %s", mu_team_options(team), ITEMS, arguments[4]);
    if (strstr(options, "-DSLOTS=") == NULL) strcat(options, " -DSLOTS=256");
    if (strstr(options, "-DLOST=") == NULL) strcat(options, " -DLOST=ITEMS");
    cl_program program = clCreateProgramWithSource(context, 2, texts, NULL, &status);
    if (clBuildProgram(program, 1, &device, options, NULL, NULL) != CL_SUCCESS) {
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
        failed("build", log);
        return NULL;
    }
    return clCreateKernel(program, arguments[1], &status);
}

/* The kernel's count of wrong words into *wrong. */
static int run(cl_command_queue queue, cl_context context, struct mu_team *team, cl_kernel kernel, cl_uint *wrong,
               struct mu_team_error *error)
{
    const size_t groups = mu_team_groups(team), in_queue = MU_TEAM_QUEUE_WORDS(groups, SLOTS);
    const size_t words[3] = {1, in_queue > WORDS ? in_queue : WORDS, WORDS};
    cl_mem buffers[3] = {NULL};
    cl_int status = CL_SUCCESS;
    for (cl_uint i = 0; status == CL_SUCCESS && i < 3; i++) {
        buffers[i] = clCreateBuffer(context, CL_MEM_READ_WRITE, words[i] * sizeof(cl_uint), NULL, &status);
        const cl_uint pattern = i == 0 ? 0 : 0xa5a5a5a5u;
        if (status == CL_SUCCESS)
            status = clEnqueueFillBuffer(queue, buffers[i], &pattern, sizeof pattern, 0, words[i] * sizeof pattern, 0,
                                         NULL, NULL);
        if (status == CL_SUCCESS) status = clSetKernelArg(kernel, i, sizeof buffers[i], &buffers[i]);
    }
    if (status != CL_SUCCESS) return failed("arguments", "they cannot be set");
    mu_team_run(team, kernel, 3, NULL, error);
    if (clEnqueueReadBuffer(queue, buffers[0], CL_TRUE, 0, sizeof *wrong, wrong, 0, NULL, NULL) != CL_SUCCESS)
        return failed("result", "it cannot be read");
    return 0;
}

int main(int count, char **arguments)
{
    cl_platform_id platform;
    cl_device_id device;
    cl_int status;
    if (count != 7 || clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS)
        return failed("device", "there is none");
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
    const int wanted = atoi(arguments[5]);
    const struct mu_team_settings settings = {.workgroup = WORKGROUP,
                                              .groups = (uint32_t)atoi(arguments[3]),
                                              .spin_limit = wanted == MU_TEAM_DEADLOCK ? 3000000u : 2000000000u,
                                              .specialised = 1,
                                              .yield = 1,
                                              .large = strcmp(arguments[2], "large") == 0,
                                              .native = strncmp(arguments[2], "native", 6) == 0};
    struct mu_team *team = NULL;
    struct mu_team_error error;
    cl_uint wrong = 0;
    if (mu_team_new(queue, &settings, &team, &error) != MU_TEAM_OK && wanted == error.status)
        return strstr(error.message, arguments[6]) == NULL;
    if (error.status != MU_TEAM_OK) return failed("new", error.message);
    if (strcmp(arguments[2], "native-tried") == 0 && mu_team_trust(team, &error) != MU_TEAM_OK)
        return failed("trust", error.message);
    cl_kernel kernel = build(context, device, team, arguments);
    if (kernel == NULL || run(queue, context, team, kernel, &wrong, &error) != 0) return 1;
    printf("%s: %d %s; %u wrong words\n", arguments[1], error.status, error.message, wrong);
    mu_team_free(team);
    return error.status != wanted || strstr(error.message, arguments[6]) == NULL ||
           (wanted == MU_TEAM_OK && wrong != 0);
}
