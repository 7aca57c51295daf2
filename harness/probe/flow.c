#include "harness/probe/flow.h"

#include "base/memory.h"
#include "harness/device/launch_defaults.h"
#include "harness/device/program.h"
#include "variants/launch/team_launch.h"
#include "variants/queues/layout.clh"

#include <string.h>

/* Arguments of queue_flow, in order, before those of every team's kernel. */
enum { WORDS, RINGS, SLOTS, SEEN, NOTES, TOTAL, GROUPS, LOST_RANK, LOST_AFTER, OWN_ARGUMENTS };

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
    cl_int status;
    options.yield = spec->yield;
    options.yield_polls = spec->yield_polls;
    mu_sources_start_team(&sources, &options, NULL, err);
    mu_sources_add_join(&sources, &options, NULL, err);
    mu_sources_add_queue(&sources, spec->kind, NULL, err);
    mu_sources_add(&sources, "variants/queues/flow.clh", NULL, err);
    mu_sources_add(&sources, "harness/probe/queue.cl", NULL, err);
    flow->program = mu_program_make(flow->target, info, &sources, true, err);
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

/* Counts the words of one flow in each buffer. */
static void count_words(const struct mu_flow_run *run, size_t words[BUFFERS])
{
    words[BUFFER_QUEUE] = MU_QUEUE_WORDS(run->shape.rings, run->shape.slots);
    words[BUFFER_SEEN] = words[BUFFER_NOTES] = run->items;
}

uint32_t mu_flow_most(const struct mu_device_info *info, const struct mu_flow_run *run)
{
    const uint32_t told = mu_device_units(info), units = told > 0 ? told : 1;
    uint64_t most = run->groups > 0 ? units / run->groups : 0, all = 0;
    size_t words[BUFFERS];
    if (most == 0) return 0;
    count_words(run, words);
    for (size_t i = 0; i < BUFFERS; i++) {
        const uint64_t bytes = words[i] * sizeof(cl_uint), fit = bytes > 0 ? info->max_allocation_bytes / bytes : most;
        if (fit < most) most = fit;
        all += bytes;
    }
    if (all > 0 && info->global_bytes / 4 / all < most) most = info->global_bytes / 4 / all;
    return most > 0 ? (uint32_t)most : 1;
}

/* Makes one buffer for all flows, of zeros. */
static int make_buffer(const struct mu_flow *flow, uint32_t flows, size_t words, cl_mem *buffer, struct mu_error *err)
{
    cl_int status;
    static const cl_uint zero = 0;
    const size_t bytes = flows * words * sizeof zero;
    *buffer = clCreateBuffer(flow->target->context, CL_MEM_READ_WRITE, bytes, NULL, &status);
    if (status == CL_SUCCESS)
        status = clEnqueueFillBuffer(flow->target->queue, *buffer, &zero, sizeof zero, 0, bytes, 0, NULL, NULL);
    return mu_cl_check(status, "a buffer of work queues", err);
}

/* Puts item 0 into ring 0 of each queue. Only that ring and what stands before it are written, since all else is zeros.
 */
static int push_first_items(const struct mu_flow *flow, const struct mu_flow_run *run, cl_mem queues, size_t stride,
                            struct mu_error *err)
{
    static const uint32_t first = 0;
    const struct mu_queue_shape shape = {1, run->shape.slots};
    size_t words = 0;
    uint32_t *content = mu_queue_words(&shape, &first, 1, &words, err);
    if (content == NULL) return err->status;
    cl_command_queue queue = flow->target->queue;
    const size_t bytes = words * sizeof *content;
    cl_int status = clEnqueueWriteBuffer(queue, queues, CL_TRUE, 0, bytes, content, 0, NULL, NULL);
    for (size_t i = 1; i < run->flows && status == CL_SUCCESS; i++)
        status = clEnqueueCopyBuffer(queue, queues, queues, 0, i * stride * sizeof *content, bytes, 0, NULL, NULL);
    mu_free(content);
    return mu_cl_check(status, "the first items", err);
}

static int write_first_notes(const struct mu_flow *flow, const struct mu_flow_run *run, cl_mem notes,
                             struct mu_error *err)
{
    static const cl_uint note = ~UINT32_C(0); /* MU_FLOW_NOTE of item 0 */
    cl_int status = CL_SUCCESS;
    for (size_t i = 0; i < run->flows && status == CL_SUCCESS; i++)
        status = clEnqueueFillBuffer(flow->target->queue, notes, &note, sizeof note, i * run->items * sizeof note,
                                     sizeof note, 0, NULL, NULL);
    return mu_cl_check(status, "the first notes", err);
}

static int make_buffers(const struct mu_flow *flow, const struct mu_flow_run *run, cl_mem buffers[BUFFERS],
                        struct mu_error *err)
{
    size_t words[BUFFERS];
    count_words(run, words);
    for (size_t i = 0; i < BUFFERS && err->status == MU_OK; i++)
        make_buffer(flow, run->flows, words[i], &buffers[i], err);
    if (err->status == MU_OK) push_first_items(flow, run, buffers[BUFFER_QUEUE], words[BUFFER_QUEUE], err);
    return err->status == MU_OK ? write_first_notes(flow, run, buffers[BUFFER_NOTES], err) : err->status;
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
        {GROUPS, sizeof(cl_uint), &run->groups},         {LOST_RANK, sizeof(cl_uint), &run->lost_rank},
        {LOST_AFTER, sizeof(cl_uint), &run->lost_after},
    };
    cl_int status = CL_SUCCESS;
    for (size_t i = 0; status == CL_SUCCESS && i < sizeof arguments / sizeof arguments[0]; i++)
        status = clSetKernelArg(flow->kernel, arguments[i].index, arguments[i].bytes, arguments[i].value);
    return mu_cl_check(status, "an argument of queue_flow", err);
}

/* Puts the number of a flow that failed before the message. */
static int name_flow(const struct mu_flow_run *run, uint32_t number, struct mu_error *err)
{
    const struct mu_error bare = *err;
    if (run->flows == 1) return err->status;
    *err = (struct mu_error){0};
    return mu_fail(err, bare.status, "flow %u of %u: %s", number, run->flows, bare.message);
}

/* Checks that every item of a flow was taken once, as its parent had left it. */
static int judge_flow(const struct mu_flow_run *run, const cl_uint *counts, struct mu_error *err)
{
    uint32_t bad = 0, first = 0;
    for (uint32_t i = 0; i < run->items; i++)
        if (counts[i] != 1 && bad++ == 0) first = i;
    if (bad == 0) return MU_OK;
    return mu_fail(err, MU_WRONG, "%u of %u items were lost, taken twice or not as they were pushed; item %u: %x", bad,
                   run->items, first, counts[first]);
}

static int judge(const struct mu_flow *flow, const struct mu_flow_run *run, cl_mem seen, struct mu_error *err)
{
    cl_uint *counts = mu_malloc(run->items, sizeof *counts, "what became of items", err);
    if (counts == NULL) return err->status;
    const size_t bytes = run->items * sizeof *counts;
    for (uint32_t i = 0; i < run->flows && err->status == MU_OK; i++)
        if (mu_cl_check(
                clEnqueueReadBuffer(flow->target->queue, seen, CL_TRUE, i * bytes, bytes, counts, 0, NULL, NULL),
                "reading what became of items", err) == MU_OK &&
            judge_flow(run, counts, err) != MU_OK)
            name_flow(run, i, err);
    mu_free(counts);
    return err->status;
}

/* Judges a launch. The rank that it reports says in which flow it was. */
static int judge_launch(const struct mu_flow *flow, const struct mu_flow_run *run, cl_mem seen, struct mu_error *err)
{
    struct mu_report report = {0};
    if (mu_team_launch_report(&flow->team, &report, err) == MU_OK)
        return mu_team_launch_judge_team(&flow->team, &report, err) == MU_OK ? judge(flow, run, seen, err)
                                                                             : err->status;
    const bool from_group = err->status == MU_DEADLOCK || err->status == MU_LIMIT;
    return from_group ? name_flow(run, report.rank / run->groups, err) : err->status;
}

static int check_run(const struct mu_flow_run *run, struct mu_error *err)
{
    if (run->items == 0 || run->items > UINT32_C(1) << 28)
        return mu_fail(err, MU_USAGE, "a flow of %u items is not between 1 and 2^28", run->items);
    if (run->flows == 0 || run->groups == 0 || (uint64_t)run->flows * run->groups > UINT32_MAX)
        return mu_fail(err, MU_USAGE, "%u flows of %u workgroups are none or too many", run->flows, run->groups);
    return mu_queue_check(&run->shape, err);
}

int mu_flow_run(struct mu_flow *flow, const struct mu_flow_run *run, uint64_t *ns, struct mu_error *err)
{
    const struct mu_team_kernel kernel = {flow->kernel, OWN_ARGUMENTS, "queue_flow"};
    const uint32_t groups = run->flows * run->groups;
    const struct mu_launch launch = {.groups = groups, .expected = groups};
    struct mu_team_times times = {0};
    cl_mem buffers[BUFFERS] = {NULL};
    if (check_run(run, err) != MU_OK) return err->status;
    if (make_buffers(flow, run, buffers, err) == MU_OK && set_arguments(flow, run, buffers, err) == MU_OK &&
        mu_team_launch_prepare(&flow->team, &launch, err) == MU_OK &&
        mu_team_launch_run(&flow->team, &kernel, 0, &times, err) == MU_OK)
        judge_launch(flow, run, buffers[BUFFER_SEEN], err);
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
