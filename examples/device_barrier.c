/* Does a runtime keep what its concurrent dispatch promises? Launches a kernel whose workgroups meet at the runtime's
 * own barrier (extension cl_intel_concurrent_dispatch), of as many workgroups as it says may run at once, or as many as
 * are asked for, and compares what they wrote in each round.
 *
 *     cc device_barrier.c -o device_barrier -lOpenCL && ./device_barrier [GROUPS [ITEMS]]
 *
 * Ends with 0 where the barrier is right, 1 where a group saw no or old data, 2 where nothing could be tried, 3 where
 * the kernel has not ended within ten seconds. */
#define _DEFAULT_SOURCE          /* usleep */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROUNDS  100
#define SECONDS 10

typedef cl_int (*count_function)(cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *, size_t *);

static const char source[] =
    "void __attribute__((overloadable)) intel_device_barrier(cl_mem_fence_flags flags, memory_scope scope);\n"
    "bool __attribute__((overloadable)) intel_is_device_barrier_valid(void);\n"
    "kernel void meet(global volatile uint *round_of, global uint *wrong, uint rounds)\n"
    "{\n"
    "    const uint group = get_group_id(0), groups = get_num_groups(0);\n"
    "    if (!intel_is_device_barrier_valid()) { wrong[0] = 0xffffffffu; return; }\n"
    "    for (uint round = 1; round <= rounds; round++) {\n"
    "        if (get_local_id(0) == 0) round_of[group] = round;\n"
    "        intel_device_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device);\n"
    "        if (get_local_id(0) == 0)\n"
    "            for (uint i = 0; i < groups; i++)\n"
    "                if (round_of[i] != round) atomic_add(wrong, 1u);\n"
    "        intel_device_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device);\n"
    "    }\n"
    "}\n";

static void stop(const char *what, cl_int status)
{
    printf("%s: %d\n", what, status);
    exit(2);
}

static cl_device_id find_device(cl_platform_id *platform)
{
    cl_platform_id platforms[16];
    cl_uint count = 0;
    cl_int status = clGetPlatformIDs(16, platforms, &count);
    for (cl_uint i = 0; status == CL_SUCCESS && i < count && i < 16; i++) {
        cl_device_id device;
        char extensions[16384] = "";
        if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS) continue;
        clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof extensions, extensions, NULL);
        *platform = platforms[i];
        if (strstr(extensions, "cl_intel_concurrent_dispatch") != NULL) return device;
    }
    stop("no device with cl_intel_concurrent_dispatch", status);
    return NULL;
}

int main(int argc, char **argv)
{
    cl_platform_id platform;
    cl_int status, built, ended = CL_QUEUED;
    const char *text = source;
    cl_device_id device = find_device(&platform);
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    if (status != CL_SUCCESS) stop("clCreateContext", status);
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &status);
    if (status != CL_SUCCESS) stop("clCreateCommandQueueWithProperties", status);
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &status);
    built = status != CL_SUCCESS ? status : clBuildProgram(program, 1, &device, "-cl-std=CL3.0", NULL, NULL);
    if (built != CL_SUCCESS) stop("clBuildProgram", built);
    cl_kernel kernel = clCreateKernel(program, "meet", &status);
    if (status != CL_SUCCESS) stop("clCreateKernel", status);

    const size_t items = argc > 2 ? strtoul(argv[2], NULL, 10) : 64;
    size_t said = 0;
    count_function count = NULL;
    void *found = clGetExtensionFunctionAddressForPlatform(platform, "clGetKernelMaxConcurrentWorkGroupCountINTEL");
    memcpy(&count, &found, sizeof count);
    status = found != NULL ? count(queue, kernel, 1, NULL, &items, &said) : CL_INVALID_OPERATION;
    if (status != CL_SUCCESS) stop("clGetKernelMaxConcurrentWorkGroupCountINTEL", status);
    const size_t groups = argc > 1 ? strtoul(argv[1], NULL, 10) : said, all = groups * items;
    const cl_uint concurrent = 1, rounds = ROUNDS;
    cl_uint wrong = 0;
    printf("%zu workgroups of %zu work-items; the runtime says that %zu may run at once\n", groups, items, said);

    cl_mem round_of = clCreateBuffer(context, CL_MEM_READ_WRITE, groups * sizeof(cl_uint), NULL, &status);
    cl_mem result = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof wrong, &wrong, &built);
    if (status != CL_SUCCESS || built != CL_SUCCESS) stop("clCreateBuffer", status | built);
    status = clSetKernelArg(kernel, 0, sizeof round_of, &round_of) | clSetKernelArg(kernel, 1, sizeof result, &result) |
             clSetKernelArg(kernel, 2, sizeof rounds, &rounds) |
             clSetKernelExecInfo(kernel, 0x4257 /* its dispatch type */, sizeof concurrent, &concurrent);
    if (status != CL_SUCCESS) stop("clSetKernelArg, clSetKernelExecInfo", status);
    cl_event event;
    status = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &all, &items, 0, NULL, &event);
    if (status != CL_SUCCESS) stop("clEnqueueNDRangeKernel", status);
    clFlush(queue);
    for (int waits = 0; ended > CL_COMPLETE && waits < SECONDS * 100; waits++) {
        usleep(10000);
        clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof ended, &ended, NULL);
    }
    if (ended > CL_COMPLETE) {
        printf("has not ended after %d s\n", SECONDS);
        fflush(stdout);
        _exit(3);
    }
    status = ended < 0 ? ended : clEnqueueReadBuffer(queue, result, CL_TRUE, 0, sizeof wrong, &wrong, 0, NULL, NULL);
    if (status != CL_SUCCESS) stop("the kernel", status);
    printf(wrong == 0 ? "right in all rounds\n" : "%u wrong values\n", wrong);
    return wrong != 0;
}
