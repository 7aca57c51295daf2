/* What the examples need: a queue, a program of muster/team.clh and one's own source, and an end where a call fails. */
#ifndef EXAMPLES_OPEN_H
#define EXAMPLES_OPEN_H

#define CL_TARGET_OPENCL_VERSION 120
#define _POSIX_C_SOURCE          199309L
#include <muster/team.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static inline void need(int right, const char *what)
{
    if (right) return;
    fprintf(stderr, "%s\n", what);
    exit(1);
}

/* The first GPU, or where there is none, the first device. */
static inline cl_device_id find_device(void)
{
    static const cl_device_type types[] = {CL_DEVICE_TYPE_GPU, CL_DEVICE_TYPE_ALL};
    cl_platform_id platforms[16];
    cl_device_id device = NULL;
    cl_uint count = 0;
    need(clGetPlatformIDs(16, platforms, &count) == CL_SUCCESS, "there is no OpenCL platform");
    for (int type = 0; type < 2; type++)
        for (cl_uint i = 0; i < count && i < 16; i++)
            if (clGetDeviceIDs(platforms[i], types[type], 1, &device, NULL) == CL_SUCCESS) return device;
    need(0, "there is no OpenCL device");
    return device;
}

static inline cl_command_queue open_queue(void)
{
    cl_device_id device = find_device();
    cl_int status;
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    need(status == CL_SUCCESS, "clCreateContext");
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
    need(status == CL_SUCCESS, "clCreateCommandQueue");
    return queue;
}

static inline cl_context context_of(cl_command_queue queue)
{
    cl_context context = NULL;
    need(clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL) == CL_SUCCESS, "the context");
    return context;
}

static inline cl_device_id device_of(cl_command_queue queue)
{
    cl_device_id device = NULL;
    need(clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL) == CL_SUCCESS, "the device");
    return device;
}

/* With options of one's own behind those of the team, or "". */
static inline cl_program build_program(cl_command_queue queue, const struct mu_team *team, const char *source,
                                       const char *own_options)
{
    const char *texts[] = {mu_team_source(), source};
    char options[1024], log[4096] = "";
    cl_device_id device = device_of(queue);
    cl_int status;
    const int length = snprintf(options, sizeof options, "%s %s", mu_team_options(team), own_options);
    need(length > 0 && (size_t)length < sizeof options, "too many options");
    cl_program program = clCreateProgramWithSource(context_of(queue), 2, texts, NULL, &status);
    need(status == CL_SUCCESS, "clCreateProgramWithSource");
    status = clBuildProgram(program, 1, &device, options, NULL, NULL);
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
    need(status == CL_SUCCESS, log);
    return program;
}

static inline cl_kernel kernel_of(cl_program program, const char *name)
{
    cl_int status;
    cl_kernel kernel = clCreateKernel(program, name, &status);
    need(status == CL_SUCCESS, name);
    return kernel;
}

static inline cl_kernel build_kernel(cl_command_queue queue, const struct mu_team *team, const char *source,
                                     const char *name)
{
    return kernel_of(build_program(queue, team, source, ""), name);
}

static inline double now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* A buffer that begins as a copy of `host`, or unset if that is NULL; it is the kernel's argument of that number. */
static inline cl_mem argument(cl_command_queue queue, cl_kernel kernel, cl_uint number, size_t bytes, void *host)
{
    cl_int status;
    cl_mem buffer = clCreateBuffer(context_of(queue), CL_MEM_READ_WRITE | (host != NULL ? CL_MEM_COPY_HOST_PTR : 0),
                                   bytes, host, &status);
    need(status == CL_SUCCESS && clSetKernelArg(kernel, number, sizeof buffer, &buffer) == CL_SUCCESS, "a buffer");
    return buffer;
}

static inline void read_buffer(cl_command_queue queue, cl_mem buffer, size_t bytes, void *host)
{
    need(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, bytes, host, 0, NULL, NULL) == CL_SUCCESS, "reading a result");
}

#endif
