/* Variant multi-kernel: the host runs the plan and launches every step. Its queue takes no event times, which would
 * make every launch dearer. */
#include "apps/plan_run.h"
#include "variants/launch/execution.h"

#include <string.h>

/* A flag that is read brings its whole buffer with it, if that is not longer than this: flags that a plan reads one
 * after another, with no step between them, are one read-back if they share a buffer. */
#define READ_WORDS MU_READBACK_WORDS

struct mu_plan_run {
    struct mu_execution *execution;
    struct mu_sample *sample;
    struct mu_error *err;
    size_t known;              /* the buffer that `words` holds, since no step has run behind that read … */
    bool is_known;             /* … if there is one */
    cl_uint words[READ_WORDS]; /* of the buffer, from its beginning */
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
    const size_t fitting = ((size_t)arguments.extent + workgroup - 1) / workgroup;
    const size_t items = (run->execution->grid != 0 ? run->execution->grid : fitting) * workgroup;
    const cl_int status =
        clEnqueueNDRangeKernel(run->execution->target->queue, kernel, 1, NULL, &items, &workgroup, 0, NULL, NULL);
    run->sample->launches++;
    run->is_known = false;
    return mu_cl_check(status, name, run->err);
}

uint mu_plan_read(struct mu_plan_run *run, size_t buffer, uint index)
{
    struct mu_execution *execution = run->execution;
    const uint64_t length = execution->lengths[buffer];
    const bool whole = index < length && length <= READ_WORDS;
    if (run->err->status != MU_OK) return 0;
    if (whole && run->is_known && run->known == buffer) return run->words[index];
    const struct mu_flags flags = {execution->buffers[buffer], whole ? 0 : index, whole ? (uint32_t)length : 1};
    run->sample->readbacks++;
    if (mu_readback(execution, &flags, run->words, run->err) != MU_OK) return 0;
    run->is_known = whole;
    run->known = buffer;
    return run->words[whole ? index : 0];
}

int mu_run_multi_kernel(struct mu_execution *execution, struct mu_sample *sample, struct mu_error *err)
{
    struct mu_plan_run run = {.execution = execution, .sample = sample, .err = err};
    const uint64_t start = mu_now_ns();
    execution->instance->app->plan(&run, execution->instance->state);
    mu_cl_check(clFinish(execution->target->queue), "clFinish after a run", err);
    sample->host_ns += mu_now_ns() - start;
    return err->status;
}
