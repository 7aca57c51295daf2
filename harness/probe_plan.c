/* Which experiments a probe makes, and what earlier ones tell later ones. */
#include "harness/probe.h"

#include "harness/progress.h"
#include "harness/test.h"

#include <string.h>

#define RUNS           50  /* of each roll call, for recall (OOPSLA 2016, section 5.1) */
#define COST_RUNS      20  /* for cost */
#define ALL_RUNS       200 /* that a patience must find the whole bound in */
#define QUICK_RUNS     5
#define LAUNCHES       200 /* of each kernel time, for utilisation */
#define SMALLEST_SWEPT 32
#define LARGEST_SWEPT  1024
#define LEAST_LOCAL    1

/* The experiment's parameters: name, value pairs of numbers that are not negative, ended by NULL. */
struct number {
    const char *name;
    uint32_t value;
};

static void plan(json_t *all, const char *experiment, const struct number *numbers)
{
    json_t *object = json_pack("{s:s}", "experiment", experiment), *other;
    size_t i;
    for (; numbers != NULL && numbers->name != NULL; numbers++)
        json_object_set_new(object, numbers->name, json_integer(numbers->value));
    bool is_planned = false; /* a microbenchmark may have one of the sizes that are swept */
    json_array_foreach (all, i, other) is_planned = is_planned || json_equal(object, other);
    if (!is_planned) json_array_append(all, object);
    json_decref(object);
}

static uint32_t largest_workgroup(const struct mu_device_info *info)
{
    uint32_t workgroup = 1;
    while (workgroup * 2 <= info->max_workgroup && workgroup < 1u << (MU_PROFILE_SIZES - 1)) workgroup *= 2;
    return workgroup;
}

/* Experiments on each of the four microbenchmarks: least or all local memory, one work-item or the largest workgroup.
 */
static void plan_microbenchmarks(json_t *all, const struct mu_device_info *info, const char *experiment, uint32_t runs)
{
    const uint32_t most = info->local_bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)info->local_bytes;
    const uint32_t locals[] = {LEAST_LOCAL, most}, workgroups[] = {1, largest_workgroup(info)};
    for (int i = 0; i < 4; i++) {
        const struct number numbers[] = {{"workgroup", workgroups[i % 2]},
                                         {"local_bytes", locals[i / 2]},
                                         {runs != 0 ? "runs" : NULL, runs},
                                         {NULL, 0}};
        plan(all, experiment, numbers);
    }
}

/* Experiments on the simple kernel by workgroup size. A CPU runs work-items one after another, so that few sizes tell
 * all; a quick probe has one size. */
static void plan_sizes(json_t *all, const struct mu_device_info *info, bool quick, const char *experiment,
                       uint32_t runs)
{
    const uint32_t usual = mu_default_workgroup(info);
    for (uint32_t workgroup = SMALLEST_SWEPT; workgroup <= LARGEST_SWEPT && workgroup <= info->max_workgroup;
         workgroup *= 2) {
        const bool end = workgroup == SMALLEST_SWEPT || workgroup == LARGEST_SWEPT;
        if (workgroup != usual && (quick || (info->cpu && !end))) continue;
        const struct number numbers[] = {
            {"workgroup", workgroup}, {"local_bytes", LEAST_LOCAL}, {runs != 0 ? "runs" : NULL, runs}, {NULL, 0}};
        plan(all, experiment, numbers);
    }
}

static void plan_app(json_t *all, const struct mu_device_info *info, const struct mu_probe_options *options)
{
    for (uint32_t workgroup = SMALLEST_SWEPT; workgroup <= LARGEST_SWEPT && workgroup <= info->max_workgroup;
         workgroup *= 2) {
        const uint32_t wanted = options->workgroup;
        if (wanted != 0 ? workgroup != SMALLEST_SWEPT : info->cpu && workgroup != mu_default_workgroup(info)) continue;
        json_array_append_new(all,
                              json_pack("{s:s, s:s, s:s, s:I}", "experiment", "app", "app", options->app, "input",
                                        options->input, "workgroup", (json_int_t)(wanted != 0 ? wanted : workgroup)));
    }
}

json_t *mu_probe_plan(const struct mu_device_info *info, const struct mu_selftest *selftest,
                      const struct mu_probe_options *options)
{
    const bool quick = options->quick;
    const uint32_t usual = mu_default_workgroup(info);
    const struct number launches[] = {{"launches", quick ? LAUNCHES / 10 : LAUNCHES}, {NULL, 0}};
    const struct number delays[] = {
        {"workgroup", usual}, {"local_bytes", LEAST_LOCAL}, {"runs", quick ? QUICK_RUNS : RUNS}, {NULL, 0}};
    json_t *all = json_array();
    if (all == NULL || selftest->trust == MU_REFUSED) return all;
    if (options->app != NULL) {
        plan_app(all, info, options);
        return all;
    }
    plan(all, "launch", NULL);
    plan(all, "utilisation", launches);
    plan(all, "combining", NULL);
    plan(all, "divergence", NULL);
    plan_microbenchmarks(all, info, "bound", 0);
    plan_sizes(all, info, quick, "bound", 0);
    plan_microbenchmarks(all, info, "patience", quick ? QUICK_RUNS : ALL_RUNS);
    plan_microbenchmarks(all, info, "verify", quick ? QUICK_RUNS : ALL_RUNS);
    plan(all, "progress", NULL);
    plan_microbenchmarks(all, info, "recall", quick ? QUICK_RUNS : RUNS);
    plan_sizes(all, info, quick, "cost", quick ? QUICK_RUNS : COST_RUNS);
    plan_sizes(all, info, quick, "barrier", 0);
    if (info->cpu) plan(all, "delay", delays);
    return all;
}

static json_int_t number_of(const json_t *object, const char *name)
{
    return json_integer_value(json_object_get(object, name));
}

json_t *mu_probe_what_is_known(const json_t *measurements, const json_t *parameters)
{
    json_t *known = json_object(), *measurement;
    json_int_t patience = 0;
    size_t i;
    json_array_foreach ((json_t *)measurements, i, measurement) {
        const json_t *of = json_object_get(measurement, "parameters");
        const char *kind = json_string_value(json_object_get(of, "experiment"));
        if (kind == NULL) continue;
        const bool same = number_of(of, "workgroup") == number_of(parameters, "workgroup") &&
                          number_of(of, "local_bytes") == number_of(parameters, "local_bytes");
        if (strcmp(kind, "bound") == 0 && same && json_object_get(measurement, "bound") != NULL)
            json_object_set(known, "bound", json_object_get(measurement, "bound"));
        if (json_is_true(
                json_object_get(json_object_get(measurement, "consistent"), mu_scheduler_name(MU_SCHEDULER_LOBE))))
            json_object_set_new(known, "lobe", json_integer(1));
    }
    json_t *current = mu_probe_current(measurements);
    patience = mu_probe_choose_patience(current);
    json_decref(current);
    if (patience != 0) json_object_set_new(known, "patience", json_integer(patience));
    return known;
}
