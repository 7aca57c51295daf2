/* Variant multi-kernel: the host runs the plan and launches every step. Its queue takes no event times, which would
 * make every launch dearer. */
#include "apps/plan_run.h"
#include "variants/launch/execution.h"
#include "variants/launch/trace.h"
#include "variants/teams/sync_layout.clh"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A flag that is read brings its whole buffer with it, if that is not longer than this. So flags that a plan reads one
 * after another, with no step between them, are one read-back if they share a buffer. */
#define READ_WORDS MU_READBACK_WORDS

/* What the kernel of a step has before the step's name (apps/host.h). */
#define STEP_PREFIX "mu_step_"

struct mu_plan_run {
    struct mu_execution *execution;
    struct mu_sample *sample;
    struct mu_error *err;
    uint32_t steps;                 /* of the plan so far, with those that have no elements */
    uint32_t asked[MU_MAX_BUFFERS]; /* of a flag: the last launch that stamped it, as the plan asked last */
    uint32_t step_groups;           /* workgroups of the last step, which left parts of reductions */
    uint32_t step_turn;             /* the number of its launch */
    struct {
        uint32_t step;
        uint turn;
    } whole[MU_MAX_BUFFERS];   /* of a reduction: the step whose parts are taken together, and where the result is */
    size_t known;              /* the buffer that `words` holds, since no step has run behind that read … */
    bool is_known;             /* … if there is one */
    cl_uint words[READ_WORDS]; /* of the buffer, from its beginning */
};

/* Returns the kernel of that name; kernel_count for none. */
static size_t find_kernel(const struct mu_execution *execution, const char *name)
{
    size_t i = 0;
    while (i < execution->kernel_count && strcmp(execution->kernel_names[i], name) != 0) i++;
    return i;
}

/* Launches a kernel over so many groups. The trace, if there is one, tells of `elements` in `round`. */
static int enqueue(struct mu_plan_run *run, size_t kernel, size_t groups, uint32_t elements, uint32_t round)
{
    const struct mu_execution *execution = run->execution;
    const size_t workgroup = execution->build.workgroup, items = groups * workgroup;
    cl_event *event = mu_trace_launch(execution->trace, kernel, elements, round);
    mu_place_note(execution->place, ++run->sample->launches, execution->kernel_names[kernel] + strlen(STEP_PREFIX));
    return mu_cl_check(clEnqueueNDRangeKernel(execution->target->queue, execution->kernels[kernel], 1, NULL, &items,
                                              &workgroup, 0, NULL, event),
                       execution->kernel_names[kernel], run->err);
}

/* Sets the arguments of mu_step in variants/teams/multi_kernel.clh. */
static int set_step_arguments(struct mu_plan_run *run, cl_kernel kernel, const struct mu_step_arguments *arguments)
{
    const cl_uint4 values = {.s = {arguments->extent, arguments->a, arguments->b, (cl_uint)run->sample->launches + 1}};
    return mu_cl_check(clSetKernelArg(kernel, run->execution->argument_count, sizeof values, &values),
                       "clSetKernelArg of a step", run->err);
}

/* Counts a step, and stops a plan that goes on for ever. */
static int count_step(struct mu_plan_run *run, const char *name)
{
    const uint32_t limit = run->execution->limit;
    if (limit == 0 || run->steps++ < limit) return MU_OK;
    return mu_fail(run->err, MU_DEADLOCK, "the plan has had %u steps and goes on, now with step %s (--rounds)", limit,
                   name + strlen(STEP_PREFIX));
}

int mu_plan_step(struct mu_plan_run *run, const char *name, struct mu_step_arguments arguments)
{
    if (run->err->status != MU_OK || count_step(run, name) != MU_OK) return run->err->status;
    run->step_groups = 0;
    if (arguments.extent == 0) return MU_OK;
    const size_t kernel = find_kernel(run->execution, name);
    if (kernel == run->execution->kernel_count)
        return mu_fail(run->err, MU_BUILD, "the plan of %s launches %s, which its steps do not define",
                       run->execution->instance->app->name, name);
    if (set_step_arguments(run, run->execution->kernels[kernel], &arguments) != MU_OK) return run->err->status;
    const size_t workgroup = run->execution->build.workgroup;
    const size_t fitting = ((size_t)arguments.extent + workgroup - 1) / workgroup;
    const size_t groups = run->execution->grid != 0 ? run->execution->grid : fitting;
    run->step_groups = (uint32_t)groups;
    if (mu_execution_need_parts(run->execution, run->step_groups, run->err) != MU_OK) return run->err->status;
    run->is_known = false;
    run->step_turn = (uint32_t)run->sample->launches + 1;
    return enqueue(run, kernel, groups, arguments.extent, arguments.a);
}

int mu_plan_beside(struct mu_plan_run *run, const char *name, struct mu_step_arguments arguments)
{
    const uint32_t groups = run->step_groups, turn = run->step_turn;
    mu_plan_step(run, name, arguments);
    run->step_groups = groups;
    run->step_turn = turn;
    return run->err->status;
}

/* Reads words of a buffer from an element on; zeros after a failure. */
static void read_back(struct mu_plan_run *run, size_t buffer, size_t element, size_t count, cl_uint *words)
{
    const size_t bytes = mu_instance_element_bytes(run->execution->instance, buffer);
    const struct mu_flags flags = {run->execution->buffers[buffer], element * bytes / sizeof *words,
                                   (uint32_t)(count * bytes / sizeof *words)};
    if (run->err->status == MU_OK) run->sample->readbacks++;
    if (run->err->status != MU_OK ||
        mu_read_back(run->execution->target, &run->execution->pinned, &flags, words, run->err) != MU_OK)
        memset(words, 0, count * bytes);
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
    if (mu_read_back(execution->target, &execution->pinned, &flags, run->words, run->err) != MU_OK) return 0;
    run->is_known = whole;
    run->known = buffer;
    return run->words[whole ? index : 0];
}

double mu_plan_read_real(struct mu_plan_run *run, size_t buffer, uint index)
{
    union {
        cl_uint words[2];
        double real; /* for its alignment */
    } element = {{0, 0}};
    read_back(run, buffer, index, 1, element.words);
    return mu_instance_real(run->execution->instance, &element, 0);
}

_Static_assert(MU_FLAG_SAME + 1 == MU_FLAG_WORDS && MU_COUNTER_UNUSED + 1 == MU_COUNTER_WORDS, "words of roles");

/* Records that a rule is broken (variants/launch/plan_step.h). */
static void refuse(struct mu_plan_run *run, size_t buffer, uint32_t rule, uint round, uint told)
{
    const struct mu_broken_rule broken = {rule, (uint32_t)buffer, round, told, 0};
    if (run->err->status == MU_OK) mu_report_rule(&run->execution->plan, &broken, run->err);
}

bool mu_plan_stamped(struct mu_plan_run *run, size_t buffer, uint round)
{
    cl_uint words[MU_FLAG_WORDS] = {0};
    read_back(run, buffer, 0, MU_FLAG_WORDS, words);
    const uint told = words[MU_FLAG_TOLD], same = words[MU_FLAG_SAME];
    if (round == 0) refuse(run, buffer, MU_RULE_ROUND_ZERO, round, told);
    if (words[MU_FLAG_LAST] != 0 && told == 0) refuse(run, buffer, MU_RULE_STAMP_ZERO, round, told);
    if (told > round) refuse(run, buffer, MU_RULE_ROUND_PAST, round, told);
    /* What a question has found right is so for those behind it. */
    const bool again = words[MU_FLAG_LAST] == run->asked[buffer];
    if (same != 0 && same != run->asked[buffer] && !again) refuse(run, buffer, MU_RULE_TWO_STEPS, told, told);
    run->asked[buffer] = words[MU_FLAG_LAST];
    return run->err->status == MU_OK && told == round && words[MU_FLAG_STAMP] == words[MU_FLAG_LAST];
}

uint mu_plan_counted(struct mu_plan_run *run, size_t buffer, uint round)
{
    cl_uint words[MU_COUNTER_WORDS] = {0};
    read_back(run, buffer, 0, MU_COUNTER_WORDS, words);
    const uint told = words[MU_COUNTER_TOLD];
    if (round == 0) refuse(run, buffer, MU_RULE_ROUND_ZERO, round, told);
    if (words[MU_COUNTER_BROKEN] != 0) refuse(run, buffer, MU_RULE_RISE, told - 1, words[MU_COUNTER_BROKEN]);
    if (told != round) refuse(run, buffer, MU_RULE_COUNTED, round, told);
    const uint count = run->err->status == MU_OK ? words[round % 3] : 0;
    run->sample->lists += count != 0;
    run->sample->listed += count;
    return count;
}

/* Elements that a work-item takes together in one launch. */
#define PARTS_OF_AN_ITEM 8

/* Launches what takes the parts of the last step together, until one is left. Returns its element in the buffer. */
static uint reduce(struct mu_plan_run *run, size_t buffer)
{
    const struct mu_buffer *row = &run->execution->instance->app->buffers[buffer];
    const size_t workgroup = run->execution->build.workgroup, share = PARTS_OF_AN_ITEM * workgroup;
    cl_uint turn = 0;
    char name[32];
    snprintf(name, sizeof name, "mu_total_%s_%s", row->type == MU_TYPE_real ? "real" : "uint",
             row->role == MU_ROLE_SUM ? "SUM" : "MAX");
    const size_t found = find_kernel(run->execution, name);
    cl_kernel kernel = found < run->execution->kernel_count ? run->execution->kernels[found] : NULL;
    for (cl_uint count = run->step_groups; count > 1 && run->err->status == MU_OK; turn = 1 - turn) {
        const size_t groups = (count + share - 1) / share;
        cl_int status = clSetKernelArg(kernel, 0, sizeof(cl_mem), &run->execution->buffers[buffer]);
        if (status == CL_SUCCESS) status = clSetKernelArg(kernel, 1, sizeof count, &count);
        if (status == CL_SUCCESS) status = clSetKernelArg(kernel, 2, sizeof turn, &turn);
        if (mu_cl_check(status, name, run->err) == MU_OK) enqueue(run, found, groups, count, 0);
        count = (cl_uint)groups;
    }
    return turn;
}

/* Returns the parts of the last step taken together, as `real` or `uint`. A step that does not contribute leaves the
 * number of an earlier launch in front of the parts. */
static double total(struct mu_plan_run *run, size_t buffer)
{
    union {
        cl_uint words[2 * (MU_PARTS + 2)];
        double real; /* for its alignment */
    } read = {{0}};
    const struct mu_instance *instance = run->execution->instance;
    const bool real = instance->app->buffers[buffer].type == MU_TYPE_real;
    const uint step = run->step_turn;
    if (run->whole[buffer].step != step) {
        run->whole[buffer].turn = reduce(run, buffer);
        run->whole[buffer].step = step;
    }
    read_back(run, buffer, 0, MU_PARTS + 2, read.words);
    const uint64_t whole = MU_PARTS + run->whole[buffer].turn;
    const double last = real ? mu_instance_real(instance, &read, 0) : read.words[0];
    const double due = real && instance->setup.single ? (float)step : (double)step;
    if (last != due) refuse(run, buffer, MU_RULE_BEHIND, step, (uint)last);
    if (run->err->status != MU_OK) return 0;
    return real ? mu_instance_real(instance, &read, whole) : read.words[whole];
}

uint mu_plan_total(struct mu_plan_run *run, size_t buffer)
{
    return run->err->status == MU_OK && run->step_groups != 0 ? (uint)total(run, buffer) : 0;
}

double mu_plan_total_real(struct mu_plan_run *run, size_t buffer)
{
    const bool largest = run->execution->instance->app->buffers[buffer].role == MU_ROLE_MAX;
    if (run->err->status != MU_OK) return 0;
    if (run->step_groups == 0) return largest ? -INFINITY : 0;
    return total(run, buffer);
}

int mu_run_multi_kernel(struct mu_execution *execution, struct mu_sample *sample, struct mu_error *err)
{
    struct mu_plan_run run = {.execution = execution, .sample = sample, .err = err};
    const uint64_t start = mu_now_ns();
    execution->instance->app->plan(&run, execution->instance->state);
    mu_cl_check(clFinish(execution->target->queue), "clFinish after a run", err);
    sample->host_ns += mu_now_ns() - start;
    mu_place_leave(execution->place);
    return err->status;
}
