#include "harness/engine/cost.h"

#include "records/schema.h"

#include <stdio.h>
#include <stdlib.h>

void mu_cost_of(const char *kind, const char *wide, const char *narrow, struct mu_cost *cost)
{
    *cost = (struct mu_cost){0};
    snprintf(cost->kind, sizeof cost->kind, "%s", kind);
    cost->names[0] = cost->kind;
    if (wide == NULL) return;
    snprintf(cost->wide, sizeof cost->wide, "%s %s", kind, wide);
    cost->names[1] = cost->wide;
    if (narrow == NULL) return;
    snprintf(cost->narrow, sizeof cost->narrow, "%s %s", kind, narrow);
    cost->names[2] = cost->narrow;
}

/* Learns from a record of a test. The wide group is the app; the narrow one is the comparison: app, input and
 * options. */
static void learn_test(struct mu_progress *progress, const json_t *record)
{
    struct mu_cost cost;
    const char *app = mu_json_text_or(record, "app", NULL), *comparison = mu_json_text_or(record, "comparison", NULL);
    uint64_t ns = mu_json_number(record, "wall_ns");
    const uint64_t build_ns =
        json_is_false(json_object_get(record, "build_cached")) ? mu_json_number(record, "build_ns") : 0;
    if (app == NULL || comparison == NULL || ns <= build_ns) return;
    mu_cost_of(mu_record_kind(record), app, comparison, &cost);
    mu_progress_learn(progress, cost.names, (double)(ns - build_ns) * 1e-9);
}

/* Learns from a record of an experiment. A process may leave several records, all with the time of the process; only
 * the first one counts. */
static void learn_experiment(struct mu_progress *progress, const json_t *record)
{
    struct mu_cost cost;
    const json_t *parameters = json_object_get(record, "parameters");
    const double seconds = mu_json_real(record, "seconds");
    if (mu_json_number(record, "part") != 0 || seconds <= 0) return;
    char *point = json_dumps(parameters, JSON_COMPACT | JSON_SORT_KEYS);
    mu_cost_of(mu_record_kind(record), mu_json_text(parameters, "experiment"), point, &cost);
    mu_progress_learn(progress, cost.names, seconds);
    free(point);
}

void mu_cost_learn(struct mu_progress *progress, const json_t *record)
{
    if (json_is_object(json_object_get(record, "parameters")))
        learn_experiment(progress, record);
    else
        learn_test(progress, record);
}

/* Learns from one record of a store. For mu_store_each. */
static int learn(void *context, json_t *record, const struct mu_line *line, struct mu_error *err)
{
    (void)line;
    mu_cost_learn(context, record);
    return err->status;
}

int mu_cost_learn_all(struct mu_progress *progress, const struct mu_store *store, struct mu_error *err)
{
    static const char *const members[] = {MU_COST_MEMBERS, NULL};
    return mu_store_each(store, members, learn, progress, err);
}

double mu_cost_expect(const struct mu_progress *progress, const struct mu_cost *cost, double otherwise)
{
    return mu_progress_expect(progress, cost->names, otherwise);
}

bool mu_cost_is_known(const struct mu_progress *progress, const struct mu_cost *cost)
{
    return mu_json_count(json_object_get(progress->costs.value, cost->narrow), "count") != 0;
}
