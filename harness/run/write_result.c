/* The result as text: a line for each vertex, unless the app has a form of its own. */
#include "harness/run/process.h"

#include "base/sink.h"

#include <stdio.h>

static void write_value(struct mu_sink *sink, const struct mu_instance *instance, size_t buffer, uint64_t i)
{
    const void *array = *mu_instance_array(instance, buffer);
    char text[40];
    switch (instance->app->buffers[buffer].type) {
    case MU_TYPE_uint:
        mu_sink_number(sink, ((const uint32_t *)array)[i], '\n');
        return;
    case MU_TYPE_ulong:
        mu_sink_number(sink, ((const uint64_t *)array)[i], '\n');
        return;
    case MU_TYPE_float:
        snprintf(text, sizeof text, "%.9g\n", (double)((const float *)array)[i]);
        break;
    case MU_TYPE_double:
        snprintf(text, sizeof text, "%.17g\n", ((const double *)array)[i]);
        break;
    case MU_TYPE_real:
        snprintf(text, sizeof text, instance->setup.single ? "%.9g\n" : "%.17g\n",
                 mu_instance_real(instance, array, i));
        break;
    default:
        return;
    }
    mu_sink_text(sink, text);
}

int mu_write_result(const struct mu_instance *instance, const char *path, struct mu_error *err)
{
    if (instance->app->write != NULL) return instance->app->write(instance, path, err);
    const size_t buffer = mu_app_buffer(instance->app, instance->app->result);
    struct mu_sink *sink = NULL;
    if (mu_sink_open(path, &sink, err) != MU_OK) return err->status;
    for (uint64_t i = 0; i < instance->graph->vertices; i++) write_value(sink, instance, buffer, i);
    return mu_sink_close(sink, MU_OK, err);
}
