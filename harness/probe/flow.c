#include "harness/probe/flow.h"

#include "base/memory.h"
#include "harness/device/launch_defaults.h"
#include "harness/device/program.h"
#include "variants/launch/team_launch.h"
#include "variants/queues/layout.clh"

#include <string.h>

/* Arguments of queue_flow, in order, before those of every team's kernel. */
enum { WORDS, RINGS, SLOTS, SEEN, NOTES, TOTAL, LOST_AFTER, OWN_ARGUMENTS };

struct mu_flow {
    const struct mu_target *target;
    const struct mu_device_info *info;
    cl_program program;
    cl_kernel kernel;
    struct mu_team_launch team;
};

static int build(struct mu_flow *flow, const struct mu_flow_spec *spec, struct mu_error *err)
{
    const struct mu_device_info *info = flow->info;
    struct mu_build options = mu_default_build(info, info->atomics, spec->workgroup, spec->spin_limit);
    struct mu_sources sources = {0};
    struct mu_built built = {0};
    cl_int status;
    options.yield = spec->yield;
    options.yield_polls = spec->yield_polls;
    mu_sources_start_team(&sources, &options, NULL, err);
    if (err->status == MU_OK) mu_sources_add_join(&sources, &options, NULL, err);
    if (err->status == MU_OK) mu_sources_add_queue(&sources, spec->kind, NULL, err);
    if (err->status == MU_OK) mu_sources_add(&sources, "variants/queues/flow.clh", NULL, err);
    if (err->status == MU_OK) mu_sources_add(&sources, "harness/probe/queue.cl", NULL, err);
    if (err->status == MU_OK) mu_program_build(flow->target, info, &sources, true, &built, err);
    mu_sources_free(&sources);
    flow->program = built.program;
    if (err->status != MU_OK) return err->status;
    flow->kernel = clCreateKernel(flow->program, "queue_flow", &status);
    if (mu_cl_check(status, "queue_flow", err) != MU_OK) return err->status;
    return mu_team_launch_open(&flow->team, flow->target, &options, err);
}

int mu_flow_open(const struct mu_target *target, const struct mu_device_info *info, const struct mu_flow_spec *spec,
                 struct mu_flow **flow, struct mu_error *err)
{
    struct mu_flow *made = mu_calloc(1, sizeof *made, "a flow of items", err);
    if (made == NULL) return err->status;
    made->target = target;
    made->info = info;
    if (build(made, spec, err) != MU_OK) {
        mu_flow_close(made);
        return err->status;
    }
    *flow = made;
    return MU_OK;
}

/* ---- A run ---- */

enum { BUFFER_QUEUE, BUFFER_SEEN, BUFFER_NOTES, BUFFERS };

static int make_buffer(const struct mu_flow *flow, size_t words, const uint32_t *content, cl_mem *buffer,
                       struct mu_error *err)
{
    cl_int status;
    static const cl_uint zero = 0;
    *buffer = clCreateBuffer(flow->target->context, CL_MEM_READ_WRITE, words * sizeof zero, NULL, &status);
    if (status == CL_SUCCESS && content != NULL)
        status =
            clEnqueueWriteBuffer(flow->target->queue, *buffer, CL_TRUE, 0, words * sizeof zero, content, 0, NULL, NULL);
    else if (status == CL_SUCCESS)
        status = clEnqueueFillBuffer(flow->target->queue, *buffer, &zero, sizeof zero, 0, words * sizeof zero, 0, NULL,
                                     NULL);
    return mu_cl_check(status, "a buffer of a work queue", err);
}

static int make_buffers(const struct mu_flow *flow, const struct mu_flow_run *run, cl_mem buffers[BUFFERS],
                        struct mu_error *err)
{
    static const uint32_t first = 0, note = ~UINT32_C(0); /* item 0, and MU_FLOW_NOTE of it */
    size_t words = 0;
    uint32_t *content = mu_queue_words(&run->shape, &first, 1, &words, err);
    if (content == NULL) return err->status;
    make_buffer(flow, words, content, &buffers[BUFFER_QUEUE], err);
    mu_free(content);
    if (err->status == MU_OK) make_buffer(flow, run->items, NULL, &buffers[BUFFER_SEEN], err);
    if (err->status == MU_OK) make_buffer(flow, run->items, NULL, &buffers[BUFFER_NOTES], err);
    if (err->status != MU_OK) return err->status;
    return mu_cl_check(
        clEnqueueWriteBuffer(flow->target->queue, buffers[BUFFER_NOTES], CL_TRUE, 0, sizeof note, &note, 0, NULL, NULL),
        "the first note", err);
}

static int set_arguments(const struct mu_flow *flow, const struct mu_flow_run *run, cl_mem buffers[BUFFERS],
                         struct mu_error *err)
{
    const struct {
        cl_uint index;
        size_t bytes;
        const void *value;
    } arguments[] = {
        {WORDS, sizeof(cl_mem), &buffers[BUFFER_QUEUE]}, {RINGS, sizeof(cl_uint), &run->shape.rings},
        {SLOTS, sizeof(cl_uint), &run->shape.slots},     {SEEN, sizeof(cl_mem), &buffers[BUFFER_SEEN]},
        {NOTES, sizeof(cl_mem), &buffers[BUFFER_NOTES]}, {TOTAL, sizeof(cl_uint), &run->items},
        {LOST_AFTER, sizeof(cl_uint), &run->lost_after},
    };
    cl_int status = CL_SUCCESS;
    for (size_t i = 0; status == CL_SUCCESS && i < sizeof arguments / sizeof arguments[0]; i++)
        status = clSetKernelArg(flow->kernel, arguments[i].index, arguments[i].bytes, arguments[i].value);
    return mu_cl_check(status, "an argument of queue_flow", err);
}

/* Every item was taken, once, as its parent had left it. */
static int judge(const struct mu_flow *flow, const struct mu_flow_run *run, cl_mem seen, struct mu_error *err)
{
    uint32_t bad = 0, first = 0;
    cl_uint *counts = mu_malloc(run->items, sizeof *counts, "what became of items", err);
    if (counts == NULL) return err->status;
    const size_t bytes = run->items * sizeof *counts;
    if (mu_cl_check(clEnqueueReadBuffer(flow->target->queue, seen, CL_TRUE, 0, bytes, counts, 0, NULL, NULL),
                    "reading what became of items", err) == MU_OK)
        for (uint32_t i = 0; i < run->items; i++)
            if (counts[i] != 1 && bad++ == 0) first = i;
    if (bad != 0)
        mu_fail(err, MU_WRONG, "%u of %u items were lost, taken twice or not as they were pushed; item %u: %x", bad,
                run->items, first, counts[first]);
    mu_free(counts);
    return err->status;
}

int mu_flow_run(struct mu_flow *flow, const struct mu_flow_run *run, uint64_t *ns, struct mu_error *err)
{
    const struct mu_team_kernel kernel = {flow->kernel, OWN_ARGUMENTS, "queue_flow"};
    const struct mu_launch launch = {.groups = run->groups, .expected = run->groups};
    struct mu_team_times times = {0};
    struct mu_report report = {0};
    cl_mem buffers[BUFFERS] = {NULL};
    if (run->items == 0 || run->items > UINT32_C(1) << 28)
        return mu_fail(err, MU_USAGE, "a flow of %u items is not between 1 and 2^28", run->items);
    if (make_buffers(flow, run, buffers, err) == MU_OK && set_arguments(flow, run, buffers, err) == MU_OK &&
        mu_team_launch_prepare(&flow->team, &launch, err) == MU_OK &&
        mu_team_launch_run(&flow->team, &kernel, 0, &times, err) == MU_OK &&
        mu_team_launch_report(&flow->team, &report, err) == MU_OK)
        judge(flow, run, buffers[BUFFER_SEEN], err);
    *ns = flow->info->timer_ns != 0 && times.device_ns != 0 ? times.device_ns : times.host_ns;
    for (size_t i = 0; i < BUFFERS; i++)
        if (buffers[i] != NULL) clReleaseMemObject(buffers[i]);
    return err->status;
}

void mu_flow_close(struct mu_flow *flow)
{
    if (flow == NULL) return;
    mu_team_launch_close(&flow->team);
    if (flow->kernel != NULL) clReleaseKernel(flow->kernel);
    if (flow->program != NULL) clReleaseProgram(flow->program);
    mu_free(flow);
}
