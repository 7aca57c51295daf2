#include "harness/engine/environment.h"

#include "harness/run/resolve.h"
#include "variants/launch/opencl.h"

static int call_child(void *context, struct mu_call *call, json_t **response, struct mu_error *err)
{
    const struct mu_device_info *info = context;
    const struct mu_child_environment environment = {info->icd, &call->settings, call->on_progress, call->taker};
    const bool place = mu_placement_allow(call->placement, info, call->not_placed);
    if (json_object_set_new(call->request, "place", json_boolean(place)) != 0)
        return mu_fail(err, MU_NO_MEMORY, "out of memory: a request");
    return mu_child_call(call->request, &environment, call->deadline_s, response, err);
}

static int check_device(void *context, bool fresh, struct mu_selftest *selftest, struct mu_error *err)
{
    return mu_selftest_get(context, !fresh, 0, selftest, err);
}

static int resolve_test(void *context, const struct mu_asked *asked, struct mu_test *test, struct mu_error *err)
{
    return mu_resolve(asked, context, test, err);
}

static bool is_interrupted(void *context)
{
    (void)context;
    return mu_interrupted();
}

static uint64_t read_clock(void *context)
{
    (void)context;
    return mu_now_ns();
}

static bool read_processors(void *context, struct mu_processor_times *times)
{
    (void)context;
    return mu_processors_read("", times);
}

struct mu_engine_environment mu_engine_environment_of(const struct mu_device_info *info)
{
    return (struct mu_engine_environment){.context = (void *)info,
                                          .call = call_child,
                                          .check = check_device,
                                          .resolve = resolve_test,
                                          .interrupted = is_interrupted,
                                          .now_ns = read_clock,
                                          .processors = read_processors};
}
