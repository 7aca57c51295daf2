/* What both examples need: a queue, a program of muster/team.clh and one's own source, and an end where a call fails.
 */
#ifndef EXAMPLES_OPEN_H
#define EXAMPLES_OPEN_H

#define CL_TARGET_OPENCL_VERSION 120
#include <muster/team.h>

#include <stdio.h>
#include <stdlib.h>

static inline void need(int right, const char *what)
{
    if (right) return;
    fprintf(stderr, "%s\n", what);
    exit(1);
}

/* The first device of the first platform. */
static inline cl_command_queue open_queue(void)
{
    cl_platform_id platform;
    cl_device_id device;
    cl_int status = clGetPlatformIDs(1, &platform, NULL);
    need(status == CL_SUCCESS && clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) == CL_SUCCESS,
         "there is no OpenCL device");
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

static inline cl_kernel build_kernel(cl_command_queue queue, const struct mu_team *team, const char *source,
                                     const char *name)
{
    const char *texts[] = {mu_team_source(), source};
    char log[4096] = "";
    cl_device_id device = NULL;
    cl_int status;
    need(clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL) == CL_SUCCESS, "the device");
    cl_program program = clCreateProgramWithSource(context_of(queue), 2, texts, NULL, &status);
    need(status == CL_SUCCESS, "clCreateProgramWithSource");
    status = clBuildProgram(program, 1, &device, mu_team_options(team), NULL, NULL);
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
    need(status == CL_SUCCESS, log);
    cl_kernel kernel = clCreateKernel(program, name, &status);
    need(status == CL_SUCCESS, name);
    return kernel;
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
