#include "variants/promise.h"

#include "variants/barriers/vendors.clh"
#include "variants/launch/abilities.h"

#include <string.h>

#define INDEPENDENT_FORWARD_PROGRESS 0x105D /* CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS, OpenCL 2.1 */

struct mu_promise {
    uint32_t number;
    const char *extension, *count; /* count: the function that tells how many workgroups */
    cl_kernel_exec_info dispatch;  /* set to `concurrent` for a launch of all at once */
    cl_uint concurrent;
};

#define AS_PROMISE(number, extension, count, dispatch, concurrent) {number, extension, count, dispatch, concurrent},
static const struct mu_promise known[] = {MU_NATIVE_BARRIERS(AS_PROMISE)};

typedef cl_int (*count_function)(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset,
                                 const size_t *local, size_t *count);

uint32_t mu_promise_of(cl_device_id device)
{
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (mu_device_has_extension(device, known[i].extension)) return known[i].number;
    return 0;
}

const struct mu_promise *mu_promise_get(uint32_t number)
{
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (known[i].number == number) return &known[i];
    return NULL;
}

const char *mu_promise_name(const struct mu_promise *promise)
{
    return promise->extension;
}

int mu_promise_count(const struct mu_promise *promise, const struct mu_target *target, cl_kernel kernel, size_t items,
                     size_t *count, struct mu_error *err)
{
    cl_platform_id platform = NULL;
    count_function ask = NULL;
    cl_int status = clGetDeviceInfo(target->device, CL_DEVICE_PLATFORM, sizeof platform, (void *)&platform, NULL);
    if (mu_cl_check(status, "CL_DEVICE_PLATFORM", err) != MU_OK) return err->status;
    void *found = clGetExtensionFunctionAddressForPlatform(platform, promise->count);
    if (found == NULL) return mu_fail(err, MU_DEVICE, "%s has no function %s", promise->extension, promise->count);
    memcpy(&ask, &found, sizeof ask);
    return mu_cl_check(ask(target->queue, kernel, 1, NULL, &items, count), promise->count, err);
}

int mu_promise_dispatch(const struct mu_promise *promise, cl_kernel kernel, struct mu_error *err)
{
    cl_int status = clSetKernelExecInfo(kernel, promise->dispatch, sizeof promise->concurrent, &promise->concurrent);
    return mu_cl_check(status, "clSetKernelExecInfo of the kind of dispatch", err);
}

int mu_promise_subgroups(cl_device_id device)
{
    cl_bool says = CL_FALSE;
    if (clGetDeviceInfo(device, INDEPENDENT_FORWARD_PROGRESS, sizeof says, &says, NULL) != CL_SUCCESS) return -1;
    return says != CL_FALSE;
}
