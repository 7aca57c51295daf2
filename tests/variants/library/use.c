/* For tests/variants/library.sh: a program that has the installed library and nothing of muster's. Its arguments are
 * the number of workgroups that are launched without a roll call, how many polls a wait may take, and what must come of
 * it: "ok", "deadlock", or "wrong" for a kernel that lies about its barriers. */
#define CL_TARGET_OPENCL_VERSION 120
#include <muster/team.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const sources[] = {
    "MU_KERNEL void use(__global uint *sums, __global uint *parts, __global real *reals, MU_TEAM_PARAMETERS)\n"
    "{\n"
    "    MU_TEAM_BEGIN;\n"
    "    MU_EXTENT(1000);\n"
    "    uint mine = 0, most = 0;\n"
    "    FOR_EACH (i) { mine += i; most = max(most, i); }\n"
    "    const uint sum = mu_team_sum_uint(T, parts, mine);\n"
    "    const real middle = mu_team_sum_real(T, reals, (real)mine / 2);\n"
    "    const uint largest = mu_team_max_uint(T, parts, most);\n"
    "    mu_barrier(T);\n"
    "    const real last = mu_team_max_real(T, reals, (real)most / 4);\n"
    "    if (T.first == 0) { sums[0] = sum; sums[1] = (uint)(2 * middle); sums[2] = largest; sums[3] = (uint)(4 * "
    "last); "
    "}\n"
    "    LIE;\n"
    "    MU_TEAM_END;\n"
    "}\n"};

static int failed(const char *what, const char *message)
{
    printf("%s: %s\n", what, message);
    return 1;
}

/* The kernel's four results into `sums`. */
static int use(cl_command_queue queue, struct mu_team *team, int lies, cl_uint sums[4], struct mu_team_report *report,
               struct mu_team_error *error)
{
    char options[1024], log[4096] = "";
    const char *texts[] = {mu_team_source(), sources[0]};
    cl_context context;
    cl_device_id device;
    cl_int status = clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL);
    if (status == CL_SUCCESS) status = clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL);
    if (status != CL_SUCCESS) return failed("queue", "no context");
    snprintf(options, sizeof options, "%s -DLIE=%s", mu_team_options(team),
             lies ? "if(T.rank==1&&get_local_id(0)==0)T.words[MU_LOCAL_CROSSED]++" : "((void)0)");
    cl_program program = clCreateProgramWithSource(context, 2, texts, NULL, &status);
    if (clBuildProgram(program, 1, &device, options, NULL, NULL) != CL_SUCCESS) {
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
        return failed("build", log);
    }
    cl_kernel kernel = clCreateKernel(program, "use", &status);
    cl_mem buffers[3] = {NULL};
    for (cl_uint i = 0; status == CL_SUCCESS && i < 3; i++) {
        const size_t bytes = 16 * (size_t)mu_team_groups(team) + 16;
        buffers[i] = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, &status);
        if (status == CL_SUCCESS) status = clSetKernelArg(kernel, i, sizeof buffers[i], &buffers[i]);
    }
    if (status != CL_SUCCESS) return failed("arguments", "they cannot be set");
    mu_team_run(team, kernel, 3, report, error);
    if (clEnqueueReadBuffer(queue, buffers[0], CL_TRUE, 0, 4 * sizeof *sums, sums, 0, NULL, NULL) != CL_SUCCESS)
        return failed("result", "it cannot be read");
    return 0;
}

/* Calls that make no sense. */
static int misuse(cl_command_queue queue)
{
    const struct mu_team_settings wrong[] = {{.workgroup = 48}, {.workgroup = 1u << 30}};
    for (int i = 0; i < 2; i++) {
        struct mu_team *team = NULL;
        struct mu_team_error error;
        if (mu_team_new(queue, &wrong[i], &team, &error) != MU_TEAM_USAGE || team != NULL || error.message[0] == '\0')
            return failed("misuse", "a workgroup that cannot be was taken");
    }
    mu_team_free(NULL);
    return 0;
}

int main(int count, char **arguments)
{
    cl_platform_id platform;
    cl_device_id device;
    cl_int status;
    if (count != 4 || clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS)
        return failed("device", "there is none");
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
    const struct mu_team_settings settings = {.workgroup = 16,
                                              .groups = (uint32_t)atoi(arguments[1]),
                                              .spin_limit = (uint32_t)strtoul(arguments[2], NULL, 10),
                                              .specialised = 1,
                                              .yield = 1};
    const char *wanted = arguments[3];
    struct mu_team *team = NULL;
    struct mu_team_error error;
    struct mu_team_report report;
    cl_uint sums[4] = {0};
    if (misuse(queue) != 0) return 1;
    if (mu_team_new(queue, &settings, &team, &error) != MU_TEAM_OK) return failed("new", error.message);
    const int trust = mu_team_trust(team, &error);
    if (trust != (strcmp(wanted, "deadlock") == 0 ? MU_TEAM_DEADLOCK : MU_TEAM_OK))
        return failed("trust", error.message);
    if (use(queue, team, strcmp(wanted, "wrong") == 0, sums, &report, &error) != 0) return 1;
    printf("%s: %d %s; team %u, %u barriers; %u %u %u %u\n", wanted, error.status, error.message, report.team,
           report.barriers, sums[0], sums[1], sums[2], sums[3]);
    mu_team_free(team);
    if (strcmp(wanted, "deadlock") == 0)
        return error.status != MU_TEAM_DEADLOCK ||
               strstr(error.message, "waited at barrier 1 on line 7 of the kernel's source") == NULL ||
               strstr(error.message, "; missing: rank") == NULL ||
               strstr(error.message, "by a return or a branch") == NULL;
    if (strcmp(wanted, "wrong") == 0) return error.status != MU_TEAM_WRONG;
    return !(error.status == MU_TEAM_OK && report.team == settings.groups && report.expected == settings.groups &&
             report.barriers == 5 && sums[0] == 499500 && sums[1] == 499500 && sums[2] == 999 && sums[3] == 999);
}
