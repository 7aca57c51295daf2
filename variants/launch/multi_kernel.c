/* Variant multi-kernel: the host runs the plan and launches every step. Its queue takes no event times, which would
 * make every launch dearer. */
#include "apps/plan_run.h"
#include "variants/launch/execution.h"

#include <string.h>

struct mu_plan_run {
    struct mu_execution *execution;
    struct mu_sample *sample;
    struct mu_error *err;
};

static cl_kernel find_kernel(const struct mu_execution *execution, const char *name)
{
    for (size_t i = 0; i < execution->kernel_count; i++)
        if (strcmp(execution->kernel_names[i], name) == 0) return execution->kernels[i];
    return NULL;
}

static int set_step_arguments(struct mu_plan_run *run, cl_kernel kernel, const struct mu_step_arguments *arguments)
{
    const cl_uint values[] = {arguments->extent, arguments->a, arguments->b};
    for (cl_uint i = 0; i < 3; i++)
        if (mu_cl_check(clSetKernelArg(kernel, run->execution->argument_count + i, sizeof values[i], &values[i]),
                        "clSetKernelArg of a step", run->err) != MU_OK)
            return run->err->status;
    return MU_OK;
}

int mu_plan_step(struct mu_plan_run *run, const char *name, struct mu_step_arguments arguments)
{
    if (run->err->status != MU_OK) return run->err->status;
    if (arguments.extent == 0) return MU_OK;
    cl_kernel kernel = find_kernel(run->execution, name);
    if (kernel == NULL)
        return mu_fail(run->err, MU_BUILD, "the plan of %s launches %s, which its steps do not define",
                       run->execution->instance->app->name, name);
    if (set_step_arguments(run, kernel, &arguments) != MU_OK) return run->err->status;
    const size_t workgroup = run->execution->build.workgroup;
    const size_t items = ((size_t)arguments.extent + workgroup - 1) / workgroup * workgroup;
    const cl_int status =
        clEnqueueNDRangeKernel(run->execution->target->queue, kernel, 1, NULL, &items, &workgroup, 0, NULL, NULL);
    run->sample->launches++;
    return mu_cl_check(status, name, run->err);
}

uint mu_plan_read(struct mu_plan_run *run, size_t buffer, uint index)
{
    cl_uint word = 0;
    if (run->err->status != MU_OK) return 0;
    run->sample->readbacks++;
    return mu_readback(run->execution, run->execution->buffers[buffer], index, &word, run->err) == MU_OK ? word : 0;
}

int mu_run_multi_kernel(struct mu_execution *execution, struct mu_sample *sample, struct mu_error *err)
{
    struct mu_plan_run run = {execution, sample, err};
    const uint64_t start = mu_now_ns();
    execution->instance->app->plan(&run, execution->instance->state);
    mu_cl_check(clFinish(execution->target->queue), "clFinish after a run", err);
    sample->host_ns += mu_now_ns() - start;
    return err->status;
}
