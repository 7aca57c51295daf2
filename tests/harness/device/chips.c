/* A layer between muster and the OpenCL loader that makes PoCL look like another chip, for tests/harness/device/zoo.sh,
 * which has it loaded by LD_PRELOAD. MU_CHIP names a row of the table, and MU_CHIP_2 another for every second
 * device of a platform. What it says are lies that PoCL can bear: fewer
 * features, smaller limits, other names; and with MU_WATCHDOG_MS=N a watchdog, which ends a launch that takes longer
 * than N ms, by an error, or with MU_WATCHDOG_KILLS=1 by ending the process. How such a chip schedules workgroups, and
 * in which order its memory is seen, no row shows. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE    /* NOLINT(clang-diagnostic-reserved-macro-identifier): the C library's, for                     \
                          RTLD_NEXT */
#endif
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct chip {
    const char *name, *device, *vendor, *version, *c_version;
    cl_device_type type;
    size_t workgroup;
    cl_ulong local_bytes;
    cl_uint units; /* 0: as PoCL says */
    bool doubles;
    bool features; /* of OpenCL 3.0: what it offers can be asked for */
    bool clock;    /* cl_khr_kernel_clock, which is the processor's counter */
    bool untimed;  /* no queue records event times */
};

static const struct chip chips[] = {
    {"mali", "Mali-T628", "ARM", "OpenCL 1.2 v1.r12p0", "OpenCL C 1.2", CL_DEVICE_TYPE_GPU, 256, 32768, 0, false, false,
     false, false},
    {"radeon", "gfx1030", "Advanced Micro Devices, Inc.", "OpenCL 1.2 AMD-APP", "OpenCL C 1.2 ", CL_DEVICE_TYPE_GPU,
     256, 65536, 0, true, false, false, false},
    {"arc", "Intel(R) Arc(TM) A770 Graphics", "Intel(R) Corporation", "OpenCL 3.0 NEO ", "OpenCL C 1.2 ",
     CL_DEVICE_TYPE_GPU, 512, 65536, 0, false, true, false, false},
    {"one", "llvmpipe", "Mesa", "OpenCL 1.2 ", "OpenCL C 1.2 ", CL_DEVICE_TYPE_CPU, 64, 16384, 1, false, false, false,
     true},
    {"clock", "clocked", "ARM", "OpenCL 3.0 ", "OpenCL C 1.2 ", CL_DEVICE_TYPE_CPU, 256, 32768, 0, false, true, true,
     false},
    /* Unlike devices of one short name. */
    {"ours", "Card 9", "Mesa", "OpenCL 3.0 ", "OpenCL C 1.2 ", CL_DEVICE_TYPE_CPU, 256, 32768, 0, false, true, false,
     false},
    {"theirs", "Card 9", "ARM", "OpenCL 3.0 ", "OpenCL C 1.2 ", CL_DEVICE_TYPE_CPU, 256, 32768, 0, false, true, false,
     false},
};

static const struct chip *find(const char *name)
{
    for (size_t i = 0; name != NULL && i < sizeof chips / sizeof chips[0]; i++)
        if (strcmp(chips[i].name, name) == 0) return &chips[i];
    return NULL;
}

static const struct chip *chosen(void)
{
    return find(getenv("MU_CHIP"));
}

typedef cl_int (*get_info)(cl_device_id, cl_device_info, size_t, void *, size_t *);

static const struct chip *chosen_for(get_info real, cl_device_id device)
{
    const char *second = getenv("MU_CHIP_2");
    cl_platform_id platform = NULL;
    enum { MOST = 8 };
    cl_device_id ids[MOST] = {NULL};
    size_t at = 0;
    if (second == NULL) return chosen();
    real(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL);
    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, MOST, ids, NULL);
    while (at < MOST && ids[at] != device) at++;
    return at % 2 == 1 ? find(second) : chosen();
}

static cl_int put(const void *bytes, size_t count, size_t room, void *value, size_t *length)
{
    if (length != NULL) *length = count;
    if (value != NULL && room < count) return CL_INVALID_VALUE;
    if (value != NULL) memcpy(value, bytes, count);
    return CL_SUCCESS;
}

#define CLOCK_CAPABILITIES 0x1076 /* not in every <CL/cl_ext.h> */
static const char clock_extension[] = " cl_khr_kernel_clock";

/* The list of extensions, in which those that the chip has not have other names. */
static cl_int put_extensions(const struct chip *chip, get_info real, cl_device_id device, size_t room, void *value,
                             size_t *length)
{
    const char *const hidden[] = {chip->doubles ? NULL : "cl_khr_fp64", chip->features ? NULL : "cl_khr_subgroups"};
    size_t bytes = 0;
    if (real(device, CL_DEVICE_EXTENSIONS, 0, NULL, &bytes) != CL_SUCCESS) return CL_INVALID_VALUE;
    char *list = calloc(bytes + 1, 1);
    if (list == NULL) return CL_OUT_OF_HOST_MEMORY;
    cl_int status = real(device, CL_DEVICE_EXTENSIONS, bytes, list, NULL);
    for (size_t i = 0; i < sizeof hidden / sizeof hidden[0]; i++)
        for (char *at = hidden[i] != NULL ? strstr(list, hidden[i]) : NULL; at != NULL; at = strstr(list, hidden[i]))
            memcpy(at, "cl_xxx", strlen("cl_xxx"));
    if (chip->clock) {
        char *longer = realloc(list, bytes + sizeof clock_extension);
        if (longer != NULL) {
            list = longer;
            memcpy(list + strlen(list), clock_extension, sizeof clock_extension);
        }
        bytes = strlen(list) + 1;
    }
    if (status == CL_SUCCESS) status = put(list, bytes, room, value, length);
    free(list);
    return status;
}

cl_int clGetDeviceInfo(cl_device_id device, cl_device_info what, size_t room, void *value, size_t *length)
{
    static const cl_device_fp_config no_doubles = 0;
    static const cl_command_queue_properties no_times = 0;
    const get_info real = (get_info)dlsym(RTLD_NEXT, "clGetDeviceInfo");
    const struct chip *chip = chosen_for(real, device);
    if (chip == NULL) return real(device, what, room, value, length);
    switch (what) {
    case CL_DEVICE_QUEUE_PROPERTIES:
        if (!chip->untimed) break;
        return put(&no_times, sizeof no_times, room, value, length);
    case CL_DEVICE_TYPE:
        return put(&chip->type, sizeof chip->type, room, value, length);
    case CL_DEVICE_NAME:
        return put(chip->device, strlen(chip->device) + 1, room, value, length);
    case CL_DEVICE_VENDOR:
        return put(chip->vendor, strlen(chip->vendor) + 1, room, value, length);
    case CL_DEVICE_VERSION:
        return put(chip->version, strlen(chip->version) + 1, room, value, length);
    case CL_DEVICE_OPENCL_C_VERSION:
        return put(chip->c_version, strlen(chip->c_version) + 1, room, value, length);
    case CL_DEVICE_MAX_WORK_GROUP_SIZE:
        return put(&chip->workgroup, sizeof chip->workgroup, room, value, length);
    case CL_DEVICE_MAX_WORK_ITEM_SIZES: {
        const size_t sizes[] = {chip->workgroup, chip->workgroup, chip->workgroup};
        return put(sizes, sizeof sizes, room, value, length);
    }
    case CL_DEVICE_LOCAL_MEM_SIZE:
        return put(&chip->local_bytes, sizeof chip->local_bytes, room, value, length);
    case CL_DEVICE_MAX_COMPUTE_UNITS:
        if (chip->units == 0) break;
        return put(&chip->units, sizeof chip->units, room, value, length);
    case CL_DEVICE_DOUBLE_FP_CONFIG:
        if (chip->doubles) break;
        return put(&no_doubles, sizeof no_doubles, room, value, length);
    case CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES:
    case CL_DEVICE_OPENCL_C_ALL_VERSIONS:
    case CL_DEVICE_OPENCL_C_FEATURES:
    case CL_DEVICE_SVM_CAPABILITIES:
        if (chip->features) break;
        return CL_INVALID_VALUE;
    case CLOCK_CAPABILITIES: {
        static const cl_bitfield device_scope = 1;
        if (!chip->clock) break;
        return put(&device_scope, sizeof device_scope, room, value, length);
    }
    case CL_DEVICE_EXTENSIONS:
        return put_extensions(chip, real, device, room, value, length);
    default:
        break;
    }
    return real(device, what, room, value, length);
}

/* ---- Event times ---- */

cl_command_queue clCreateCommandQueue(cl_context context, cl_device_id device, cl_command_queue_properties properties,
                                      cl_int *status)
{
    typedef cl_command_queue (*create)(cl_context, cl_device_id, cl_command_queue_properties, cl_int *);
    const create real = (create)dlsym(RTLD_NEXT, "clCreateCommandQueue");
    const struct chip *chip = chosen();
    if (chip == NULL || !chip->untimed || (properties & CL_QUEUE_PROFILING_ENABLE) == 0)
        return real(context, device, properties, status);
    if (status != NULL) *status = CL_INVALID_QUEUE_PROPERTIES;
    return NULL;
}

/* ---- A clock ---- */

cl_program clCreateProgramWithSource(cl_context context, cl_uint count, const char **texts, const size_t *lengths,
                                     cl_int *status)
{
    typedef cl_program (*create)(cl_context, cl_uint, const char **, const size_t *, cl_int *);
    enum { MOST = 64 };
    static const char clock_read[] = "#define clock_read_device() ((ulong)__builtin_readcyclecounter())\n";
    const create real = (create)dlsym(RTLD_NEXT, "clCreateProgramWithSource");
    const struct chip *chip = chosen();
    const char *more[MOST] = {clock_read};
    size_t more_lengths[MOST] = {0};
    if (chip == NULL || !chip->clock || count >= MOST) return real(context, count, texts, lengths, status);
    for (cl_uint i = 0; i < count; i++) {
        more[i + 1] = texts[i];
        more_lengths[i + 1] = lengths != NULL ? lengths[i] : 0;
    }
    return real(context, count + 1, more, more_lengths, status);
}

/* ---- A watchdog ---- */

/* When the last launch was, of the kernel that may be long; 0: of another. PoCL compiles others while they are waited
 * for, which is no time of theirs. */
static uint64_t launched_ns;

static uint64_t now_ns(void)
{
    struct timespec now = {0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset,
                              const size_t *items, const size_t *workgroup, cl_uint count, const cl_event *before,
                              cl_event *event)
{
    typedef cl_int (*enqueue)(cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *, const size_t *,
                              cl_uint, const cl_event *, cl_event *);
    const enqueue real = (enqueue)dlsym(RTLD_NEXT, "clEnqueueNDRangeKernel");
    char name[64] = "";
    clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL);
    launched_ns = strcmp(name, "probe_watched") == 0 ? now_ns() : 0;
    return real(queue, kernel, dimensions, offset, items, workgroup, count, before, event);
}

/* What is launched ends with an error where it took longer than the watchdog allows. */
cl_int clFinish(cl_command_queue queue)
{
    typedef cl_int (*finish)(cl_command_queue);
    const finish real = (finish)dlsym(RTLD_NEXT, "clFinish");
    const char *ms = getenv("MU_WATCHDOG_MS");
    const cl_int status = real(queue);
    const uint64_t took_ns = now_ns() - launched_ns;
    if (ms == NULL || launched_ns == 0 || took_ns < strtoull(ms, NULL, 10) * 1000000u) return status;
    if (getenv("MU_WATCHDOG_KILLS") != NULL) abort();
    return CL_OUT_OF_RESOURCES;
}
