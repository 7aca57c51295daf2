/* Which experiments a probe makes, and what earlier ones tell later ones. */
#include "harness/device/launch_defaults.h"
#include "harness/probe/probe.h"

#include "harness/run/resolve.h"
#include "records/measurements.h"
#include "records/scheduler_models.h"

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

static void plan(struct mu_json *all, const char *experiment, const struct number *numbers)
{
    struct mu_json object = mu_json_object();
    json_t *other;
    size_t i;
    mu_json_set_text(&object, "experiment", experiment);
    for (; numbers != NULL && numbers->name != NULL; numbers++)
        mu_json_set_number(&object, numbers->name, numbers->value);
    bool is_planned = false; /* a microbenchmark may have one of the sizes that are swept */
    json_array_foreach (all->value, i, other) is_planned = is_planned || json_equal(object.value, other);
    if (!is_planned) mu_json_append_part(all, &object);
    mu_json_release(&object);
}

static uint32_t largest_workgroup(const struct mu_device_info *info)
{
    uint32_t workgroup = 1;
    while (workgroup * 2 <= info->max_workgroup && workgroup < 1u << (MU_PROFILE_SIZES - 1)) workgroup *= 2;
    return workgroup;
}

/* Experiments on each of the four microbenchmarks: least or all local memory, one work-item or the largest workgroup.
 */
static void plan_microbenchmarks(struct mu_json *all, const struct mu_device_info *info, const char *experiment,
                                 uint32_t runs)
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
static void plan_sizes(struct mu_json *all, const struct mu_device_info *info, bool quick, const char *experiment,
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

static void plan_app(struct mu_json *all, const struct mu_device_info *info, const struct mu_probe_options *options)
{
    for (uint32_t workgroup = SMALLEST_SWEPT; workgroup <= LARGEST_SWEPT && workgroup <= info->max_workgroup;
         workgroup *= 2) {
        const uint32_t wanted = options->workgroup;
        if (wanted != 0 ? workgroup != SMALLEST_SWEPT : info->cpu && workgroup != mu_default_workgroup(info)) continue;
        mu_json_append(all, json_pack("{s:s, s:s, s:s, s:I}", "experiment", "app", "app", options->app, "input",
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
    const struct number yields[] = {{"workgroup", usual}, {"local_bytes", LEAST_LOCAL}, {NULL, 0}};
    struct mu_json all = mu_json_array();
    if (selftest->trust == MU_REFUSED) return mu_json_take(&all, "the plan of a probe", NULL);
    if (options->app != NULL) {
        plan_app(&all, info, options);
        return mu_json_take(&all, "the plan of a probe", NULL);
    }
    plan(&all, "launch", NULL);
    plan(&all, "utilisation", launches);
    plan(&all, "combining", NULL);
    plan(&all, "divergence", NULL);
    plan_microbenchmarks(&all, info, "bound", 0);
    plan_sizes(&all, info, quick, "bound", 0);
    if (info->cpu && selftest->yield != MU_YIELD_NONE && !info->simulator) plan(&all, "yield", yields);
    plan_microbenchmarks(&all, info, "patience", quick ? QUICK_RUNS : ALL_RUNS);
    plan_microbenchmarks(&all, info, "verify", quick ? QUICK_RUNS : ALL_RUNS);
    plan(&all, "progress", NULL);
    plan_microbenchmarks(&all, info, "recall", quick ? QUICK_RUNS : RUNS);
    plan_sizes(&all, info, quick, "cost", quick ? QUICK_RUNS : COST_RUNS);
    plan_sizes(&all, info, quick, "barrier", 0);
    if (info->cpu) plan(&all, "delay", delays);
    return mu_json_take(&all, "the plan of a probe", NULL);
}

json_t *mu_probe_what_is_known(const json_t *measurements, const json_t *parameters)
{
    struct mu_json known = mu_json_object();
    json_t *measurement;
    size_t i;
    json_array_foreach ((json_t *)measurements, i, measurement) {
        const json_t *of = json_object_get(measurement, "parameters");
        const bool same = mu_json_number(of, "workgroup") == mu_json_number(parameters, "workgroup") &&
                          mu_json_number(of, "local_bytes") == mu_json_number(parameters, "local_bytes");
        if (mu_json_is(of, "experiment", "bound") && same && json_object_get(measurement, "bound") != NULL)
            mu_json_set_number(&known, "bound", mu_json_count(measurement, "bound"));
        if (mu_json_flag(json_object_get(measurement, "consistent"), mu_scheduler_name(MU_SCHEDULER_LOBE)))
            mu_json_set_number(&known, "lobe", 1);
    }
    json_t *current = mu_measurements_current(measurements);
    const uint32_t patience = mu_probe_choose_patience(current), yield_polls = mu_probe_yield_polls(current);
    json_decref(current);
    if (patience != 0) mu_json_set_number(&known, "patience", patience);
    if (yield_polls != 0) mu_json_set_number(&known, "yield_polls", yield_polls);
    return mu_json_take(&known, "what is known", NULL);
}
