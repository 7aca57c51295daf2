/* The experiments of a probe: the table, where each applies, and what earlier ones tell later ones. */
#include "harness/probe/axes.h"
#include "harness/probe/probe.h"

#include "records/measurements.h"
#include "records/scheduler_models.h"

/* At most so many points share a process, for what is measured shows when it has ended. */
#define SHARED 16

#define FAMILIES(...) ((const struct mu_axis *const[]){__VA_ARGS__, NULL})

/* ---- Where they apply ---- */

static bool of_chip(const struct mu_circumstances *of)
{
    return of->selftest->trust != MU_REFUSED && ((const struct mu_probe_options *)of->options)->app == NULL &&
           ((const struct mu_probe_options *)of->options)->watchdog_ms == 0;
}

static bool of_app(const struct mu_circumstances *of)
{
    return of->selftest->trust != MU_REFUSED && ((const struct mu_probe_options *)of->options)->app != NULL;
}

/* Returns true if the user asks for it, also on a device that is not trusted, which may have a watchdog. */
static bool of_watched(const struct mu_circumstances *of)
{
    return ((const struct mu_probe_options *)of->options)->watchdog_ms != 0;
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
    return of_chip(of) && of->info->native != 0;
}

/* Returns whether a probe has this point: a quick one takes wide steps, and only those. */
static bool yields_have(const struct mu_circumstances *of, const json_t *point)
{
    return of->quick == (json_object_get(point, "step") != NULL);
}

const struct mu_experiment mu_probe_experiments[] = {
    {.name = "launch",
     .purpose = "a launch, pipelined, and with both ways of reading four bytes back",
     .families = FAMILIES(mu_probe_no_axes),
     .applies = of_chip,
     .together = SHARED,
     .process = "launches",
     .measure = mu_probe_launch,
     .summarise = mu_probe_take_launch,
     .tables = "launch-cost"},
    {.name = "utilisation",
     .purpose = "how busy a device is with kernels of a given time, launched one by one",
     .families = FAMILIES(mu_probe_axes_kernel_times),
     .applies = of_chip,
     .together = SHARED,
     .process = "launches",
     .measure = mu_probe_utilisation,
     .tables = "utilisation"},
    {.name = "combining",
     .purpose = "additions to one word, combined in the subgroup first or not",
     .families = FAMILIES(mu_probe_no_axes),
     .applies = of_chip,
     .event_times = true,
     .together = SHARED,
     .process = "accesses",
     .measure = mu_probe_combining,
     .summarise = mu_probe_take_combining,
     .tables = "features"},
    {.name = "additions",
     .purpose = "the same by the 20 000 additions of the thesis",
     .families = FAMILIES(mu_probe_no_axes),
     .applies = as_in_the_thesis,
     .event_times = true,
     .together = SHARED,
     .process = "accesses",
     .measure = mu_probe_additions,
     .tables = "features"},
    {.name = "divergence",
     .purpose = "strided accesses, with a needless workgroup barrier or without",
     .families = FAMILIES(mu_probe_no_axes),
     .applies = of_chip,
     .event_times = true,
     .together = SHARED,
     .process = "accesses",
     .measure = mu_probe_divergence,
     .summarise = mu_probe_take_divergence,
     .tables = "features"},
    {.name = "copy",
     .purpose = "bytes a second that a copy reads and writes, in caches and in memory",
     .families = FAMILIES(mu_probe_axes_copied),
     .applies = of_chip,
     .event_times = true,
     .together = SHARED,
     .process = "accesses",
     .measure = mu_probe_copy,
     .summarise = mu_probe_take_copy,
     .tables = "bandwidth throughput"},
    {.name = "bound",
     .purpose = "the occupancy bound",
     .families = FAMILIES(mu_probe_axes_ends, mu_probe_axes_swept),
     .applies = of_chip,
     .event_times = true,
     .together = SHARED,
     .measure = mu_probe_bound,
     .summarise = mu_probe_take_bound,
     .tables = "occupancy"},
    {.name = "promises",
     .purpose = "what the runtime says of workgroups that run at once, and of subgroups that go on",
     .families = FAMILIES(mu_probe_axes_swept),
     .applies = of_chip,
     .together = SHARED,
     .measure = mu_probe_promises,
     .tables = "promises"},
    {.name = "native",
     .purpose = "whether the runtime's own barrier meets as many workgroups as it promises, and fewer",
     .families = FAMILIES(mu_probe_axes_parts),
     .applies = of_promising,
     .measure = mu_probe_native,
     .tables = "promises"},
    {.name = "yield",
     .purpose = "what barriers cost against the polls between two yields",
     .families = FAMILIES(mu_probe_axes_usual, mu_probe_axes_quick_steps),
     .applies = of_yielding_cpu,
     .has = yields_have,
     .event_times = true,
     .measure = mu_probe_yield},
    {.name = "patience",
     .purpose = "recall of roll call atomic against patience",
     .families = FAMILIES(mu_probe_axes_ends_all_runs),
     .applies = of_chip,
     .event_times = true,
     .together = SHARED,
     .measure = mu_probe_patience,
     .tables = "patience"},
    {.name = "verify",
     .purpose = "recall with the patience that was chosen",
     .families = FAMILIES(mu_probe_axes_ends_all_runs),
     .applies = of_chip,
     .event_times = true,
     .measure = mu_probe_verify,
     .is_done = mu_probe_is_verified},
    {.name = "progress",
     .purpose = "which scheduler models the device is consistent with",
     .families = FAMILIES(mu_probe_no_axes),
     .applies = of_chip,
     .measure = mu_probe_forward_progress,
     .summarise = mu_probe_take_progress,
     .tables = "progress"},
    {.name = "recall",
     .purpose = "the teams that roll calls find",
     .families = FAMILIES(mu_probe_axes_ends_runs),
     .applies = of_chip,
     .event_times = true,
     .together = SHARED,
     .process = "teams",
     .measure = mu_probe_recall,
     .tables = "recall"},
    {.name = "cost",
     .purpose = "what roll calls cost at full occupancy",
     .families = FAMILIES(mu_probe_axes_swept_cost_runs, mu_probe_axes_fine_cost_runs),
     .applies = of_chip,
     .event_times = true,
     .together = SHARED,
     .process = "teams",
     .measure = mu_probe_cost,
     .summarise = mu_probe_take_cost,
     .tables = "rollcall-cost"},
    {.name = "barrier",
     .purpose = "what barriers cost",
     .families = FAMILIES(mu_probe_axes_swept),
     .applies = of_chip,
     .event_times = true,
     .together = SHARED,
     .process = "teams",
     .measure = mu_probe_barrier,
     .tables = "barrier-cost"},
    {.name = "queue",
     .purpose = "what work queues cost, one for all workgroups or one for each",
     .families = FAMILIES(mu_probe_axes_usual),
     .applies = of_chip,
     .event_times = true,
     .together = SHARED,
     .process = "teams",
     .measure = mu_probe_queue,
     .tables = "queue-cost"},
    {.name = "delay",
     .purpose = "recall against the delay between polling and closing",
     .families = FAMILIES(mu_probe_axes_usual_runs),
     .applies = of_cpu,
     .event_times = true,
     .together = SHARED,
     .process = "teams",
     .measure = mu_probe_delay,
     .tables = "delay"},
    {.name = "crossover",
     .purpose = "rounds of work, by a launch each and by a team that stays",
     .families = FAMILIES(mu_probe_axes_usual),
     .applies = of_chip,
     .together = SHARED,
     .process = "rounds",
     .measure = mu_probe_crossover,
     .tables = "persistent"},
    {.name = "overlap",
     .purpose = "rounds of work before a barrier, and between its halves",
     .families = FAMILIES(mu_probe_axes_usual),
     .applies = of_chip,
     .together = SHARED,
     .process = "rounds",
     .measure = mu_probe_overlap,
     .tables = "overlap"},
    {.name = "watchdog",
     .purpose = "whether the system lets a kernel of a given time end (probe --watchdog)",
     .families = FAMILIES(mu_probe_axes_watched),
     .applies = of_watched,
     .measure = mu_probe_watchdog},
    {.name = "app",
     .purpose = "the occupancy bound of an app's kernel, and its recall",
     .families = FAMILIES(mu_probe_axes_kernel_of_app, mu_probe_axes_kernel_of_app_as),
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
