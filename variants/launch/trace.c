#include "variants/launch/trace.h"

#include "base/memory.h"
#include "variants/launch/report.h"

#include <string.h>

int mu_trace_begin(struct mu_trace *trace, struct mu_execution *execution, bool has_clock, struct mu_error *err)
{
    *trace = (struct mu_trace){.execution = execution, .has_clock = has_clock};
    trace->launches = mu_malloc(MU_TRACE_KEPT, sizeof *trace->launches, "a trace", err);
    if (trace->launches == NULL) return err->status;
    if (has_clock && mu_execution_take_times(execution, &trace->times, err) != MU_OK) return err->status;
    execution->trace = trace;
    return MU_OK;
}

cl_event *mu_trace_launch(struct mu_trace *trace, size_t kernel, uint32_t elements, uint32_t round)
{
    if (trace == NULL) return NULL;
    if (trace->count == MU_TRACE_KEPT) {
        trace->left_out++;
        return NULL;
    }
    struct mu_traced_launch *launch = &trace->launches[trace->count++];
    *launch = (struct mu_traced_launch){.kernel = (uint32_t)kernel, .elements = elements, .round = round};
    return trace->has_clock ? &launch->event : NULL;
}

/* Reads the time of a launch. One that failed has left no event. */
static int read_time(struct mu_traced_launch *launch, struct mu_error *err)
{
    cl_ulong start = 0, end = 0;
    if (launch->event == NULL) return MU_OK;
    cl_int status = clGetEventProfilingInfo(launch->event, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL);
    if (status == CL_SUCCESS)
        status = clGetEventProfilingInfo(launch->event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL);
    if (mu_cl_check(status, "the times of a launch", err) != MU_OK) return err->status;
    return mu_times_apart(start, end, &launch->device_ns, err);
}

int mu_trace_end(struct mu_trace *trace, struct mu_error *err)
{
    mu_cl_check(clFinish(trace->execution->target->queue), "clFinish behind a trace", err);
    for (size_t i = 0; i < trace->count; i++) {
        if (err->status == MU_OK) read_time(&trace->launches[i], err);
        if (trace->launches[i].event != NULL) clReleaseEvent(trace->launches[i].event);
        trace->launches[i].event = NULL;
    }
    mu_execution_leave_times(trace->execution, &trace->times);
    trace->execution->trace = NULL;
    return err->status;
}

void mu_trace_free(struct mu_trace *trace)
{
    mu_free(trace->launches);
    trace->launches = NULL;
}

/* ---- As JSON ---- */

struct total {
    uint64_t launches, elements, device_ns;
};

static void add(struct total *total, const struct mu_traced_launch *launch)
{
    total->launches++;
    total->elements += launch->elements;
    total->device_ns += launch->device_ns;
}

static size_t bits_of(uint32_t elements)
{
    size_t bits = 0;
    for (; elements != 0; elements >>= 1) bits++;
    return bits;
}

static void set_total(struct mu_json *object, const struct total *total, bool timed)
{
    mu_json_set_number(object, "launches", total->launches);
    mu_json_set_number(object, "elements", total->elements);
    if (timed) mu_json_set_number(object, "device_ns", total->device_ns);
}

/* Returns the step's name in the plan, or the kernel's: those that take the parts of a reduction together are in no
 * plan. */
static const char *step_name(const struct mu_trace *trace, size_t kernel)
{
    static const char prefix[] = "mu_step_";
    const char *name = trace->execution->kernel_names[kernel];
    return strncmp(name, prefix, sizeof prefix - 1) == 0 ? name + sizeof prefix - 1 : name;
}

/* Appends a kernel's launches, all together and by their size. */
static void append_step(const struct mu_trace *trace, size_t kernel, bool timed, struct mu_json *steps)
{
    struct total all = {0}, sizes[MU_TRACE_SIZES] = {{0}};
    for (size_t i = 0; i < trace->count; i++) {
        if (trace->launches[i].kernel != kernel) continue;
        add(&all, &trace->launches[i]);
        add(&sizes[bits_of(trace->launches[i].elements)], &trace->launches[i]);
    }
    if (all.launches == 0) return;
    struct mu_json step = mu_json_object(), by_size = mu_json_array();
    mu_json_set_text(&step, "step", step_name(trace, kernel));
    set_total(&step, &all, timed);
    for (size_t bits = 0; bits < MU_TRACE_SIZES; bits++) {
        if (sizes[bits].launches == 0) continue;
        struct mu_json size = mu_json_object();
        mu_json_set_number(&size, "bits", bits);
        set_total(&size, &sizes[bits], timed);
        mu_json_append_part(&by_size, &size);
    }
    mu_json_set_part(&step, "by_size", &by_size);
    mu_json_append_part(steps, &step);
}

/* Lists the first launches, one by one, as columns. */
static struct mu_json list_first(const struct mu_trace *trace, bool timed)
{
    struct mu_json columns = mu_json_object(), steps = mu_json_array(), rounds = mu_json_array(),
                   elements = mu_json_array(), times = mu_json_array();
    for (size_t i = 0; i < trace->count && i < MU_TRACE_LISTED; i++) {
        const struct mu_traced_launch *launch = &trace->launches[i];
        mu_json_append_text(&steps, step_name(trace, launch->kernel));
        mu_json_append_number(&rounds, launch->round);
        mu_json_append_number(&elements, launch->elements);
        mu_json_append_number(&times, launch->device_ns);
    }
    mu_json_set_part(&columns, "step", &steps);
    mu_json_set_part(&columns, "round", &rounds);
    mu_json_set_part(&columns, "elements", &elements);
    if (timed) mu_json_set_part(&columns, "device_ns", &times);
    mu_json_release(&times);
    return columns;
}

/* Returns the time of the shortest launch, which the device takes for one at least. Some clocks tick too slowly for the
 * shortest ones. */
static uint64_t least_ns(const struct mu_trace *trace)
{
    uint64_t least = UINT64_MAX;
    for (size_t i = 0; i < trace->count; i++)
        if (trace->launches[i].device_ns < least) least = trace->launches[i].device_ns;
    return least;
}

struct mu_json mu_trace_to_json(const struct mu_trace *trace)
{
    struct total all = {0};
    struct mu_json object = mu_json_object(), steps = mu_json_array();
    for (size_t i = 0; i < trace->count; i++) add(&all, &trace->launches[i]);
    const bool timed = all.device_ns != 0;
    set_total(&object, &all, timed);
    if (timed) mu_json_set_number(&object, "least_ns", least_ns(trace));
    if (trace->left_out != 0) mu_json_set_number(&object, "left_out", trace->left_out);
    for (size_t kernel = 0; kernel < trace->execution->kernel_count; kernel++)
        append_step(trace, kernel, timed, &steps);
    struct mu_json first = list_first(trace, timed);
    mu_json_set_part(&object, "steps", &steps);
    mu_json_set_part(&object, "first", &first);
    return object;
}
