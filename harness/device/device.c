#include "harness/device/device.h"

#include "base/plain.h"
#include "harness/device/chip_name.h"
#include "harness/device/host/watchdog.h"
#include "variants/promise.h"

#include <CL/cl_ext.h>

#include <sched.h>
#include <stdio.h>
#include <string.h>

/* Names that some <CL/cl_ext.h> lack. */
#ifndef CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR
#define CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR 0x1076
#define CL_DEVICE_KERNEL_CLOCK_SCOPE_DEVICE_KHR (1 << 0)
#endif

#define MOST_TEXT_BYTES 4096 /* that a driver may say; of more nothing is read */

/* Makes two arguments of a query: itself, and its name for messages. */
#define MU_QUERY(what) what, #what

static int get_text(cl_device_id device, cl_device_info what, const char *query, char text[MU_NAME_BYTES],
                    struct mu_error *err)
{
    char whole[MOST_TEXT_BYTES] = "";
    size_t length = 0;
    cl_int status = clGetDeviceInfo(device, what, 0, NULL, &length);
    if (status == CL_SUCCESS && length > sizeof whole)
        return mu_fail(err, MU_DEVICE, "clGetDeviceInfo(%s) says that its text has %zu bytes", query, length);
    if (status == CL_SUCCESS) status = clGetDeviceInfo(device, what, length, whole, NULL);
    snprintf(text, MU_NAME_BYTES, "%.*s", MU_NAME_BYTES - 1, whole);
    mu_make_plain(text, ""); /* for people, records and titles; it may have been cut off here */
    return mu_cl_check(status, "clGetDeviceInfo", err);
}

static int get_platform_text(cl_platform_id platform, cl_platform_info what, const char *query,
                             char text[MU_NAME_BYTES], struct mu_error *err)
{
    char whole[MOST_TEXT_BYTES] = "";
    size_t length = 0;
    cl_int status = clGetPlatformInfo(platform, what, 0, NULL, &length);
    if (status == CL_SUCCESS && length > sizeof whole)
        return mu_fail(err, MU_DEVICE, "clGetPlatformInfo(%s) says that its text has %zu bytes", query, length);
    if (status == CL_SUCCESS) status = clGetPlatformInfo(platform, what, length, whole, NULL);
    snprintf(text, MU_NAME_BYTES, "%.*s", MU_NAME_BYTES - 1, whole);
    mu_make_plain(text, "");
    return mu_cl_check(status, "clGetPlatformInfo", err);
}

/* Reads the device's model (chip_name.h). */
static int get_model(cl_device_id device, const char *version, char model[MU_NAME_BYTES], struct mu_error *err)
{
    char name[MU_NAME_BYTES], board[MU_NAME_BYTES] = "";
    struct mu_error ignored = {0};
    if (get_text(device, MU_QUERY(CL_DEVICE_NAME), name, err) != MU_OK) return err->status;
    if (mu_device_has_extension(device, "cl_amd_device_attribute_query") &&
        get_text(device, MU_QUERY(CL_DEVICE_BOARD_NAME_AMD), board, &ignored) != MU_OK)
        board[0] = '\0';
    mu_device_model(name, version, board, model, MU_NAME_BYTES);
    return MU_OK;
}

/* Numbers that a device tells of itself, and their ranges. No device has less than the least or, by an order of
 * magnitude, more than the most: a driver that says so is wrong. A larger number of work-items or bytes is capped. With
 * any other such value nothing can be planned, and the device is refused. */
#define MOST_BYTES ((uint64_t)1 << 50)
enum { UNITS, WORKGROUP, LOCAL, GLOBAL, ALLOCATION, TIMER, NUMBERS };
static const struct {
    cl_device_info what;
    const char *query;
    size_t bytes;
    uint64_t least, most;
    bool capped;
} numbers[NUMBERS] = {
    [UNITS] = {MU_QUERY(CL_DEVICE_MAX_COMPUTE_UNITS), sizeof(cl_uint), 1, MU_MOST_UNITS, false},
    [WORKGROUP] = {MU_QUERY(CL_DEVICE_MAX_WORK_GROUP_SIZE), sizeof(size_t), 1, 1 << 16, true},
    [LOCAL] = {MU_QUERY(CL_DEVICE_LOCAL_MEM_SIZE), sizeof(cl_ulong), 1, 1 << 30, true},
    [GLOBAL] = {MU_QUERY(CL_DEVICE_GLOBAL_MEM_SIZE), sizeof(cl_ulong), 1, MOST_BYTES, true},
    [ALLOCATION] = {MU_QUERY(CL_DEVICE_MAX_MEM_ALLOC_SIZE), sizeof(cl_ulong), 1, MOST_BYTES, true},
    [TIMER] = {MU_QUERY(CL_DEVICE_PROFILING_TIMER_RESOLUTION), sizeof(size_t), 0, 1000000000, true},
};

static int get_number(cl_device_id device, int which, uint64_t *number, struct mu_error *err)
{
    union {
        cl_uint of_32;
        cl_ulong of_64;
        size_t of_size;
    } value = {.of_64 = 0};
    const size_t bytes = numbers[which].bytes;
    const uint64_t least = numbers[which].least, most = numbers[which].most;
    if (mu_cl_check(clGetDeviceInfo(device, numbers[which].what, bytes, &value, NULL), numbers[which].query, err) !=
        MU_OK)
        return err->status;
    *number = bytes == sizeof value.of_32 ? value.of_32 : bytes == sizeof value.of_64 ? value.of_64 : value.of_size;
    if (*number > most && numbers[which].capped) *number = most;
    if (*number >= least && *number <= most) return MU_OK;
    return mu_fail(err, MU_DEVICE, "%s is %llu, which cannot be: it is from %llu to %llu", numbers[which].query,
                   (unsigned long long)*number, (unsigned long long)least, (unsigned long long)most);
}

/* Returns whether queues of the device may record event times. OpenCL demands it, and a driver that says nothing else
 * is believed. */
static bool records_event_times(cl_device_id device)
{
    cl_command_queue_properties properties = 0;
    return clGetDeviceInfo(device, CL_DEVICE_QUEUE_PROPERTIES, sizeof properties, &properties, NULL) != CL_SUCCESS ||
           (properties & CL_QUEUE_PROFILING_ENABLE) != 0;
}

static int describe_limits(cl_device_id device, struct mu_device_info *info, struct mu_error *err)
{
    cl_device_type type = 0;
    cl_device_fp_config doubles = 0;
    cl_bitfield clocks = 0;
    uint64_t found[NUMBERS] = {0};
    if (mu_cl_check(clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, NULL), "CL_DEVICE_TYPE", err) != MU_OK)
        return err->status;
    for (int i = 0; i < NUMBERS; i++)
        if (get_number(device, i, &found[i], err) != MU_OK) return err->status;
    info->kernel_clock =
        mu_device_has_extension(device, "cl_khr_kernel_clock") &&
        clGetDeviceInfo(device, CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR, sizeof clocks, &clocks, NULL) == CL_SUCCESS &&
        (clocks & CL_DEVICE_KERNEL_CLOCK_SCOPE_DEVICE_KHR) != 0;
    info->split_barrier = mu_device_has_extension(device, "cl_intel_split_work_group_barrier");
    info->native = mu_promise_of(device);
    info->has_double =
        clGetDeviceInfo(device, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof doubles, &doubles, NULL) == CL_SUCCESS && doubles;
    info->cpu = (type & CL_DEVICE_TYPE_CPU) != 0;
    info->simulator = info->cpu && (type & CL_DEVICE_TYPE_GPU) != 0;
    info->compute_units = (uint32_t)found[UNITS];
    info->max_workgroup = (uint32_t)found[WORKGROUP];
    info->local_bytes = found[LOCAL];
    info->global_bytes = found[GLOBAL];
    info->max_allocation_bytes = found[ALLOCATION];
    info->timer_ns = records_event_times(device) ? found[TIMER] : 0;
    return MU_OK;
}

bool mu_device_has_barrier(const struct mu_device_info *info, enum mu_barrier barrier)
{
    return barrier != MU_BARRIER_NATIVE || info->native != 0;
}

double mu_device_core_share(const struct mu_device_info *info)
{
    cpu_set_t cores;
    if (!info->cpu || info->compute_units == 0 || sched_getaffinity(0, sizeof cores, &cores) != 0) return 1;
    const double share = (double)CPU_COUNT(&cores) / info->compute_units;
    return share < 1 ? share : 1;
}

static void find_abilities(cl_device_id device, struct mu_device_info *info)
{
    struct mu_abilities abilities;
    mu_abilities_find(device, info->version, &abilities);
    memcpy(info->c_standard, abilities.c_standard, sizeof info->c_standard);
    memcpy(info->available, abilities.available, sizeof info->available);
    info->atomics = abilities.atomics;
    info->subgroup_paths = abilities.subgroups;
    info->ptx_fences = abilities.ptx_fences;
    snprintf(info->atomics_reason, sizeof info->atomics_reason, "%s", abilities.reason);
}

/* Finds the time after which the system ends a kernel. On the host's own processor there is none. */
static void find_watchdog(cl_device_id device, struct mu_device_info *info)
{
    cl_bool limited = CL_FALSE;
    struct mu_watched_device watched = {.vendor = info->vendor};
    info->watchdog_ms = 0;
    if (info->cpu) return;
    watched.nvidia_timeout =
        mu_device_has_extension(device, "cl_nv_device_attribute_query") &&
        clGetDeviceInfo(device, CL_DEVICE_KERNEL_EXEC_TIMEOUT_NV, sizeof limited, &limited, NULL) == CL_SUCCESS &&
        limited == CL_TRUE;
    info->watchdog_ms = mu_watchdog_find("/sys", &watched, info->watchdog, sizeof info->watchdog);
}

int mu_device_describe(cl_platform_id platform, cl_device_id device, struct mu_device_info *info, struct mu_error *err)
{
    if (get_platform_text(platform, MU_QUERY(CL_PLATFORM_NAME), info->platform, err) != MU_OK ||
        get_platform_text(platform, MU_QUERY(CL_PLATFORM_VERSION), info->platform_version, err) != MU_OK ||
        get_text(device, MU_QUERY(CL_DEVICE_VENDOR), info->vendor, err) != MU_OK ||
        get_text(device, MU_QUERY(CL_DEVICE_VERSION), info->version, err) != MU_OK ||
        get_model(device, info->version, info->name, err) != MU_OK ||
        get_text(device, MU_QUERY(CL_DRIVER_VERSION), info->driver, err) != MU_OK ||
        describe_limits(device, info, err) != MU_OK)
        return err->status;
    find_abilities(device, info);
    info->yield = info->cpu && !info->simulator ? -1 : MU_YIELD_NONE;
    find_watchdog(device, info);
    mu_device_identify(device, info);
    mu_chip_name(info, info->chip, sizeof info->chip);
    return MU_OK;
}

int mu_platform_count(uint32_t *count, struct mu_error *err)
{
    cl_uint found = 0;
    const cl_int status = clGetPlatformIDs(0, NULL, &found);
    *count = found;
    if (status == -1001) *count = 0; /* the loader's word for "no vendor files" */
    return status == -1001 ? MU_OK : mu_cl_check(status, "clGetPlatformIDs", err);
}

static int find_platform(uint32_t platform_index, cl_platform_id *platform, struct mu_error *err)
{
    cl_platform_id platforms[MU_MAX_PLATFORMS];
    cl_uint count = 0;
    if (mu_cl_check(clGetPlatformIDs(MU_MAX_PLATFORMS, platforms, &count), "clGetPlatformIDs", err) != MU_OK)
        return err->status;
    if (platform_index >= count || platform_index >= MU_MAX_PLATFORMS)
        return mu_fail(err, MU_DEVICE, "platform %u has gone", platform_index);
    *platform = platforms[platform_index];
    return MU_OK;
}

int mu_platform_name(uint32_t platform_index, char name[MU_NAME_BYTES], struct mu_error *err)
{
    cl_platform_id platform = NULL;
    if (find_platform(platform_index, &platform, err) != MU_OK) return err->status;
    return get_platform_text(platform, MU_QUERY(CL_PLATFORM_NAME), name, err);
}

static int find_devices(cl_platform_id platform, cl_device_id *devices, cl_uint *count, struct mu_error *err)
{
    const cl_int status = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, MU_MAX_DEVICES, devices, count);
    if (status == CL_DEVICE_NOT_FOUND) *count = 0;
    return status == CL_DEVICE_NOT_FOUND ? MU_OK : mu_cl_check(status, "clGetDeviceIDs", err);
}

int mu_platform_device_count(uint32_t platform_index, uint32_t *count, struct mu_error *err)
{
    cl_platform_id platform = NULL;
    cl_device_id devices[MU_MAX_DEVICES];
    cl_uint found = 0;
    if (find_platform(platform_index, &platform, err) == MU_OK && find_devices(platform, devices, &found, err) == MU_OK)
        *count = found;
    return err->status;
}

int mu_platform_device(uint32_t platform_index, uint32_t device_index, struct mu_device_info *info,
                       struct mu_error *err)
{
    cl_platform_id platform = NULL;
    cl_device_id devices[MU_MAX_DEVICES] = {NULL};
    cl_uint count = 0;
    memset(info, 0, sizeof *info);
    info->platform_index = platform_index;
    info->device_index = device_index;
    if (find_platform(platform_index, &platform, err) != MU_OK || find_devices(platform, devices, &count, err) != MU_OK)
        return err->status;
    if (device_index >= count || device_index >= MU_MAX_DEVICES)
        return mu_fail(err, MU_DEVICE, "device %u has gone", device_index);
    return mu_device_describe(platform, devices[device_index], info, err);
}

int mu_device_open(const struct mu_device_info *info, bool event_times, struct mu_target *target, struct mu_error *err)
{
    cl_platform_id platform = NULL;
    cl_device_id devices[MU_MAX_DEVICES] = {NULL};
    cl_uint count = 0;
    cl_int status;
    char name[MU_NAME_BYTES] = "", version[MU_NAME_BYTES] = "";
    memset(target, 0, sizeof *target);
    if (find_platform(info->platform_index, &platform, err) != MU_OK ||
        find_devices(platform, devices, &count, err) != MU_OK)
        return err->status;
    if (info->device_index >= count || info->device_index >= MU_MAX_DEVICES)
        return mu_fail(err, MU_DEVICE, "device '%s' has gone", info->name);
    target->device = devices[info->device_index];
    if (get_text(target->device, MU_QUERY(CL_DEVICE_VERSION), version, err) != MU_OK ||
        get_model(target->device, version, name, err) != MU_OK)
        return err->status;
    if (strcmp(name, info->name) != 0)
        return mu_fail(err, MU_DEVICE, "device '%s' has gone: '%s' is in its place", info->name, name);
    target->context = clCreateContext(NULL, 1, &target->device, NULL, NULL, &status);
    if (mu_cl_check(status, "clCreateContext", err) != MU_OK) return err->status;
    target->queue = clCreateCommandQueue(target->context, target->device,
                                         event_times && info->timer_ns != 0 ? CL_QUEUE_PROFILING_ENABLE : 0, &status);
    return mu_cl_check(status, "clCreateCommandQueue", err);
}

void mu_device_close(struct mu_target *target)
{
    if (target->queue != NULL) clReleaseCommandQueue(target->queue);
    if (target->context != NULL) clReleaseContext(target->context);
    memset(target, 0, sizeof *target);
}
