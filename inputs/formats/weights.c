#include "inputs/formats/reading.h"

#include "base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

bool mu_weight_of(const struct mu_reading *reading, double value, uint32_t *weight)
{
    const double wanted = mu_reading_scales(reading) ? floor(value * reading->weights + 0.5) : value;
    if (!(value >= 0 && wanted <= UINT32_MAX) || wanted != floor(wanted)) return false;
    *weight = (uint32_t)wanted;
    return true;
}

void mu_graph_refuse_weights(struct mu_graph *graph, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(graph->weights_from, sizeof graph->weights_from, format, arguments);
    va_end(arguments);
    graph->weights_refused = true;
    mu_free(graph->weight);
    graph->weight = NULL;
}

/* Multiplies weights that are whole numbers already. */
static void scale(struct mu_graph *graph, const struct mu_reading *reading)
{
    for (uint64_t arc = 0; graph->weight != NULL && arc < graph->edges; arc++)
        if (!mu_weight_of(reading, graph->weight[arc], &graph->weight[arc]))
            mu_graph_refuse_weights(graph, "a weight times %g is beyond 4294967295", reading->weights);
}

void mu_graph_settle_weights(struct mu_graph *graph, const struct mu_reading *reading)
{
    const bool generates = mu_reading_generates(reading), scales = mu_reading_scales(reading);
    if (graph->weights_refused) return;
    if (graph->weight != NULL && generates) {
        mu_free(graph->weight);
        graph->weight = NULL;
    }
    if (graph->weight == NULL && generates)
        snprintf(graph->weights_from, sizeof graph->weights_from, "generated (--weights=generated)");
    else if (graph->weight == NULL && reading->weights > 0)
        mu_graph_refuse_weights(graph, "the input has no weights");
    else if (graph->weight == NULL)
        snprintf(graph->weights_from, sizeof graph->weights_from, "generated (the input has none)");
    else if (!scales)
        snprintf(graph->weights_from, sizeof graph->weights_from, "from the input");
    else
        snprintf(graph->weights_from, sizeof graph->weights_from, "from the input, times %g, rounded",
                 reading->weights);
    if (scales && !reading->scaled) scale(graph, reading);
}
