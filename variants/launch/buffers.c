/* The buffers of an execution: made, filled, and cached for the next one. */
#include "base/limits.h"
#include "base/memory.h"
#include "inputs/rng.h"
#include "variants/launch/execution.h"
#include "variants/teams/sync_layout.clh"

#include <inttypes.h>
#include <stdio.h>

/* Returns the number of a buffer's elements. A reduction has two parts for each workgroup. */
static uint64_t length_of(const struct mu_execution *execution, size_t buffer)
{
    const struct mu_app *app = execution->instance->app;
    if (mu_role_reduces(app->buffers[buffer].role)) return MU_PARTS + 2 * (uint64_t)execution->part_groups;
    return app->length(execution->instance, buffer);
}

/* Purposes of random numbers (inputs/rng.h). */
#define LAYOUT_ORDER   UINT64_C(0x6c61796f7264)
#define LAYOUT_OFFSETS UINT64_C(0x6c61796f6666)

/* Buffers begin at one of so many places, as far apart as the device wants the beginnings of parts of a buffer. */
#define LAYOUT_PLACES 64

/* Creates a buffer of that many bytes. With a layout it is a part of a somewhat larger one. So what depends on where
 * buffers lie shows as a difference between processes, and is not the same in all. */
static cl_mem create_buffer(const struct mu_execution *execution, size_t buffer, size_t bytes, cl_int *status)
{
    const bool input = execution->instance->app->buffers[buffer].role == MU_ROLE_INPUT;
    const cl_mem_flags flags = input ? CL_MEM_READ_ONLY : CL_MEM_READ_WRITE;
    const uint64_t stream = mu_random_stream(execution->build.layout, LAYOUT_OFFSETS);
    cl_context context = execution->target->context;
    cl_uint bits = 0;
    if (execution->build.layout == 0) return clCreateBuffer(context, flags, bytes, NULL, status);
    *status = clGetDeviceInfo(execution->target->device, CL_DEVICE_MEM_BASE_ADDR_ALIGN, sizeof bits, &bits, NULL);
    if (*status != CL_SUCCESS) return NULL;
    const size_t offset = (size_t)mu_random_below(stream, buffer, LAYOUT_PLACES) * (bits < 8 ? 1 : bits / 8);
    if (bytes > SIZE_MAX - offset) {
        *status = CL_INVALID_BUFFER_SIZE;
        return NULL;
    }
    cl_mem whole = clCreateBuffer(context, flags, bytes + offset, NULL, status);
    if (whole == NULL) return NULL;
    const cl_buffer_region region = {offset, bytes};
    cl_mem part = clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, status);
    clReleaseMemObject(whole); /* the part keeps it */
    return part;
}

static void count_buffer(struct mu_execution *execution, size_t buffer, uint64_t length, size_t bytes)
{
    execution->lengths[buffer] = length;
    execution->bytes += bytes;
    if (execution->bytes > execution->most_bytes) execution->most_bytes = execution->bytes;
}

int mu_execution_make_buffer(struct mu_execution *execution, size_t buffer, struct mu_error *err)
{
    const struct mu_instance *instance = execution->instance;
    const struct mu_buffer *spec = &instance->app->buffers[buffer];
    const uint64_t length = length_of(execution, buffer);
    size_t bytes;
    cl_int status;
    char what[128];
    if (!mu_mul_size(length ? length : 1, mu_instance_element_bytes(instance, buffer), &bytes))
        return mu_fail(err, MU_LIMIT, "buffer %s: %llu elements are too many", spec->name, (unsigned long long)length);
    snprintf(what, sizeof what, "buffer %s of %zu bytes", spec->name, bytes);
    const bool input = spec->role == MU_ROLE_INPUT;
    execution->buffers[buffer] = create_buffer(execution, buffer, bytes, &status);
    if (mu_cl_check(status, what, err) != MU_OK) return err->status;
    count_buffer(execution, buffer, length, bytes);
    if (!input || length == 0) return MU_OK;
    status = clEnqueueWriteBuffer(execution->target->queue, execution->buffers[buffer], CL_TRUE, 0, bytes,
                                  *mu_instance_array(instance, buffer), 0, NULL, NULL);
    return mu_cl_check(status, what, err);
}

void mu_execution_drop_buffer(struct mu_execution *execution, size_t buffer, cl_mem held, uint64_t length)
{
    if (held == NULL) return;
    execution->bytes -= (length ? length : 1) * mu_instance_element_bytes(execution->instance, buffer);
    clReleaseMemObject(held);
}

/* Returns a pattern that no checker would take for right: for floating point, not a number. Whole numbers are small in
 * one run and large in the next: a word that is lowered but never initialised comes out right if it was large. */
static cl_uint poison_of(const struct mu_execution *execution, const struct mu_buffer *buffer)
{
    const enum mu_type type = buffer->type;
    if (buffer->role == MU_ROLE_FLAG || buffer->role == MU_ROLE_COUNTER) return 0;
    if (type == MU_TYPE_real || type == MU_TYPE_float || type == MU_TYPE_double) return 0xffffffffu;
    return execution->runs % 2 != 0 ? 3u : 0xa5a5a5a5u;
}

int mu_execution_poison(struct mu_execution *execution, size_t buffer, struct mu_error *err)
{
    const struct mu_instance *instance = execution->instance;
    const size_t bytes = (size_t)execution->lengths[buffer] * mu_instance_element_bytes(instance, buffer);
    const cl_uint pattern = poison_of(execution, &instance->app->buffers[buffer]);
    if (instance->app->buffers[buffer].role == MU_ROLE_INPUT || bytes == 0) return MU_OK;
    return mu_cl_check(clEnqueueFillBuffer(execution->target->queue, execution->buffers[buffer], &pattern,
                                           sizeof pattern, 0, bytes, 0, NULL, NULL),
                       "clEnqueueFillBuffer", err);
}

void mu_held_release(struct mu_held_buffers *held)
{
    for (size_t i = 0; i < MU_MAX_BUFFERS; i++)
        if (held->buffers[i] != NULL) clReleaseMemObject(held->buffers[i]);
    *held = (struct mu_held_buffers){0};
}

/* Returns the bytes of all the app's buffers together; UINT64_MAX if that is too much to count. */
static uint64_t sum_of_buffers(const struct mu_instance *instance)
{
    uint64_t sum = 0;
    for (size_t buffer = 0; buffer < instance->app->buffer_count; buffer++) {
        uint64_t bytes;
        if (__builtin_mul_overflow(instance->app->length(instance, buffer), mu_instance_element_bytes(instance, buffer),
                                   &bytes) ||
            __builtin_add_overflow(sum, bytes, &sum))
            return UINT64_MAX;
    }
    return sum;
}

/* Checks, before any of them is made, that all buffers fit into the device's memory. A CPU's lie in the host's, and
 * must fit under its limit, too. */
static int check_sum(const struct mu_execution *execution, struct mu_error *err)
{
    const uint64_t sum = sum_of_buffers(execution->instance);
    cl_device_type type = 0;
    cl_ulong room = 0;
    cl_device_id device = execution->target->device;
    if (mu_cl_check(clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, NULL), "the device's type", err) !=
            MU_OK ||
        mu_cl_check(clGetDeviceInfo(device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof room, &room, NULL), "the device's memory",
                    err) != MU_OK)
        return err->status;
    if (sum > room)
        return mu_fail(err, MU_NO_MEMORY, "the app's buffers take %" PRIu64 " bytes, and the device has %" PRIu64, sum,
                       (uint64_t)room);
    return (type & CL_DEVICE_TYPE_CPU) != 0 ? mu_memory_check(sum, 1, "the app's buffers", err) : MU_OK;
}

/* Takes what is held and has the length that the app wants now; an input is on the device then. */
static void take_buffers(struct mu_execution *execution, struct mu_held_buffers *held)
{
    const struct mu_instance *instance = execution->instance;
    for (size_t buffer = 0; buffer < instance->app->buffer_count; buffer++) {
        const uint64_t length = length_of(execution, buffer);
        if (held->buffers[buffer] == NULL || held->lengths[buffer] != length || held->layout != execution->build.layout)
            continue;
        execution->buffers[buffer] = held->buffers[buffer];
        held->buffers[buffer] = NULL;
        count_buffer(execution, buffer, length,
                     (size_t)(length ? length : 1) * mu_instance_element_bytes(instance, buffer));
    }
    mu_held_release(held);
}

/* Makes all buffers, in the order of the app's list or, with a layout, in a random one (Fisher and Yates). */
static int make_buffers(struct mu_execution *execution, struct mu_error *err)
{
    size_t order[MU_MAX_BUFFERS];
    const size_t count = execution->instance->app->buffer_count;
    const uint64_t stream = mu_random_stream(execution->build.layout, LAYOUT_ORDER);
    for (size_t i = 0; i < count; i++) order[i] = i;
    for (size_t i = count; i > 1 && execution->build.layout != 0; i--) {
        const size_t other = mu_random_below(stream, i, (uint32_t)i), last = order[i - 1];
        order[i - 1] = order[other];
        order[other] = last;
    }
    for (size_t i = 0; i < count; i++)
        if (execution->buffers[order[i]] == NULL && mu_execution_make_buffer(execution, order[i], err) != MU_OK)
            return err->status;
    return MU_OK;
}

int mu_execution_make_buffers(struct mu_execution *execution, struct mu_held_buffers *held, struct mu_error *err)
{
    if (check_sum(execution, err) != MU_OK) return err->status;
    take_buffers(execution, held);
    return make_buffers(execution, err);
}

int mu_execution_need_parts(struct mu_execution *execution, uint32_t groups, struct mu_error *err)
{
    const struct mu_app *app = execution->instance->app;
    bool any = false;
    if (groups <= execution->part_groups) return MU_OK;
    while (execution->part_groups < groups) execution->part_groups = 2 * execution->part_groups + 1;
    for (size_t buffer = 0; buffer < app->buffer_count; buffer++) {
        if (!mu_role_reduces(app->buffers[buffer].role)) continue;
        mu_execution_drop_buffer(execution, buffer, execution->buffers[buffer], execution->lengths[buffer]);
        execution->buffers[buffer] = NULL;
        if (mu_execution_make_buffer(execution, buffer, err) != MU_OK) return err->status;
        any = true;
    }
    return any ? mu_execution_set_state(execution, err) : MU_OK;
}
