/* Buffers that outlive an execution: the next one of the instance takes those that still fit, and is right. And the
 * queue of an execution, which takes times of events only while it is told to. */
#include "tests/on_device.h"
#include "tests/tap.h"

/* How many of the app's buffers the execution has as they were in `before`. */
static size_t count_same(const struct mu_execution *execution, const struct mu_held_buffers *before)
{
    size_t same = 0;
    for (size_t buffer = 0; buffer < execution->instance->app->buffer_count; buffer++)
        same += execution->buffers[buffer] == before->buffers[buffer];
    return same;
}

/* Another execution with what is held, which must have `same` of these buffers; it leaves its own in `held`. */
static void goes_on(const struct on_device *device, struct mu_instance *instance, uint64_t layout, size_t same,
                    struct mu_held_buffers *held, const char *what)
{
    const struct mu_launch launch = {.groups = 1, .expected = 1, .patience = 1};
    struct mu_held_buffers before = *held;
    struct mu_execution *execution = NULL;
    struct mu_sample sample;
    struct mu_error err = {0};
    cl_program program = NULL;
    size_t found = 0;
    /* So that no other buffer gets the place of one that is released. */
    for (size_t buffer = 0; buffer < MU_MAX_BUFFERS; buffer++)
        if (before.buffers[buffer] != NULL) clRetainMemObject(before.buffers[buffer]);
    if (open_on(device, instance, layout, held, &program, &execution, &err) == MU_OK) {
        found = count_same(execution, &before);
        if (mu_execution_run(execution, &launch, &sample, &err) == MU_OK &&
            mu_execution_fetch(execution, &err) == MU_OK)
            instance->app->check(instance, &err);
    }
    CHECK(err.status == MU_OK, "%s: the result is right %s", what, err.message);
    CHECK(found == same, "%s: %zu buffers are those of before, not %zu", what, same, found);
    CHECK(held->buffers[0] == NULL, "%s: nothing is held beside an execution", what);
    mu_held_release(&before);
    mu_execution_end(execution, held);
    if (program != NULL) clReleaseProgram(program);
}

static void test_held(const struct on_device *device, const struct mu_app *app, const struct mu_graph *graph)
{
    const struct mu_app_setup setup = {.seed = 1, .single = !device->info.has_double};
    struct mu_held_buffers held = {0};
    struct mu_instance *instance = NULL;
    struct mu_error err = {0};
    if (CHECK(mu_instance_new(app, graph, &setup, &instance, &err) == MU_OK, "an instance %s", err.message)) {
        goes_on(device, instance, 0, 0, &held, "nothing held");
        goes_on(device, instance, 0, app->buffer_count, &held, "all held");
        held.lengths[0]++;
        goes_on(device, instance, 0, app->buffer_count - 1, &held, "one of another length");
        goes_on(device, instance, 1, 0, &held, "another layout");
        goes_on(device, instance, 1, app->buffer_count, &held, "the same layout");
    }
    mu_held_release(&held);
    mu_instance_free(instance);
}

static bool takes_times(const struct mu_execution *execution)
{
    cl_command_queue_properties properties = 0;
    return clGetCommandQueueInfo(execution->target->queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties, NULL) ==
               CL_SUCCESS &&
           (properties & CL_QUEUE_PROFILING_ENABLE) != 0 && execution->team.events &&
           execution->team.target == execution->target;
}

static void test_times(const struct on_device *device, const struct mu_app *app, const struct mu_graph *graph)
{
    const struct mu_app_setup setup = {.seed = 1, .single = !device->info.has_double};
    struct mu_held_buffers none = {0};
    struct mu_instance *instance = NULL;
    struct mu_execution *execution = NULL;
    struct mu_timed times = {0};
    struct mu_error err = {0};
    cl_program program = NULL;
    if (mu_instance_new(app, graph, &setup, &instance, &err) == MU_OK)
        open_on(device, instance, 0, &none, &program, &execution, &err);
    if (CHECK(err.status == MU_OK, "an execution %s", err.message) && execution != NULL) {
        CHECK(mu_execution_take_times(execution, &times, &err) == MU_OK && takes_times(execution),
              "an execution takes times %s", err.message);
        mu_execution_leave_times(execution, &times);
        CHECK(execution->target == &device->target && execution->team.target == &device->target &&
                  !execution->team.events,
              "and is as before behind that");
        mu_execution_leave_times(execution, &times);
        CHECK(execution->target == &device->target, "to leave what was not taken changes nothing");
    }
    mu_execution_free(execution);
    mu_instance_free(instance);
    if (program != NULL) clReleaseProgram(program);
}

int main(void)
{
    struct on_device device = {0};
    struct mu_graph *graph = NULL;
    struct mu_error err = {0};
    if (!tap_in_full()) compile_unoptimised();
    if (!open_pocl(&device)) {
        tap_skip("buffers that outlive an execution", "there is no PoCL (Debian package pocl-opencl-icd)");
        return tap_done();
    }
    const struct mu_app *app = mu_app_find("irgl/bfs-topo", &err);
    if (app == NULL || mu_graph_load("road:6", 1, &graph, &err) != MU_OK) return 99;
    test_held(&device, app, graph);
    test_times(&device, app, graph);
    mu_graph_free(graph);
    mu_device_close(&device.target);
    return tap_done();
}
