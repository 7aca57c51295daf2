/* The child's side of a probe: one experiment. */
#include "harness/device/launch_defaults.h"
#include "harness/probe/probe.h"

#include "harness/device/placement.h"
#include "harness/device/program.h"

#include <stdio.h>
#include <string.h>

const struct mu_experiment mu_experiments[] = {
    {"launch", "a launch, pipelined, and with both ways of reading four bytes back", false, mu_probe_launch},
    {"utilisation", "how busy a device is with kernels of a given time, launched one by one", false,
     mu_probe_utilisation},
    {"bound", "the occupancy bound", true, mu_probe_bound},
    {"recall", "the teams that roll calls find", true, mu_probe_recall},
    {"patience", "recall of roll call atomic against patience", true, mu_probe_patience},
    {"verify", "recall with the patience that was chosen", true, mu_probe_verify},
    {"delay", "recall against the delay between polling and closing", true, mu_probe_delay},
    {"cost", "what roll calls cost at full occupancy", true, mu_probe_cost},
    {"barrier", "what barriers cost", true, mu_probe_barrier},
    {"yield", "what barriers cost against the polls between two yields", true, mu_probe_yield},
    {"combining", "additions to one word, combined in the subgroup first or not", true, mu_probe_combining},
    {"divergence", "strided accesses, with a needless workgroup barrier or without", true, mu_probe_divergence},
    {"progress", "which scheduler models the device is consistent with", false, mu_probe_forward_progress},
    {"app", "the occupancy bound of an app's kernel", true, mu_probe_app},
    {NULL, NULL, false, NULL},
};

uint32_t mu_probe_number(const struct mu_probe *probe, const char *name)
{
    return mu_json_count(probe->parameters, name);
}

uint32_t mu_probe_known(const struct mu_probe *probe, const char *name)
{
    return mu_json_count(probe->known, name);
}

const char *mu_probe_text(const struct mu_probe *probe, const char *name)
{
    return mu_json_text_or(probe->parameters, name, NULL);
}

int mu_probe_add(struct mu_probe *probe, json_t *measurement, struct mu_error *err)
{
    mu_json_append(&probe->measurements, measurement);
    return probe->measurements.lost ? mu_fail(err, MU_NO_MEMORY, "out of memory: a measurement") : MU_OK;
}

int mu_probe_lab(const struct mu_probe *probe, int rollcall, enum mu_barrier barrier, double seconds,
                 struct mu_lab **lab, struct mu_error *err)
{
    const struct mu_lab_spec spec = {.join = rollcall < 0 ? MU_SPECIALISED : MU_PORTABLE,
                                     .rollcall = rollcall < 0 ? MU_ROLLCALL_ATOMIC : (enum mu_rollcall)rollcall,
                                     .barrier = barrier,
                                     .atomics = probe->info.atomics,
                                     .yield = (enum mu_yield)probe->info.yield,
                                     .yield_polls = probe->yield_polls,
                                     .workgroup = mu_probe_number(probe, "workgroup"),
                                     .spin_limit = seconds > 0 ? mu_polls_in(probe->selftest.poll_ns, seconds)
                                                               : probe->selftest.spin_limit,
                                     .cache = true};
    return mu_lab_open(&probe->target, &probe->info, &spec, lab, err);
}

uint64_t mu_probe_ns(const struct mu_probe *probe, uint64_t device_ns, uint64_t host_ns)
{
    return probe->info.timer_ns != 0 && device_ns != 0 ? device_ns : host_ns;
}

int mu_probe_program(const struct mu_probe *probe, const char *path, const char *options, cl_program *program,
                     struct mu_error *err)
{
    struct mu_sources sources = {0};
    struct mu_built built = {0};
    snprintf(sources.options, sizeof sources.options, "-cl-std=%s %s", probe->info.c_standard, options);
    if (mu_sources_add(&sources, path, NULL, err) == MU_OK)
        mu_program_build(&probe->target, &probe->info, &sources, true, &built, err);
    mu_sources_free(&sources);
    *program = built.program;
    return err->status;
}

static int run(struct mu_probe *probe, struct mu_error *err)
{
    const char *name = mu_probe_text(probe, "experiment");
    for (const struct mu_experiment *experiment = mu_experiments; experiment->name != NULL; experiment++) {
        if (name == NULL || strcmp(experiment->name, name) != 0) continue;
        if (mu_device_open(&probe->info, experiment->event_times, &probe->target, err) == MU_OK) {
            char placement[MU_PLACEMENT_BYTES];
            if (probe->place) mu_placement_place(probe->info.compute_units, placement);
            experiment->run(probe, err);
        }
        mu_device_close(&probe->target);
        return err->status;
    }
    return mu_fail(err, MU_CRASH, "a child process got an unknown experiment");
}

int mu_probe_serve(const json_t *request, struct mu_json *response, struct mu_error *err)
{
    struct mu_probe probe = {.parameters = json_object_get(request, "parameters"),
                             .known = json_object_get(request, "known"),
                             .measurements = mu_json_array()};
    if (mu_device_from_json(json_object_get(request, "device"), &probe.info, err) == MU_OK &&
        mu_selftest_from_json(json_object_get(request, "selftest"), &probe.selftest, err) == MU_OK) {
        probe.info.yield = (int)probe.selftest.yield;
        probe.yield_polls = mu_probe_known(&probe, "yield_polls");
        if (probe.yield_polls == 0) probe.yield_polls = MU_YIELD_POLLS_DEFAULT;
        probe.place = json_is_true(json_object_get(request, "place"));
        run(&probe, err);
    }
    mu_json_set_part(response, "measurements", &probe.measurements);
    return err->status;
}
