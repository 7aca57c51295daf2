/* A layer between muster and the OpenCL loader that goes wrong, for tests/harness/device/faults.sh, which has it loaded
 * by LD_PRELOAD. MU_FAULT=CALL:KIND says which call goes wrong, and how:
 *
 *   hang     it never returns
 *   crash    it ends the process by a signal
 *   exit     it ends the process
 *   error    it fails, with a status of OpenCL
 *   garbage  it succeeds, and what it gives is not what it should be; or its status is no status
 *
 * MU_FAULT_LOG=FILE: each call is noted there, a line each. MU_LIE=devices: each platform shows a second device, which
 * is dead; MU_LIE=many: it shows a thousand; MU_LIE=units: 2^32-1 compute units; MU_LIE=clock: a command ends 2^64-1 ns
 * after it began; MU_LIE=more: it shows twice as many compute units as there are. MU_LIE=early: a barrier of litmus
 * tests is compiled so that its group arrives before all of it have written; MU_LIE=late: what litmus test MP stores
 * before its release comes too late for the launch. MU_LIE=kept: the platform has another name, so that muster keeps
 * its programs. MU_LIE=native: the device promises that workgroups run at once, and has a barrier of them that is good
 * for one; MU_LIE=refuses: it does, and refuses such launches. MU_LIE=slow: a read that is not waited for is not done
 * before somebody asks for its state. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE    /* NOLINT(clang-diagnostic-reserved-macro-identifier): the C library's, for                     \
                          RTLD_NEXT */
#endif
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum fault { RIGHT, ERROR, GARBAGE };

#define GARBAGE_STATUS  12345
#define GARBAGE_POINTER ((void *)(uintptr_t)0x5a5a5a50)
#define GARBAGE_BYTE    0xa5

static void note(const char *call)
{
    const char *name = getenv("MU_FAULT_LOG");
    const int file = name != NULL ? open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
    if (file < 0) return;
    dprintf(file, "%s\n", call);
    close(file);
}

/* A read that waits for an event of the layer's own; NULL: none does. */
static cl_event gate;

static void close_gate(cl_command_queue queue)
{
    static __typeof__(&clGetCommandQueueInfo) info;
    static __typeof__(&clCreateUserEvent) create;
    cl_context context = NULL;
    if (info == NULL) info = (__typeof__(&clGetCommandQueueInfo))dlsym(RTLD_NEXT, "clGetCommandQueueInfo");
    if (create == NULL) create = (__typeof__(&clCreateUserEvent))dlsym(RTLD_NEXT, "clCreateUserEvent");
    if (info(queue, CL_QUEUE_CONTEXT, sizeof(cl_context), &context, NULL) == CL_SUCCESS) gate = create(context, NULL);
}

static void open_gate(void)
{
    static __typeof__(&clSetUserEventStatus) set;
    static __typeof__(&clReleaseEvent) release;
    if (gate == NULL) return;
    if (set == NULL) set = (__typeof__(&clSetUserEventStatus))dlsym(RTLD_NEXT, "clSetUserEventStatus");
    if (release == NULL) release = (__typeof__(&clReleaseEvent))dlsym(RTLD_NEXT, "clReleaseEvent");
    set(gate, CL_COMPLETE);
    release(gate);
    gate = NULL;
}

/* What is to go wrong with this call. */
static enum fault begin(const char *call)
{
    const char *fault = getenv("MU_FAULT");
    const size_t length = strlen(call);
    note(call);
    if (strcmp(call, "clFlush") != 0) open_gate();
    if (fault == NULL || strncmp(fault, call, length) != 0 || fault[length] != ':') return RIGHT;
    const char *kind = fault + length + 1;
    while (strcmp(kind, "hang") == 0) pause();
    if (strcmp(kind, "crash") == 0) abort();
    if (strcmp(kind, "exit") == 0) _exit(0);
    return strcmp(kind, "error") == 0 ? ERROR : GARBAGE;
}

static bool concurrent; /* a launch of workgroups at once has been asked for */

static bool lies(const char *how)
{
    const char *lie = getenv("MU_LIE");
    return lie != NULL && strcmp(lie, how) == 0;
}

#define ALONE(name)                                                                                                    \
    static __typeof__(&name) real;                                                                                     \
    const enum fault fault = begin(#name);                                                                             \
    if (real == NULL) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name);

/* Calls that return a status. */
#define STATUS(name, parameters, arguments)                                                                            \
    cl_int name parameters                                                                                             \
    {                                                                                                                  \
        ALONE(name)                                                                                                    \
        return fault == ERROR ? CL_OUT_OF_RESOURCES : fault == GARBAGE ? GARBAGE_STATUS : real arguments;              \
    }

/* Calls that return an object, and a status by their last parameter. */
#define OBJECT(type, name, parameters, arguments)                                                                      \
    type name parameters                                                                                               \
    {                                                                                                                  \
        ALONE(name)                                                                                                    \
        if (fault == RIGHT) return real arguments;                                                                     \
        if (status != NULL) *status = fault == ERROR ? CL_OUT_OF_RESOURCES : CL_SUCCESS;                               \
        return fault == ERROR ? NULL : GARBAGE_POINTER;                                                                \
    }

/* Calls that tell something of a size. */
static cl_int spoil(cl_int status, size_t bytes, void *value, size_t *told)
{
    if (value != NULL) memset(value, GARBAGE_BYTE, bytes);
    if (told != NULL) *told = SIZE_MAX;
    return status;
}
#define INFO(name, parameters, arguments)                                                                              \
    cl_int name parameters                                                                                             \
    {                                                                                                                  \
        ALONE(name)                                                                                                    \
        if (fault == ERROR) return CL_OUT_OF_RESOURCES;                                                                \
        const cl_int status = real arguments;                                                                          \
        return fault == GARBAGE ? spoil(status, bytes, value, told) : status;                                          \
    }

#define TELLS size_t bytes, void *value, size_t *told
#define WAITS cl_uint count, const cl_event *events, cl_event *event

INFO(clGetCommandQueueInfo, (cl_command_queue of, cl_command_queue_info what, TELLS), (of, what, bytes, value, told))
INFO(clGetEventInfo, (cl_event of, cl_event_info what, TELLS), (of, what, bytes, value, told))
INFO(clGetKernelInfo, (cl_kernel of, cl_kernel_info what, TELLS), (of, what, bytes, value, told))
INFO(clGetProgramInfo, (cl_program of, cl_program_info what, TELLS), (of, what, bytes, value, told))
INFO(clGetKernelWorkGroupInfo, (cl_kernel of, cl_device_id device, cl_kernel_work_group_info what, TELLS),
     (of, device, what, bytes, value, told))
INFO(clGetKernelSubGroupInfo,
     (cl_kernel of, cl_device_id device, cl_kernel_sub_group_info what, size_t size, const void *about, TELLS),
     (of, device, what, size, about, bytes, value, told))
INFO(clGetProgramBuildInfo, (cl_program of, cl_device_id device, cl_program_build_info what, TELLS),
     (of, device, what, bytes, value, told))

cl_int clGetPlatformInfo(cl_platform_id of, cl_platform_info what, TELLS)
{
    ALONE(clGetPlatformInfo)
    if (fault == ERROR) return CL_OUT_OF_RESOURCES;
    const cl_int status = real(of, what, bytes, value, told);
    if (what == CL_PLATFORM_NAME && lies("kept") && value != NULL && bytes > 0) *(char *)value = 'K';
    return fault == GARBAGE ? spoil(status, bytes, value, told) : status;
}

static bool promises(void)
{
    return lies("native") || lies("refuses");
}

/* The device's extensions with that of launches of workgroups at once. */
static cl_int tell_extensions(size_t bytes, char *value, size_t *told)
{
    static const char list[] = "cl_intel_concurrent_dispatch";
    if (told != NULL) *told = sizeof list;
    if (value != NULL && bytes < sizeof list) return CL_INVALID_VALUE;
    if (value != NULL) memcpy(value, list, sizeof list);
    return CL_SUCCESS;
}

cl_int clGetDeviceInfo(cl_device_id of, cl_device_info what, TELLS)
{
    ALONE(clGetDeviceInfo)
    if (fault == ERROR) return CL_OUT_OF_RESOURCES;
    if (what == CL_DEVICE_EXTENSIONS && promises() && fault == RIGHT) return tell_extensions(bytes, value, told);
    const cl_int status = real(of, what, bytes, value, told);
    if (what == CL_DEVICE_MAX_COMPUTE_UNITS && lies("units") && bytes == sizeof(cl_uint)) memset(value, 0xff, bytes);
    if (what == CL_DEVICE_MAX_COMPUTE_UNITS && lies("more") && bytes == sizeof(cl_uint)) *(cl_uint *)value *= 2;
    return fault == GARBAGE ? spoil(status, bytes, value, told) : status;
}

cl_int clGetEventProfilingInfo(cl_event of, cl_profiling_info what, TELLS)
{
    ALONE(clGetEventProfilingInfo)
    if (fault == ERROR) return CL_OUT_OF_RESOURCES;
    const cl_int status = real(of, what, bytes, value, told);
    if (lies("clock") && value != NULL) memset(value, what == CL_PROFILING_COMMAND_END ? 0xff : 0, bytes);
    return fault == GARBAGE ? spoil(status, bytes, value, told) : status;
}

cl_int clGetPlatformIDs(cl_uint room, cl_platform_id *platforms, cl_uint *found)
{
    ALONE(clGetPlatformIDs)
    if (fault == ERROR) return CL_OUT_OF_RESOURCES;
    const cl_int status = real(room, platforms, found);
    for (cl_uint i = 0; fault == GARBAGE && platforms != NULL && i < room; i++) platforms[i] = GARBAGE_POINTER;
    if (fault == GARBAGE && found != NULL) *found = UINT32_MAX;
    return status;
}

cl_int clGetDeviceIDs(cl_platform_id platform, cl_device_type type, cl_uint room, cl_device_id *devices, cl_uint *found)
{
    ALONE(clGetDeviceIDs)
    if (fault == ERROR) return CL_OUT_OF_RESOURCES;
    const cl_int status = real(platform, type, room, devices, found);
    for (cl_uint i = 0; fault == GARBAGE && devices != NULL && i < room; i++) devices[i] = GARBAGE_POINTER;
    if (fault == GARBAGE && found != NULL) *found = UINT32_MAX;
    if (fault != RIGHT || status != CL_SUCCESS || (!lies("devices") && !lies("many"))) return status;
    for (cl_uint i = 1; devices != NULL && i < room; i++) devices[i] = NULL;
    if (found != NULL) *found = lies("many") ? 1000 : 2;
    return status;
}

cl_int clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset, size_t bytes,
                           void *to, WAITS)
{
    ALONE(clEnqueueReadBuffer)
    if (fault == ERROR) return CL_OUT_OF_RESOURCES;
    if (lies("slow") && !blocking && event != NULL && count == 0) close_gate(queue);
    const cl_int status = gate != NULL ? real(queue, buffer, blocking, offset, bytes, to, 1, &gate, event)
                                       : real(queue, buffer, blocking, offset, bytes, to, count, events, event);
    if (fault == GARBAGE) memset(to, GARBAGE_BYTE, bytes);
    return status;
}

STATUS(clBuildProgram,
       (cl_program program, cl_uint count, const cl_device_id *devices, const char *options,
        void(CL_CALLBACK *notify)(cl_program, void *), void *data),
       (program, count, devices, options, notify, data))
STATUS(clCreateKernelsInProgram, (cl_program program, cl_uint room, cl_kernel *kernels, cl_uint *found),
       (program, room, kernels, found))
STATUS(clEnqueueCopyBuffer,
       (cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset, size_t to_offset, size_t bytes, WAITS),
       (queue, from, to, from_offset, to_offset, bytes, count, events, event))
STATUS(clEnqueueFillBuffer,
       (cl_command_queue queue, cl_mem buffer, const void *pattern, size_t pattern_bytes, size_t offset, size_t bytes,
        WAITS),
       (queue, buffer, pattern, pattern_bytes, offset, bytes, count, events, event))
cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset,
                              const size_t *global, const size_t *local, WAITS)
{
    ALONE(clEnqueueNDRangeKernel)
    if (fault == GARBAGE) return GARBAGE_STATUS;
    if (fault == ERROR || (concurrent && lies("refuses"))) return CL_OUT_OF_RESOURCES;
    return real(queue, kernel, dimensions, offset, global, local, count, events, event);
}
STATUS(clEnqueueUnmapMemObject, (cl_command_queue queue, cl_mem buffer, void *mapped, WAITS),
       (queue, buffer, mapped, count, events, event))
STATUS(clEnqueueWriteBuffer,
       (cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset, size_t bytes, const void *from, WAITS),
       (queue, buffer, blocking, offset, bytes, from, count, events, event))
STATUS(clEnqueueWriteBufferRect,
       (cl_command_queue queue, cl_mem buffer, cl_bool blocking, const size_t *buffer_origin, const size_t *host_origin,
        const size_t *region, size_t buffer_row, size_t buffer_slice, size_t host_row, size_t host_slice,
        const void *from, WAITS),
       (queue, buffer, blocking, buffer_origin, host_origin, region, buffer_row, buffer_slice, host_row, host_slice,
        from, count, events, event))
STATUS(clFinish, (cl_command_queue queue), (queue))
STATUS(clFlush, (cl_command_queue queue), (queue))
STATUS(clReleaseCommandQueue, (cl_command_queue queue), (queue))
STATUS(clReleaseContext, (cl_context context), (context))
STATUS(clReleaseEvent, (cl_event event), (event))
STATUS(clReleaseKernel, (cl_kernel kernel), (kernel))
STATUS(clReleaseMemObject, (cl_mem buffer), (buffer))
STATUS(clReleaseProgram, (cl_program program), (program))
cl_int clSetKernelExecInfo(cl_kernel kernel, cl_kernel_exec_info what, size_t bytes, const void *value)
{
    ALONE(clSetKernelExecInfo)
    if (fault != RIGHT) return fault == ERROR ? CL_OUT_OF_RESOURCES : GARBAGE_STATUS;
    concurrent = promises();
    return concurrent ? CL_SUCCESS : real(kernel, what, bytes, value);
}
STATUS(clSetKernelArg, (cl_kernel kernel, cl_uint index, size_t bytes, const void *value),
       (kernel, index, bytes, value))

OBJECT(cl_mem, clCreateBuffer, (cl_context context, cl_mem_flags flags, size_t bytes, void *host, cl_int *status),
       (context, flags, bytes, host, status))
OBJECT(cl_mem, clCreateSubBuffer,
       (cl_mem buffer, cl_mem_flags flags, cl_buffer_create_type type, const void *region, cl_int *status),
       (buffer, flags, type, region, status))
OBJECT(cl_command_queue, clCreateCommandQueue,
       (cl_context context, cl_device_id device, cl_command_queue_properties properties, cl_int *status),
       (context, device, properties, status))
OBJECT(cl_context, clCreateContext,
       (const cl_context_properties *properties, cl_uint count, const cl_device_id *devices,
        void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *data, cl_int *status),
       (properties, count, devices, notify, data, status))
OBJECT(cl_kernel, clCreateKernel, (cl_program program, const char *name, cl_int *status), (program, name, status))
OBJECT(cl_program, clCreateProgramWithBinary,
       (cl_context context, cl_uint count, const cl_device_id *devices, const size_t *lengths,
        const unsigned char **binaries, cl_int *each, cl_int *status),
       (context, count, devices, lengths, binaries, each, status))
/* A compiler that is wrong: what it makes of the sources is as if they were these. */
static void miscompile(char *text)
{
    char *barrier = lies("early") && strstr(text, "litmus_barrier") != NULL ? strstr(text, "void mu_barrier(") : NULL;
    char *group = barrier != NULL ? strstr(barrier, "GROUP_BARRIER();") : NULL;
    char *store = lies("late") ? strstr(text, "STORE(relaxed, x)") : NULL;
    if (group != NULL) memset(group, ' ', strlen("GROUP_BARRIER();"));
    if (store != NULL) memset(store, ' ', strlen("STORE(relaxed, x)"));
}

/* The barrier of a launch of one workgroup, behind the sources that only declare it. */
static const char barrier_of_one[] =
    "\n#ifdef MU_NATIVE_MEET\n"
    "void __attribute__((overloadable)) intel_device_barrier(cl_mem_fence_flags flags, memory_scope scope)\n"
    "{ barrier(flags); }\n"
    "bool __attribute__((overloadable)) intel_is_device_barrier_valid(void) { return true; }\n#endif\n";

cl_program clCreateProgramWithSource(cl_context context, cl_uint count, const char **texts, const size_t *lengths,
                                     cl_int *status)
{
    ALONE(clCreateProgramWithSource)
    size_t bytes = sizeof barrier_of_one;
    if (status != NULL) *status = fault == ERROR ? CL_OUT_OF_RESOURCES : CL_SUCCESS;
    if (fault != RIGHT) return fault == ERROR ? NULL : GARBAGE_POINTER;
    if (!lies("early") && !lies("late") && !promises()) return real(context, count, texts, lengths, status);
    for (cl_uint i = 0; i < count; i++) bytes += lengths != NULL && lengths[i] != 0 ? lengths[i] : strlen(texts[i]);
    char *all = calloc(bytes, 1);
    for (cl_uint i = 0; all != NULL && i < count; i++)
        strncat(all, texts[i], lengths != NULL && lengths[i] != 0 ? lengths[i] : strlen(texts[i]));
    if (all == NULL) abort();
    if (promises()) memcpy(all + strlen(all), barrier_of_one, sizeof barrier_of_one);
    miscompile(all);
    const char *text = all;
    const cl_program program = real(context, 1, &text, NULL, status);
    free(all);
    return program;
}
OBJECT(void *, clEnqueueMapBuffer,
       (cl_command_queue queue, cl_mem buffer, cl_bool blocking, cl_map_flags flags, size_t offset, size_t bytes, WAITS,
        cl_int *status),
       (queue, buffer, blocking, flags, offset, bytes, count, events, event, status))

void *clSVMAlloc(cl_context context, cl_svm_mem_flags flags, size_t bytes, cl_uint alignment)
{
    ALONE(clSVMAlloc)
    return fault == ERROR ? NULL : fault == GARBAGE ? GARBAGE_POINTER : real(context, flags, bytes, alignment);
}

void clSVMFree(cl_context context, void *memory)
{
    ALONE(clSVMFree)
    if (fault == RIGHT) real(context, memory);
}

static cl_int tell_groups(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset,
                          const size_t *local, size_t *count)
{
    (void)queue, (void)kernel, (void)dimensions, (void)offset, (void)local;
    *count = 1;
    return CL_SUCCESS;
}

/* Garbage is a function that tells nothing: one that is none would end the process as crash does. */
static cl_int tell_nothing(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset,
                           const size_t *local, size_t *count)
{
    (void)queue, (void)kernel, (void)dimensions, (void)offset, (void)local, (void)count;
    return GARBAGE_STATUS;
}

void *clGetExtensionFunctionAddressForPlatform(cl_platform_id platform, const char *name)
{
    ALONE(clGetExtensionFunctionAddressForPlatform)
    const __typeof__(&tell_groups) functions[] = {tell_groups, tell_nothing};
    void *function = NULL;
    if (fault != ERROR && promises()) memcpy(&function, &functions[fault == GARBAGE], sizeof function);
    if (promises()) return function;
    return fault == ERROR ? NULL : fault == GARBAGE ? GARBAGE_POINTER : real(platform, name);
}
