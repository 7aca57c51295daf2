/* Apps that cannot know how much room they need: the plan ends, the host enlarges, the plan goes on. */
#include "variants/launch/execution.h"

#include "base/memory.h"

int mu_execution_restart(struct mu_execution *execution, struct mu_error *err)
{
    struct mu_instance *instance = execution->instance;
    if (instance->app->grow == NULL) return MU_OK;
    if (instance->app->grow(instance, NULL, err) != MU_OK) return err->status;
    return mu_execution_set_state(execution, err);
}

/* Reads what the plan left in the buffer `wanted`. */
static int read_wanted(const struct mu_execution *execution, uint32_t *wanted, struct mu_error *err)
{
    const struct mu_app *app = execution->instance->app;
    const size_t buffer = mu_app_buffer(app, app->wanted);
    const uint64_t words = execution->lengths[buffer];
    if (words > MU_MAX_WANTED)
        return mu_fail(err, MU_LIMIT, "%s: %s has more than %d words", app->name, app->wanted, MU_MAX_WANTED);
    return mu_cl_check(clEnqueueReadBuffer(execution->target->queue, execution->buffers[buffer], CL_TRUE, 0,
                                           (size_t)words * sizeof *wanted, wanted, 0, NULL, NULL),
                       "reading what room is wanted", err);
}

/* Makes a longer buffer with the same content at its start, and frees the result's host array, now too short. */
static int enlarge(struct mu_execution *execution, size_t buffer, struct mu_error *err)
{
    struct mu_instance *instance = execution->instance;
    const uint64_t length = execution->lengths[buffer];
    const size_t bytes = (size_t)length * mu_instance_element_bytes(instance, buffer);
    cl_mem old = execution->buffers[buffer];
    execution->buffers[buffer] = NULL;
    if (mu_execution_make_buffer(execution, buffer, err) == MU_OK &&
        mu_execution_poison(execution, buffer, err) == MU_OK && bytes != 0)
        mu_cl_check(
            clEnqueueCopyBuffer(execution->target->queue, old, execution->buffers[buffer], 0, 0, bytes, 0, NULL, NULL),
            "clEnqueueCopyBuffer", err);
    if (err->status == MU_OK) mu_cl_check(clFinish(execution->target->queue), "clFinish after a copy", err);
    mu_execution_drop_buffer(execution, buffer, old, length);
    void **array = mu_instance_array(instance, buffer);
    mu_free(*array);
    *array = NULL;
    return err->status;
}

int mu_execution_grow(struct mu_execution *execution, bool *grown, struct mu_error *err)
{
    struct mu_instance *instance = execution->instance;
    const struct mu_app *app = instance->app;
    uint32_t wanted[MU_MAX_WANTED] = {0};
    *grown = false;
    if (app->grow == NULL || read_wanted(execution, wanted, err) != MU_OK || wanted[0] == 0) return err->status;
    if (app->grow(instance, wanted, err) != MU_OK) return err->status;
    for (size_t buffer = 0; buffer < app->buffer_count; buffer++) {
        if (app->buffers[buffer].role == MU_ROLE_INPUT) continue;
        if (app->length(instance, buffer) > execution->lengths[buffer] && enlarge(execution, buffer, err) != MU_OK)
            return err->status;
    }
    /* The plan's steps are numbered anew. */
    for (size_t buffer = 0; buffer < app->buffer_count; buffer++)
        if (mu_role_has_protocol(app->buffers[buffer].role) && mu_execution_poison(execution, buffer, err) != MU_OK)
            return err->status;
    *grown = true;
    return mu_execution_set_state(execution, err);
}
