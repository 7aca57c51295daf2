/* The experiments of a probe: the table, the points of each, and what earlier ones tell later ones. */
#include "harness/device/launch_defaults.h"
#include "harness/probe/probe.h"

#include "harness/run/resolve.h"
#include "records/measurements.h"
#include "records/scheduler_models.h"

#define RUNS           50  /* of each roll call, for recall (OOPSLA 2016, section 5.1) */
#define COST_RUNS      20  /* for cost */
#define ALL_RUNS       200 /* that a patience must find the whole bound in */
#define QUICK_RUNS     5
#define LAUNCHES       200   /* of each kernel time, for utilisation */
#define THESIS_COUNT   10000 /* the thesis's, figure 4.7 */
#define SMALLEST_SWEPT 32
#define LARGEST_SWEPT  1024
#define SHARED         16 /* at most so many points share a process, for what is measured shows when it has ended */
#define LEAST_LOCAL    1
#define SMALL_COPY     (UINT32_C(1) << 18)

/* ---- Values of the axes ---- */

static uint32_t largest_workgroup(const struct mu_device_info *info)
{
    uint32_t workgroup = 1;
    while (workgroup * 2 <= info->max_workgroup && workgroup < 1u << (MU_PROFILE_SIZES - 1)) workgroup *= 2;
    return workgroup;
}

/* The four microbenchmarks have one work-item or the largest workgroup, and least or all local memory. */
static void end_workgroups(const struct mu_circumstances *of, struct mu_json *values)
{
    mu_json_append_number(values, 1);
    mu_json_append_number(values, largest_workgroup(of->info));
}

static void end_locals(const struct mu_circumstances *of, struct mu_json *values)
{
    const uint64_t bytes = of->info->local_bytes;
    mu_json_append_number(values, LEAST_LOCAL);
    mu_json_append_number(values, bytes > UINT32_MAX ? UINT32_MAX : bytes);
}

static void least_local(const struct mu_circumstances *of, struct mu_json *values)
{
    (void)of;
    mu_json_append_number(values, LEAST_LOCAL);
}

static void usual_workgroup(const struct mu_circumstances *of, struct mu_json *values)
{
    mu_json_append_number(values, mu_default_workgroup(of->info));
}

static void wide_step(const struct mu_circumstances *of, struct mu_json *values)
{
    (void)of;
    mu_json_append_number(values, MU_YIELD_QUICK_STEP);
}

/* A CPU runs work-items one after another, so that few sizes tell all; a quick probe has one size. */
static void swept_workgroups(const struct mu_circumstances *of, struct mu_json *values)
{
    const struct mu_device_info *info = of->info;
    for (uint32_t size = SMALLEST_SWEPT; size <= LARGEST_SWEPT && size <= info->max_workgroup; size *= 2) {
        const bool end = size == SMALLEST_SWEPT || size == LARGEST_SWEPT;
        if (size == mu_default_workgroup(info) || !(of->quick || (info->cpu && !end)))
            mu_json_append_number(values, size);
    }
}

static void fine_workgroups(const struct mu_circumstances *of, struct mu_json *values)
{
    const struct mu_probe_options *options = of->options;
    for (uint32_t size = MU_FINE_STEP; options->fine && size <= of->info->max_workgroup && size <= LARGEST_SWEPT;
         size += MU_FINE_STEP)
        mu_json_append_number(values, size);
}

static void runs(const struct mu_circumstances *of, struct mu_json *values)
{
    mu_json_append_number(values, of->quick ? QUICK_RUNS : RUNS);
}

static void cost_runs(const struct mu_circumstances *of, struct mu_json *values)
{
    mu_json_append_number(values, of->quick ? QUICK_RUNS : COST_RUNS);
}

static void all_runs(const struct mu_circumstances *of, struct mu_json *values)
{
    mu_json_append_number(values, of->quick ? QUICK_RUNS : ALL_RUNS);
}

static void launches(const struct mu_circumstances *of, struct mu_json *values)
{
    mu_json_append_number(values, of->quick ? LAUNCHES / 10 : LAUNCHES);
    if (((const struct mu_probe_options *)of->options)->thesis) mu_json_append_number(values, THESIS_COUNT);
}

/* Parts of the workgroups that a runtime says can run at once: all, the half, …; 0: one more than that. */
static void shares(const struct mu_circumstances *of, struct mu_json *values)
{
    (void)of;
    for (uint32_t share = 16; share > 0; share /= 2) mu_json_append_number(values, share);
    mu_json_append_number(values, 0);
}

/* One array that caches hold, and one that they do not, where two of those fit. A simulator would take minutes. */
static void copied_bytes(const struct mu_circumstances *of, struct mu_json *values)
{
    mu_json_append_number(values, SMALL_COPY);
    if (!of->info->simulator && of->info->max_allocation_bytes >= MU_BEYOND_CACHES &&
        of->info->global_bytes / 4 >= MU_BEYOND_CACHES)
        mu_json_append_number(values, MU_BEYOND_CACHES);
}

static void asked_app(const struct mu_circumstances *of, struct mu_json *values)
{
    mu_json_append_text(values, ((const struct mu_probe_options *)of->options)->app);
}

static void asked_input(const struct mu_circumstances *of, struct mu_json *values)
{
    mu_json_append_text(values, ((const struct mu_probe_options *)of->options)->input);
}

static void app_workgroups(const struct mu_circumstances *of, struct mu_json *values)
{
    const struct mu_device_info *info = of->info;
    const uint32_t wanted = ((const struct mu_probe_options *)of->options)->workgroup;
    if (wanted != 0)
        mu_json_append_number(values, wanted);
    else if (info->cpu)
        usual_workgroup(of, values);
    else
        mu_axis_powers(SMALLEST_SWEPT, info->max_workgroup < LARGEST_SWEPT ? info->max_workgroup : LARGEST_SWEPT, 2,
                       values);
}

/* ---- Axes ---- */

#define WORKGROUP   "workgroup", "work-items in a workgroup"
#define LOCAL_BYTES "local_bytes", "local memory that each workgroup occupies, at least"
#define TIMES       "runs", "roll calls of each kind"

static const struct mu_axis no_axes[] = {{0}};
static const struct mu_axis ends[] = {{WORKGROUP, end_workgroups}, {LOCAL_BYTES, end_locals}, {0}};
static const struct mu_axis ends_runs[] = {{WORKGROUP, end_workgroups}, {LOCAL_BYTES, end_locals}, {TIMES, runs}, {0}};
static const struct mu_axis ends_all_runs[] = {
    {WORKGROUP, end_workgroups}, {LOCAL_BYTES, end_locals}, {TIMES, all_runs}, {0}};
static const struct mu_axis swept[] = {{WORKGROUP, swept_workgroups}, {LOCAL_BYTES, least_local}, {0}};
static const struct mu_axis swept_cost_runs[] = {
    {WORKGROUP, swept_workgroups}, {LOCAL_BYTES, least_local}, {TIMES, cost_runs}, {0}};
static const struct mu_axis fine_cost_runs[] = {
    {WORKGROUP, fine_workgroups}, {LOCAL_BYTES, least_local}, {TIMES, cost_runs}, {0}};
static const struct mu_axis usual[] = {{WORKGROUP, usual_workgroup}, {LOCAL_BYTES, least_local}, {0}};
static const struct mu_axis quick_steps[] = {{WORKGROUP, usual_workgroup},
                                             {LOCAL_BYTES, least_local},
                                             {"step", "from one number of polls to the next", wide_step},
                                             {0}};
static const struct mu_axis usual_runs[] = {
    {WORKGROUP, usual_workgroup}, {LOCAL_BYTES, least_local}, {TIMES, runs}, {0}};
static const struct mu_axis parts[] = {{WORKGROUP, swept_workgroups},
                                       {LOCAL_BYTES, least_local},
                                       {"share", "of the workgroups that are promised, as a divisor", shares},
                                       {0}};
static const struct mu_axis kernel_times[] = {{"launches", "of each kernel time", launches}, {0}};
static const struct mu_axis copied[] = {{"bytes", "of the array that is copied", copied_bytes}, {0}};
static const struct mu_axis kernel_of_app[] = {{"app", "whose kernel it is", asked_app},
                                               {"input", "that it runs on", asked_input},
                                               {WORKGROUP, app_workgroups},
                                               {0}};

#define FAMILIES(...) ((const struct mu_axis *const[]){__VA_ARGS__, NULL})

/* ---- Where they apply ---- */

static bool of_chip(const struct mu_circumstances *of)
{
    return of->selftest->trust != MU_REFUSED && ((const struct mu_probe_options *)of->options)->app == NULL;
}

static bool of_app(const struct mu_circumstances *of)
{
    return of->selftest->trust != MU_REFUSED && ((const struct mu_probe_options *)of->options)->app != NULL;
}

static bool of_cpu(const struct mu_circumstances *of)
{
    return of_chip(of) && of->info->cpu;
}

static bool of_yielding_cpu(const struct mu_circumstances *of)
{
    return of_cpu(of) && of->selftest->yield != MU_YIELD_NONE && !of->info->simulator;
}

static bool as_in_the_thesis(const struct mu_circumstances *of)
{
    return of_chip(of) && ((const struct mu_probe_options *)of->options)->thesis;
}

static bool of_promising(const struct mu_circumstances *of)
{
    return of_chip(of) && of->info->promises;
}

/* A quick probe takes wide steps, and only those. */
static bool yields_have(const struct mu_circumstances *of, const json_t *point)
{
    return of->quick == (json_object_get(point, "step") != NULL);
}

const struct mu_experiment mu_probe_experiments[] = {
    {.name = "launch",
     .purpose = "a launch, pipelined, and with both ways of reading four bytes back",
     .families = FAMILIES(no_axes),
     .applies = of_chip,
     .together = SHARED,
     .process = "launches",
     .measure = mu_probe_launch,
     .summarise = mu_probe_take_launch,
     .tables = "launch-cost"},
    {.name = "utilisation",
     .purpose = "how busy a device is with kernels of a given time, launched one by one",
     .families = FAMILIES(kernel_times),
     .applies = of_chip,
     .together = SHARED,
     .process = "launches",
     .measure = mu_probe_utilisation,
     .tables = "utilisation"},
    {.name = "combining",
     .purpose = "additions to one word, combined in the subgroup first or not",
     .families = FAMILIES(no_axes),
     .applies = of_chip,
     .event_times = true,
     .together = SHARED,
     .process = "accesses",
     .measure = mu_probe_combining,
     .summarise = mu_probe_take_combining,
     .tables = "features"},
    {.name = "additions",
     .purpose = "the same by the 20 000 additions of the thesis",
     .families = FAMILIES(no_axes),
     .applies = as_in_the_thesis,
     .event_times = true,
     .together = SHARED,
     .process = "accesses",
     .measure = mu_probe_additions,
     .tables = "features"},
    {.name = "divergence",
     .purpose = "strided accesses, with a needless workgroup barrier or without",
     .families = FAMILIES(no_axes),
     .applies = of_chip,
     .event_times = true,
     .together = SHARED,
     .process = "accesses",
     .measure = mu_probe_divergence,
     .summarise = mu_probe_take_divergence,
     .tables = "features"},
    {.name = "copy",
     .purpose = "bytes a second that a copy reads and writes, in caches and in memory",
     .families = FAMILIES(copied),
     .applies = of_chip,
     .event_times = true,
     .together = SHARED,
     .process = "accesses",
     .measure = mu_probe_copy,
     .summarise = mu_probe_take_copy,
     .tables = "bandwidth throughput"},
    {.name = "bound",
     .purpose = "the occupancy bound",
     .families = FAMILIES(ends, swept),
     .applies = of_chip,
     .event_times = true,
     .together = SHARED,
     .measure = mu_probe_bound,
     .summarise = mu_probe_take_bound,
     .tables = "occupancy"},
    {.name = "promises",
     .purpose = "what the runtime says of workgroups that run at once, and of subgroups that go on",
     .families = FAMILIES(swept),
     .applies = of_chip,
     .together = SHARED,
     .measure = mu_probe_promises,
     .tables = "promises"},
    {.name = "native",
     .purpose = "whether the runtime's own barrier meets as many workgroups as it promises, and fewer",
     .families = FAMILIES(parts),
     .applies = of_promising,
     .measure = mu_probe_native,
     .tables = "promises"},
    {.name = "yield",
     .purpose = "what barriers cost against the polls between two yields",
     .families = FAMILIES(usual, quick_steps),
     .applies = of_yielding_cpu,
     .has = yields_have,
     .event_times = true,
     .measure = mu_probe_yield},
    {.name = "patience",
     .purpose = "recall of roll call atomic against patience",
     .families = FAMILIES(ends_all_runs),
     .applies = of_chip,
     .event_times = true,
     .together = SHARED,
     .measure = mu_probe_patience,
     .tables = "patience"},
    {.name = "verify",
     .purpose = "recall with the patience that was chosen",
     .families = FAMILIES(ends_all_runs),
     .applies = of_chip,
     .event_times = true,
     .measure = mu_probe_verify,
     .is_done = mu_probe_is_verified},
    {.name = "progress",
     .purpose = "which scheduler models the device is consistent with",
     .families = FAMILIES(no_axes),
     .applies = of_chip,
     .measure = mu_probe_forward_progress,
     .summarise = mu_probe_take_progress,
     .tables = "progress"},
    {.name = "recall",
     .purpose = "the teams that roll calls find",
     .families = FAMILIES(ends_runs),
     .applies = of_chip,
     .event_times = true,
     .together = SHARED,
     .process = "teams",
     .measure = mu_probe_recall,
     .tables = "recall"},
    {.name = "cost",
     .purpose = "what roll calls cost at full occupancy",
     .families = FAMILIES(swept_cost_runs, fine_cost_runs),
     .applies = of_chip,
     .event_times = true,
     .together = SHARED,
     .process = "teams",
     .measure = mu_probe_cost,
     .summarise = mu_probe_take_cost,
     .tables = "rollcall-cost"},
    {.name = "barrier",
     .purpose = "what barriers cost",
     .families = FAMILIES(swept),
     .applies = of_chip,
     .event_times = true,
     .together = SHARED,
     .process = "teams",
     .measure = mu_probe_barrier,
     .tables = "barrier-cost"},
    {.name = "queue",
     .purpose = "what work queues cost, one for all workgroups or one for each",
     .families = FAMILIES(usual),
     .applies = of_chip,
     .event_times = true,
     .together = SHARED,
     .process = "teams",
     .measure = mu_probe_queue,
     .tables = "queue-cost"},
    {.name = "delay",
     .purpose = "recall against the delay between polling and closing",
     .families = FAMILIES(usual_runs),
     .applies = of_cpu,
     .event_times = true,
     .together = SHARED,
     .process = "teams",
     .measure = mu_probe_delay,
     .tables = "delay"},
    {.name = "crossover",
     .purpose = "rounds of work, by a launch each and by a team that stays",
     .families = FAMILIES(usual),
     .applies = of_chip,
     .together = SHARED,
     .process = "rounds",
     .measure = mu_probe_crossover,
     .tables = "persistent"},
    {.name = "overlap",
     .purpose = "rounds of work before a barrier, and between its halves",
     .families = FAMILIES(usual),
     .applies = of_chip,
     .together = SHARED,
     .process = "rounds",
     .measure = mu_probe_overlap,
     .tables = "overlap"},
    {.name = "app",
     .purpose = "the occupancy bound of an app's kernel, and its recall",
     .families = FAMILIES(kernel_of_app),
     .applies = of_app,
     .event_times = true,
     .measure = mu_probe_app,
     .tables = "app-recall"},
    {0},
};

bool mu_probe_is_verified(const json_t *measurements, const json_t *parameters)
{
    size_t i;
    json_t *measurement;
    uint32_t tries = 0;
    bool full = false;
    json_array_foreach ((json_t *)measurements, i, measurement) {
        if (!json_equal(json_object_get(measurement, "parameters"), parameters)) continue;
        full = !json_is_false(json_object_get(measurement, "full"));
        tries++;
    }
    return full || tries >= MU_VERIFY_TRIES;
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
