#include "variants/launch/execution.h"

#include "base/memory.h"
#include "variants/launch/load.h"
#include "variants/teams/sync_layout.clh"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

/* Elements and work-items of a launch stay below these, so that a 32-bit index plus a stride cannot wrap. */
#define MU_MAX_EXTENT (UINT32_MAX - (UINT32_C(1) << 24))

static int set_argument(cl_kernel kernel, uint32_t index, size_t bytes, const void *value, struct mu_error *err)
{
    return mu_cl_check(clSetKernelArg(kernel, index, bytes, value), "clSetKernelArg", err);
}

/* Sets a scalar as the device sees it: a uint, or `real`, which is float without double precision. */
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

/* Sets the arguments that every kernel of the program begins with: buffers, then scalars. */
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

/* Returns true for a kernel that variants/teams/roles.clh brings for the host. It has arguments of its own. */
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

static int fill(struct mu_execution *execution, struct mu_held_buffers *held, struct mu_error *err)
{
    const struct mu_app *app = execution->instance->app;
    if (app->buffer_count > MU_MAX_BUFFERS) return mu_fail(err, MU_LIMIT, "%s: too many buffers", app->name);
    const struct mu_graph *graph = execution->instance->graph;
    if (graph != NULL && graph->vertices > MU_MAX_EXTENT)
        return mu_fail(err, MU_LIMIT, "%s: more vertices than a launch can index", graph->name);
    if (mu_execution_make_buffers(execution, held, err) != MU_OK) return err->status;
    if (make_kernels(execution, err) != MU_OK) return err->status;
    return mu_pinned_open(execution->target, &execution->pinned, err);
}

int mu_execution_new(const struct mu_target *target, struct mu_instance *instance, const struct mu_build *build,
                     cl_program program, struct mu_held_buffers *held, struct mu_execution **execution,
                     struct mu_error *err)
{
    struct mu_execution *made = mu_calloc(1, sizeof *made, "an execution", err);
    if (made == NULL) return err->status;
    made->target = target;
    made->instance = instance;
    made->build = *build;
    made->program = program;
    made->plan.app = instance->app;
    made->plan.kernel_dir = build->kernel_dir;
    snprintf(made->plan.path, sizeof made->plan.path, "apps/%s/%s/%s.plan.h", instance->app->suite, instance->app->name,
             instance->app->name);
    if (mu_team_launch_open(&made->team, target, build, err) != MU_OK || fill(made, held, err) != MU_OK) {
        mu_execution_free(made);
        return err->status;
    }
    made->team.places = (struct mu_places){mu_plan_place, mu_report_rule, &made->plan};
    made->team.takes_turns = true;
    made->team.pinned = &made->pinned;
    *execution = made;
    return MU_OK;
}

void mu_execution_end(struct mu_execution *execution, struct mu_held_buffers *held)
{
    if (execution == NULL) return;
    held->layout = execution->build.layout;
    memcpy(held->buffers, execution->buffers, sizeof held->buffers);
    memcpy(held->lengths, execution->lengths, sizeof held->lengths);
    memset(execution->buffers, 0, sizeof execution->buffers);
    mu_execution_free(execution);
}

void mu_execution_free(struct mu_execution *execution)
{
    if (execution == NULL) return;
    for (size_t i = 0; i < MU_MAX_BUFFERS; i++)
        if (execution->buffers[i] != NULL) clReleaseMemObject(execution->buffers[i]);
    for (size_t i = 0; i < MU_MAX_STEPS; i++)
        if (execution->kernels[i] != NULL) clReleaseKernel(execution->kernels[i]);
    mu_team_launch_close(&execution->team);
    mu_pinned_close(execution->target, &execution->pinned);
    mu_free(execution);
}

/* Fills what a run writes with a pattern, so that nothing of an earlier run survives. */
static int poison(struct mu_execution *execution, struct mu_error *err)
{
    for (size_t buffer = 0; buffer < execution->instance->app->buffer_count; buffer++)
        if (mu_execution_poison(execution, buffer, err) != MU_OK) return err->status;
    return err->status;
}

static int prepare_team(struct mu_execution *execution, const struct mu_launch *launch, struct mu_error *err)
{
    if (execution->build.variant != MU_MULTI_KERNEL)
        return mu_team_launch_reserve(&execution->team, launch, err) == MU_OK
                   ? mu_execution_need_parts(execution, launch->groups, err)
                   : err->status;
    execution->limit = launch->limit;
    execution->grid = execution->build.one_block ? 0 : launch->groups;
    return execution->build.one_block || launch->groups != 0 ? MU_OK
                                                             : mu_fail(err, MU_USAGE, "a fixed grid of no workgroups");
}

static uint64_t cpu_ns(const struct rusage *usage)
{
    return (uint64_t)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) * 1000000000u +
           (uint64_t)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) * 1000u;
}

/* Runs the plan once, from wherever the buffers stand, and notes what the system did to this process meanwhile. */
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

/* Makes more room and goes on with the plan, until it ends for good. Finding that out, and what happens between two
 * plans, is part of the time. */
static int grow_and_go_on(struct mu_execution *execution, struct mu_sample *sample, struct mu_error *err)
{
    for (;;) {
        bool grown = false;
        const uint64_t start = mu_now_ns();
        if (mu_execution_grow(execution, &grown, err) == MU_OK && grown)
            prepare_team(execution, &execution->team.launch, err);
        sample->host_ns += mu_now_ns() - start;
        if (err->status != MU_OK || !grown) return err->status;
        sample->grown++;
        if (run_plan(execution, sample, err) != MU_OK) return err->status;
    }
}

int mu_execution_run(struct mu_execution *execution, const struct mu_launch *launch, struct mu_sample *sample,
                     struct mu_error *err)
{
    memset(sample, 0, sizeof *sample);
    execution->runs++;
    if (mu_execution_restart(execution, err) != MU_OK || poison(execution, err) != MU_OK ||
        prepare_team(execution, launch, err) != MU_OK ||
        mu_cl_check(clFinish(execution->target->queue), "clFinish before a run", err) != MU_OK ||
        run_plan(execution, sample, err) != MU_OK || execution->instance->app->grow == NULL)
        return err->status;
    return grow_and_go_on(execution, sample, err);
}

/* Uses a queue of the target, also for the team's launches. */
static void use(struct mu_execution *execution, const struct mu_target *target, bool events)
{
    execution->target = execution->team.target = target;
    execution->team.events = events;
}

int mu_execution_take_times(struct mu_execution *execution, struct mu_timed *times, struct mu_error *err)
{
    cl_int status;
    *times = (struct mu_timed){.usual = execution->target, .timed = *execution->target};
    times->timed.queue =
        clCreateCommandQueue(times->timed.context, times->timed.device, CL_QUEUE_PROFILING_ENABLE, &status);
    if (mu_cl_check(status, "a queue that takes times", err) == MU_OK) use(execution, &times->timed, true);
    return err->status;
}

void mu_execution_leave_times(struct mu_execution *execution, struct mu_timed *times)
{
    if (execution->target == &times->timed) {
        use(execution, times->usual, false);
        clReleaseCommandQueue(times->timed.queue);
    }
    *times = (struct mu_timed){0};
}

int mu_execution_roll_call(struct mu_execution *execution, const struct mu_launch *launch, struct mu_sample *sample,
                           struct mu_error *err)
{
    memset(sample, 0, sizeof *sample);
    if (mu_team_launch_reserve(&execution->team, launch, err) != MU_OK) return err->status;
    return mu_run_persistent(execution, MU_ROLL_CALL_ONLY, sample, err);
}

int mu_execution_serve(struct mu_execution *execution, const struct mu_launch *launch, struct mu_sample *sample,
                       struct mu_error *err)
{
    memset(sample, 0, sizeof *sample);
    if (mu_team_launch_reserve(&execution->team, launch, err) != MU_OK) return err->status;
    return mu_run_persistent(execution, mu_load_alone, sample, err);
}

int mu_execution_fetch(struct mu_execution *execution, struct mu_error *err)
{
    struct mu_instance *instance = execution->instance;
    if (mu_instance_need_results(instance, err) != MU_OK) return err->status;
    for (size_t buffer = 0; buffer < instance->app->buffer_count; buffer++) {
        const size_t length = (size_t)instance->app->length(instance, buffer);
        if (instance->app->buffers[buffer].role != MU_ROLE_RESULT || length == 0) continue;
        const size_t bytes = length * mu_instance_element_bytes(instance, buffer);
        if (mu_cl_check(clEnqueueReadBuffer(execution->target->queue, execution->buffers[buffer], CL_TRUE, 0, bytes,
                                            *mu_instance_array(instance, buffer), 0, NULL, NULL),
                        "reading a result back", err) != MU_OK)
            return err->status;
    }
    return MU_OK;
}
