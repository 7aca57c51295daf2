#include "variants/launch/execution.h"

#include "base/limits.h"
#include "base/memory.h"
#include "inputs/rng.h"
#include "variants/launch/load.h"
#include "variants/teams/sync_layout.clh"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

/* Elements and work-items of a launch stay below these, so that a 32-bit index plus a stride cannot wrap. */
#define MU_MAX_EXTENT (UINT32_MAX - (UINT32_C(1) << 24))

static int set_argument(cl_kernel kernel, uint32_t index, size_t bytes, const void *value, struct mu_error *err)
{
    return mu_cl_check(clSetKernelArg(kernel, index, bytes, value), "clSetKernelArg", err);
}

/* A reduction has two words for each workgroup. */
static uint64_t length_of(const struct mu_execution *execution, size_t buffer)
{
    const struct mu_app *app = execution->instance->app;
    if (mu_role_reduces(app->buffers[buffer].role)) return 2 * (uint64_t)execution->part_groups;
    return app->length(execution->instance, buffer);
}

/* Purposes of random numbers (inputs/rng.h). */
#define LAYOUT_ORDER   UINT64_C(0x6c61796f7264)
#define LAYOUT_OFFSETS UINT64_C(0x6c61796f6666)

/* Buffers begin at one of so many places, as far apart as the device wants the beginnings of parts of a buffer. */
#define LAYOUT_PLACES 64

/* A buffer of so many bytes. With a layout it is a part of a somewhat larger one: what differs between processes only
 * because of where their buffers lie is to be seen as a difference between processes, and not to be the same in all. */
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
    execution->lengths[buffer] = length;
    execution->bytes += bytes;
    if (execution->bytes > execution->most_bytes) execution->most_bytes = execution->bytes;
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

/* A scalar as the device sees it: a uint, or `real`, which is float where there is no double. */
static int set_scalar(cl_kernel kernel, uint32_t index, const struct mu_instance *instance, size_t scalar,
                      struct mu_error *err)
{
    const cl_double real = mu_instance_scalar(instance, scalar);
    const cl_float single = (cl_float)real;
    if (instance->app->scalars[scalar].type == MU_TYPE_real)
        return instance->setup.single ? set_argument(kernel, index, sizeof single, &single, err)
                                      : set_argument(kernel, index, sizeof real, &real, err);
    const cl_uint whole = (cl_uint)real;
    return set_argument(kernel, index, sizeof whole, &whole, err);
}

/* The arguments that every kernel of the program begins with: buffers, then scalars. */
static int set_state(struct mu_execution *execution, cl_kernel kernel, struct mu_error *err)
{
    const struct mu_instance *instance = execution->instance;
    uint32_t index = 0;
    for (size_t buffer = 0; buffer < instance->app->buffer_count; buffer++)
        if (set_argument(kernel, index++, sizeof(cl_mem), &execution->buffers[buffer], err) != MU_OK)
            return err->status;
    for (size_t scalar = 0; scalar < instance->app->scalar_count; scalar++) {
        if (set_scalar(kernel, index++, instance, scalar, err) != MU_OK) return err->status;
    }
    execution->argument_count = index;
    return MU_OK;
}

/* What variants/teams/roles.clh brings for the host has arguments of its own. */
static bool is_total(const char *kernel_name)
{
    return strncmp(kernel_name, "mu_total_", 9) == 0;
}

static int make_kernels(struct mu_execution *execution, struct mu_error *err)
{
    cl_uint count = 0;
    if (mu_cl_check(clCreateKernelsInProgram(execution->program, MU_MAX_STEPS, execution->kernels, &count),
                    "clCreateKernelsInProgram", err) != MU_OK)
        return err->status;
    execution->kernel_count = count;
    if (count > MU_MAX_STEPS) return mu_fail(err, MU_LIMIT, "%u steps are more than %d", count, MU_MAX_STEPS);
    for (size_t kernel = 0; kernel < count; kernel++) {
        if (mu_cl_check(clGetKernelInfo(execution->kernels[kernel], CL_KERNEL_FUNCTION_NAME,
                                        sizeof execution->kernel_names[kernel], execution->kernel_names[kernel], NULL),
                        "a kernel's name", err) != MU_OK ||
            (!is_total(execution->kernel_names[kernel]) &&
             set_state(execution, execution->kernels[kernel], err) != MU_OK))
            return err->status;
    }
    return MU_OK;
}

int mu_execution_set_state(struct mu_execution *execution, struct mu_error *err)
{
    for (size_t kernel = 0; kernel < execution->kernel_count; kernel++)
        if (!is_total(execution->kernel_names[kernel]) &&
            set_state(execution, execution->kernels[kernel], err) != MU_OK)
            return err->status;
    return MU_OK;
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

/* What the app's buffers will take together; UINT64_MAX where that is too much to count. */
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

/* Before any of them is made: do all buffers fit into the device's memory? A CPU's lie in the host's, and must fit
 * under its limit, too. */
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

/* All buffers, in the order of the app's list or, with a layout, in a random one (Fisher and Yates). */
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
        if (mu_execution_make_buffer(execution, order[i], err) != MU_OK) return err->status;
    return MU_OK;
}

static int fill(struct mu_execution *execution, struct mu_error *err)
{
    const struct mu_app *app = execution->instance->app;
    if (app->buffer_count > MU_MAX_BUFFERS) return mu_fail(err, MU_LIMIT, "%s: too many buffers", app->name);
    const struct mu_graph *graph = execution->instance->graph;
    if (graph != NULL && graph->vertices > MU_MAX_EXTENT)
        return mu_fail(err, MU_LIMIT, "%s: more vertices than a launch can index", graph->name);
    if (check_sum(execution, err) != MU_OK) return err->status;
    if (make_buffers(execution, err) != MU_OK) return err->status;
    if (make_kernels(execution, err) != MU_OK) return err->status;
    return execution->build.variant == MU_MULTI_KERNEL ? mu_readback_open(execution, err) : MU_OK;
}

int mu_execution_new(const struct mu_target *target, struct mu_instance *instance, const struct mu_build *build,
                     cl_program program, struct mu_execution **execution, struct mu_error *err)
{
    struct mu_execution *made = mu_calloc(1, sizeof *made, "an execution", err);
    if (made == NULL) return err->status;
    made->target = target;
    made->instance = instance;
    made->build = *build;
    made->program = program;
    made->plan.kernel_dir = build->kernel_dir;
    snprintf(made->plan.path, sizeof made->plan.path, "apps/%s/%s/%s.plan.h", instance->app->suite, instance->app->name,
             instance->app->name);
    if (mu_team_launch_open(&made->team, target, build, err) != MU_OK || fill(made, err) != MU_OK) {
        mu_execution_free(made);
        return err->status;
    }
    made->team.places = (struct mu_places){mu_plan_place, &made->plan};
    *execution = made;
    return MU_OK;
}

void mu_execution_free(struct mu_execution *execution)
{
    if (execution == NULL) return;
    for (size_t i = 0; i < MU_MAX_BUFFERS; i++)
        if (execution->buffers[i] != NULL) clReleaseMemObject(execution->buffers[i]);
    for (size_t i = 0; i < MU_MAX_STEPS; i++)
        if (execution->kernels[i] != NULL) clReleaseKernel(execution->kernels[i]);
    mu_team_launch_close(&execution->team);
    mu_readback_close(execution);
    mu_free(execution);
}

/* No value that a checker would take for right: for floating point, not a number. Whole numbers are small in one run
 * and large in the next: a word that nobody initialised, but somebody lowers, comes out right if it was large. */
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
    const size_t bytes = execution->lengths[buffer] * mu_instance_element_bytes(instance, buffer);
    const cl_uint pattern = poison_of(execution, &instance->app->buffers[buffer]);
    if (instance->app->buffers[buffer].role == MU_ROLE_INPUT || bytes == 0) return MU_OK;
    return mu_cl_check(clEnqueueFillBuffer(execution->target->queue, execution->buffers[buffer], &pattern,
                                           sizeof pattern, 0, bytes, 0, NULL, NULL),
                       "clEnqueueFillBuffer", err);
}

/* Nothing of an earlier run may survive in what a run writes. */
static int poison(struct mu_execution *execution, struct mu_error *err)
{
    for (size_t buffer = 0; buffer < execution->instance->app->buffer_count; buffer++)
        if (mu_execution_poison(execution, buffer, err) != MU_OK) return err->status;
    return mu_cl_check(clFinish(execution->target->queue), "clFinish before a run", err);
}

static int prepare_team(struct mu_execution *execution, const struct mu_launch *launch, struct mu_error *err)
{
    if (execution->build.variant != MU_MULTI_KERNEL)
        return mu_team_launch_prepare(&execution->team, launch, err) == MU_OK
                   ? mu_execution_need_parts(execution, launch->groups, err)
                   : err->status;
    execution->grid = execution->build.one_block ? 0 : launch->groups;
    return execution->build.one_block || launch->groups != 0 ? MU_OK
                                                             : mu_fail(err, MU_USAGE, "a fixed grid of no workgroups");
}

/* The same, waited for, and the time that it takes. */
static int prepare_team_in_time(struct mu_execution *execution, const struct mu_launch *launch,
                                struct mu_sample *sample, struct mu_error *err)
{
    if (mu_cl_check(clFinish(execution->target->queue), "clFinish before a run", err) != MU_OK) return err->status;
    const uint64_t start = mu_now_ns();
    if (prepare_team(execution, launch, err) != MU_OK) return err->status;
    mu_cl_check(clFinish(execution->target->queue), "clFinish before a run", err);
    if (execution->build.variant != MU_MULTI_KERNEL) sample->around_ns = mu_now_ns() - start;
    return err->status;
}

static uint64_t cpu_ns(const struct rusage *usage)
{
    return (uint64_t)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) * 1000000000u +
           (uint64_t)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) * 1000u;
}

/* The plan once, from wherever the buffers stand, and what the system did to this process meanwhile. */
static int run_plan(struct mu_execution *execution, struct mu_sample *sample, struct mu_error *err)
{
    struct rusage before = {0}, after = {0};
    getrusage(RUSAGE_SELF, &before);
    if (execution->build.variant == MU_MULTI_KERNEL)
        mu_run_multi_kernel(execution, sample, err);
    else
        mu_run_persistent(execution, 0, sample, err);
    getrusage(RUSAGE_SELF, &after);
    sample->cpu_ns += cpu_ns(&after) - cpu_ns(&before);
    sample->preempted += (uint32_t)(after.ru_nivcsw - before.ru_nivcsw);
    return err->status;
}

/* More room, and on with the plan, until it ends for good; what happens between two plans counts as time on the host.
 */
static int grow_and_go_on(struct mu_execution *execution, struct mu_sample *sample, struct mu_error *err)
{
    for (;;) {
        bool grown = false;
        const uint64_t start = mu_now_ns();
        if (mu_execution_grow(execution, &grown, err) != MU_OK || !grown) return err->status;
        if (prepare_team(execution, &execution->team.launch, err) != MU_OK) return err->status;
        if (mu_cl_check(clFinish(execution->target->queue), "clFinish after growth", err) != MU_OK) return err->status;
        sample->grown++;
        sample->host_ns += mu_now_ns() - start;
        if (run_plan(execution, sample, err) != MU_OK) return err->status;
    }
}

int mu_execution_run(struct mu_execution *execution, const struct mu_launch *launch, struct mu_sample *sample,
                     struct mu_error *err)
{
    memset(sample, 0, sizeof *sample);
    execution->runs++;
    if (mu_execution_restart(execution, err) != MU_OK || poison(execution, err) != MU_OK ||
        prepare_team_in_time(execution, launch, sample, err) != MU_OK || run_plan(execution, sample, err) != MU_OK)
        return err->status;
    return grow_and_go_on(execution, sample, err);
}

int mu_execution_roll_call(struct mu_execution *execution, const struct mu_launch *launch, struct mu_sample *sample,
                           struct mu_error *err)
{
    memset(sample, 0, sizeof *sample);
    if (mu_team_launch_prepare(&execution->team, launch, err) != MU_OK) return err->status;
    return mu_run_persistent(execution, MU_ROLL_CALL_ONLY, sample, err);
}

int mu_execution_serve(struct mu_execution *execution, const struct mu_launch *launch, struct mu_sample *sample,
                       struct mu_error *err)
{
    memset(sample, 0, sizeof *sample);
    if (mu_team_launch_prepare(&execution->team, launch, err) != MU_OK) return err->status;
    return mu_run_persistent(execution, mu_load_alone, sample, err);
}

int mu_execution_fetch(struct mu_execution *execution, struct mu_error *err)
{
    struct mu_instance *instance = execution->instance;
    if (mu_instance_need_results(instance, err) != MU_OK) return err->status;
    for (size_t buffer = 0; buffer < instance->app->buffer_count; buffer++) {
        const size_t length = instance->app->length(instance, buffer);
        if (instance->app->buffers[buffer].role != MU_ROLE_RESULT || length == 0) continue;
        const size_t bytes = length * mu_instance_element_bytes(instance, buffer);
        if (mu_cl_check(clEnqueueReadBuffer(execution->target->queue, execution->buffers[buffer], CL_TRUE, 0, bytes,
                                            *mu_instance_array(instance, buffer), 0, NULL, NULL),
                        "reading a result back", err) != MU_OK)
            return err->status;
    }
    return MU_OK;
}
