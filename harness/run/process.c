/* The child's side of a test: input, device, program, measurement. */
#include "harness/run/process.h"
#include "harness/device/launch_defaults.h"
#include "harness/run/reading_progress.h"

#include "base/memory.h"
#include "harness/device/child.h"
#include "harness/device/host/core_latency.h"
#include "harness/device/host/host.h"
#include "harness/device/host/placement.h"
#include "harness/device/host/watch.h"
#include "harness/device/trust/selftest.h"

#include <stdio.h>
#include <string.h>

/* Roll calls that look for the team of specialised, and how much more patient than usual they are. That must be less
 * than the others wait for them, also on a busy machine (variants/rollcalls/atomic.clh), and where a poll is slow, so
 * that the spin limit is low. */
#define TEAM_ROLL_CALLS    5
#define TEAM_PATIENCE      16
#define MOST_TEAM_PATIENCE (UINT32_C(1) << 26)

static json_t *scalar_to_json(const struct mu_instance *instance, size_t scalar)
{
    const double value = mu_instance_scalar(instance, scalar);
    return instance->app->scalars[scalar].type == MU_TYPE_uint ? json_integer((json_int_t)value) : json_real(value);
}

/* Records the app's scalars, which it made of the input and the options. */
static void record_scalars(const struct mu_instance *instance, struct mu_json *record)
{
    struct mu_json scalars = mu_json_object();
    for (size_t i = 0; i < instance->app->scalar_count; i++)
        mu_json_set(&scalars, instance->app->scalars[i].name, scalar_to_json(instance, i));
    mu_json_set_part(record, "scalars", &scalars);
}

static int read_graph(struct mu_process *process, struct mu_error *err)
{
    const struct mu_test *test = &process->test;
    struct mu_reading reading = mu_test_reading(test);
    reading.progress = mu_show_reading;
    if (mu_graph_load_cached(test->input, &reading, &process->input_cache, &process->graph, err) != MU_OK)
        return err->status;
    return (test->app->needs & MU_NEEDS_WEIGHTS) != 0 ? mu_graph_need_weights(process->graph, err) : MU_OK;
}

int mu_process_read(struct mu_process *process, struct mu_error *err)
{
    const struct mu_test *test = &process->test;
    if (mu_input_cache_usual(test->cache, &process->input_cache, err) != MU_OK) return err->status;
    if (test->app->kind != MU_KIND_MESH) return read_graph(process, err);
    return mu_mesh_load_cached(test->input, test->seed, &process->input_cache, &process->mesh, err);
}

static void record_graph(struct mu_process *process, struct mu_json *record)
{
    const struct mu_graph *graph = process->graph;
    const bool weighted = (process->test.app->needs & MU_NEEDS_WEIGHTS) != 0;
    mu_json_set_text(record, "weights_from", weighted ? graph->weights_from : "not used");
    mu_json_set_text(record, "input_format", graph->format);
    mu_json_set_number(record, "vertices", graph->vertices);
    mu_json_set_number(record, "edges", graph->edges);
    process->input_hash = mu_graph_hash(graph);
}

static void record_mesh(struct mu_process *process, struct mu_json *record)
{
    const struct mu_mesh *mesh = process->mesh;
    mu_json_set_number(record, "points", mesh->points);
    mu_json_set_number(record, "triangles", mesh->triangles);
    mu_json_set_number(record, "segments", mesh->segments);
    if (mesh->turned != 0) mu_json_set_number(record, "turned", mesh->turned);
    if (mesh->flipped != 0) mu_json_set_number(record, "flipped", mesh->flipped);
    process->input_hash = mu_mesh_hash(mesh);
}

int mu_process_instantiate(struct mu_process *process, struct mu_error *err)
{
    const struct mu_test *test = &process->test;
    struct mu_app_setup setup = {.seed = test->seed,
                                 .single = !process->info.has_double,
                                 .serial = process->info.cpu,
                                 .units = process->info.compute_units};
    memcpy(setup.values, test->app_values, sizeof setup.values);
    mu_held_release(&process->held);
    mu_verified_release(&process->verified);
    mu_instance_free(process->instance);
    process->instance = NULL;
    if (test->app->kind == MU_KIND_MESH)
        return mu_instance_new_mesh(test->app, process->mesh, &setup, &process->instance, err);
    return mu_instance_new(test->app, process->graph, &setup, &process->instance, err);
}

static int make_instance(struct mu_process *process, struct mu_json *record, struct mu_error *err)
{
    if (mu_process_instantiate(process, err) == MU_OK) record_scalars(process->instance, record);
    return err->status;
}

/* Keeps the instance for a test whose options of the app differ in the schedule alone, which prepare does not see. */
static void take_schedule(struct mu_process *process)
{
    struct mu_instance *instance = process->instance;
    const struct mu_option *rows = instance->app->options;
    for (size_t i = 0; rows[i].name != NULL; i++) {
        if ((rows[i].is & MU_OPTION_SCHEDULE) == 0) continue;
        instance->setup.values[i] = process->test.app_values[i];
        mu_option_put(&rows[i], &instance->setup.values[i], instance->state);
    }
}

static int load_input(struct mu_process *process, struct mu_json *record, struct mu_error *err)
{
    struct mu_file_hash file;
    mu_child_phase("load");
    if (mu_file_hash(process->test.input, &file, err) != MU_OK) return err->status;
    if (file.known) mu_json_set_hash(record, "input_file_hash", file.value);
    const uint64_t start = mu_now_ns();
    if (mu_process_read(process, err) != MU_OK) return err->status;
    (process->graph != NULL ? record_graph : record_mesh)(process, record);
    mu_json_set_hash(record, "input_hash", process->input_hash);
    mu_json_set_number(record, "load_ns", mu_now_ns() - start);
    mu_json_set_flag(record, "load_cached", process->input_cache.found);
    return MU_OK;
}

/* No plan of the suites has more than a few steps for each vertex, on the longest of paths. */
#define STEPS_OF_A_VERTEX 16
#define STEPS_AT_LEAST    (UINT64_C(1) << 20)

static uint32_t steps_limit(const struct mu_process *process)
{
    const uint64_t vertices = process->graph != NULL ? process->graph->vertices : 0;
    const uint64_t triangles = process->mesh != NULL ? process->mesh->triangles : 0;
    const uint64_t limit = STEPS_AT_LEAST + STEPS_OF_A_VERTEX * (vertices + triangles);
    if (process->test.rounds != 0) return process->test.rounds;
    return limit < UINT32_MAX ? (uint32_t)limit : UINT32_MAX;
}

struct mu_launch mu_process_launch(const struct mu_process *process)
{
    const struct mu_test *test = &process->test;
    struct mu_launch launch = {
        .groups = test->groups, .expected = test->groups, .patience = test->patience, .delay = test->rollcall_delay};
    launch.limit = steps_limit(process);
    launch.resizing = test->resizing;
    launch.load = process->load;
    if (!MU_HAS_ROLL_CALL(test->variant)) launch.groups = test->team_limit;
    if (test->expected != MU_AUTO && test->expected < launch.expected) launch.expected = test->expected;
    return launch;
}

/* Returns how many groups have work: no step of the app has more elements than its longest buffer. */
static uint32_t fitting_groups(const struct mu_process *process)
{
    const struct mu_instance *instance = process->instance;
    uint64_t longest = 0;
    for (size_t buffer = 0; buffer < instance->app->buffer_count; buffer++) {
        const uint64_t length = instance->app->length(instance, buffer);
        if (length > longest) longest = length;
    }
    return mu_fitting_groups(&process->info, process->test.workgroup, longest);
}

/* Chooses how many workgroups portable launches, if no option says. */
static void fit_groups(struct mu_process *process)
{
    struct mu_test *test = &process->test;
    if (test->variant == MU_PORTABLE && test->barrier != MU_BARRIER_NATIVE && test->team_limit == MU_AUTO &&
        test->from[MU_TEST_groups] == MU_FROM_DEVICE)
        mu_test_set(test, MU_TEST_groups, fitting_groups(process), MU_FROM_DEVICE);
}

static uint32_t team_patience(uint32_t usual, uint32_t spin_limit)
{
    const uint32_t most = spin_limit / 2 < MOST_TEAM_PATIENCE ? spin_limit / 2 : MOST_TEAM_PATIENCE;
    const uint64_t wanted = (uint64_t)usual * TEAM_PATIENCE;
    if (usual >= most) return usual;
    return wanted < most ? (uint32_t)wanted : most;
}

int mu_find_team(struct mu_process *process, enum mu_barrier barrier, uint32_t *team, struct mu_error *err)
{
    struct mu_launch launch = mu_process_launch(process);
    launch.groups = process->test.team_limit == MU_TEAM_BOUND
                        ? mu_default_groups(&process->info, process->test.workgroup)
                        : fitting_groups(process);
    const uint32_t expected = process->test.expected;
    launch.expected = expected != MU_AUTO && expected < launch.groups ? expected : launch.groups;
    launch.patience = team_patience(launch.patience, process->test.spin_limit);
    *team = 0;
    process->barrier = barrier;
    if (mu_process_build(process, MU_PORTABLE, err) != MU_OK) return err->status;
    for (int i = 0; i < TEAM_ROLL_CALLS; i++) {
        struct mu_sample sample;
        if (mu_execution_roll_call(process->execution, &launch, &sample, err) != MU_OK) return err->status;
        if (sample.team > *team) *team = sample.team;
    }
    return MU_OK;
}

bool mu_process_expects_most(const struct mu_process *process)
{
    return process->test.expected == MU_AUTO || process->test.from[MU_TEST_expected] == MU_FROM_PROFILE;
}

bool mu_process_is_blind(const struct mu_process *process)
{
    return MU_HAS_ROLL_CALL(process->test.variant) && process->test.condition != MU_WARM;
}

/* Chooses for barrier auto by the size that the team will have. Its largest size decides unless that is uncertain and
 * matters: then a few roll calls tell, before the program for the run is built. If nothing may be known of the size, it
 * is taken for what the largest known chips hold, not for what is launched. On an H200 that makes teams of 128
 * work-items a group large, and those of 512 small, where the registers of the tree can cost half of the team. */
enum mu_barrier mu_process_likely_barrier(const struct mu_process *process, enum mu_barrier *small)
{
    const struct mu_test *test = &process->test;
    const bool blind = mu_process_is_blind(process);
    const bool known = blind || test->team_limit != MU_AUTO || !mu_process_expects_most(process);
    const uint32_t most = mu_process_launch(process).expected, grid = mu_default_grid(&process->info, test->workgroup);
    const uint32_t team = blind && grid < most ? grid : most;
    const enum mu_barrier likely = mu_barrier_choose(test->barrier, team, test->tree_from);
    *small = known ? likely : mu_barrier_choose(test->barrier, 1, test->tree_from);
    return likely;
}

static int choose_barrier(struct mu_process *process, struct mu_error *err)
{
    const struct mu_test *test = &process->test;
    enum mu_barrier small;
    uint32_t team;
    process->barrier = mu_process_likely_barrier(process, &small);
    if (process->barrier == small) return MU_OK;
    if (mu_find_team(process, small, &team, err) != MU_OK) return err->status;
    process->barrier = mu_barrier_choose(test->barrier, team, test->tree_from);
    return MU_OK;
}

/* Chooses specialised's team, if none is given: as many groups as patient roll calls find. They use the barrier that
 * such a team gets, since a kernel with another barrier needs more registers or fewer. */
static int choose_team(struct mu_process *process, struct mu_json *record, struct mu_error *err)
{
    struct mu_test *test = &process->test;
    uint32_t team = test->team_limit;
    const bool named = team != MU_AUTO && team != MU_TEAM_BOUND, proven = team == MU_TEAM_BOUND;
    enum mu_barrier barrier = mu_barrier_choose(test->barrier, named ? team : 1, test->tree_from);
    const bool expected = test->barrier == MU_BARRIER_NATIVE && test->from[MU_TEST_team_limit] != MU_FROM_OPTION;
    mu_json_set_text(record, "team_from", expected ? "expected" : named ? "option" : proven ? "bound" : "roll call");
    process->barrier = barrier;
    if (named || mu_find_team(process, barrier, &team, err) != MU_OK) return err->status;
    barrier = mu_barrier_choose(test->barrier, team, test->tree_from);
    if (barrier != process->barrier) mu_find_team(process, barrier, &team, err);
    if (err->status == MU_OK && proven) mu_prove_bound(process, &team, record, err);
    mu_test_set(test, MU_TEST_team_limit, team, MU_FROM_ROLL_CALL);
    return err->status;
}

/* Chooses team and barrier, which depend on each other. */
static int choose_synchronisation(struct mu_process *process, struct mu_json *record, struct mu_error *err)
{
    const struct mu_test *test = &process->test;
    if (test->variant == MU_MULTI_KERNEL || test->variant == MU_COOPERATIVE) return MU_OK;
    fit_groups(process);
    if (test->variant == MU_SPECIALISED)
        choose_team(process, record, err);
    else
        choose_barrier(process, err);
    if (err->status != MU_OK) return err->status;
    mu_json_set_text(record, "barrier_from", test->barrier == MU_BARRIER_AUTO ? "auto" : "option");
    return MU_OK;
}

int mu_process_load(const json_t *request, struct mu_process *process, struct mu_json *record, struct mu_error *err)
{
    struct mu_json environment = mu_json_object();
    mu_host_environment(&environment);
    mu_json_set_part(record, "environment", &environment);
    if (mu_test_read(json_object_get(request, "test"), &process->test, err) == MU_OK &&
        mu_device_from_json(json_object_get(request, "device"), &process->info, err) == MU_OK) {
        process->info.resident = process->test.resident;
        if (load_input(process, record, err) == MU_OK) make_instance(process, record, err);
    }
    return err->status;
}

int mu_process_open(const json_t *request, struct mu_process *process, struct mu_json *record, struct mu_error *err)
{
    mu_child_phase("open");
    mu_device_open(&process->info, false, &process->target, err);
    if (err->status == MU_OK && json_is_true(json_object_get(request, "place"))) {
        char placement[MU_PLACEMENT_BYTES];
        process->has_cores = mu_placement_place(process->info.compute_units, placement);
        mu_json_set_text(record, "placement", placement);
    }
    return err->status;
}

int mu_process_next(const json_t *request, struct mu_process *process, struct mu_json *record, struct mu_error *err)
{
    const struct mu_test last = process->test;
    bool same = true;
    if (mu_test_read(request, &process->test, err) != MU_OK) return err->status;
    process->info.resident = process->test.resident;
    const struct mu_option *rows = process->test.app->options;
    for (size_t i = 0; rows[i].name != NULL; i++)
        same = same && ((rows[i].is & MU_OPTION_SCHEDULE) != 0 ||
                        mu_option_same(&rows[i], &last.app_values[i], &process->test.app_values[i]));
    mu_process_unbuild(process);
    if (!same || process->instance == NULL) {
        if (make_instance(process, record, err) != MU_OK) return err->status;
    } else {
        take_schedule(process);
        record_scalars(process->instance, record);
    }
    return MU_OK;
}

/* Records the configuration with what the run has chosen. */
static void describe(const struct mu_process *process, struct mu_json *record)
{
    struct mu_test found = process->test;
    memcpy(found.app_values, process->instance->setup.values, sizeof found.app_values);
    if (found.barrier == MU_BARRIER_AUTO && process->barrier != MU_BARRIER_AUTO)
        mu_test_set(&found, MU_TEST_barrier, process->barrier, MU_FROM_ROLL_CALL);
    mu_test_describe(&found, record);
}

/* Records how long a word takes between two cores of a CPU device now. Not if other processes may have these cores. */
static void record_core_latency(const struct mu_process *process, const char *name, struct mu_json *environment)
{
    double ns;
    if (process->has_cores && mu_core_latency(&ns)) mu_json_set_real(environment, name, ns);
}

/* Measures, and adds to the record's environment what was seen of the machine meanwhile. */
static void measure_watched(struct mu_process *process, struct mu_json *record, struct mu_error *err)
{
    struct mu_watch watch;
    struct mu_json environment = mu_json_object();
    const bool by_nvml = strstr(process->info.vendor, "NVIDIA") != NULL;
    mu_json_update(&environment, json_object_get(record->value, "environment"));
    record_core_latency(process, "core_latency_ns_before", &environment);
    mu_watch_begin("", MU_NVML_LIBRARY, by_nvml ? process->info.uuid : NULL, &watch);
    mu_measure(process, record, err);
    mu_watch_end(&watch, &environment);
    record_core_latency(process, "core_latency_ns_after", &environment);
    mu_json_set_part(record, "environment", &environment);
}

int mu_process_measure(struct mu_process *process, struct mu_json *record, struct mu_error *err)
{
    process->workgroup_limit = 0;
    process->build_options[0] = '\0';
    process->barrier = process->test.barrier;
    if (choose_synchronisation(process, record, err) == MU_OK) mu_process_build(process, process->test.variant, err);
    if (process->build_options[0] != '\0') mu_json_set_text(record, "build_options", process->build_options);
    if (process->workgroup_limit != 0) mu_json_set_number(record, "workgroup_limit", process->workgroup_limit);
    if (err->status == MU_OK) {
        mu_json_set_number(record, "build_ns", process->build_ns);
        mu_json_set_flag(record, "build_cached", process->build_cached);
        measure_watched(process, record, err);
    }
    describe(process, record);
    return err->status;
}

void mu_process_close(struct mu_process *process)
{
    mu_process_unbuild(process);
    mu_held_release(&process->held);
    mu_verified_release(&process->verified);
    mu_device_close(&process->target);
    mu_instance_free(process->instance);
    mu_graph_free(process->graph);
    mu_mesh_free(process->mesh);
}

int mu_test_serve(const json_t *request, struct mu_json *response, struct mu_error *err)
{
    struct mu_process process = {0};
    if (mu_process_load(request, &process, response, err) == MU_OK &&
        mu_process_open(request, &process, response, err) == MU_OK)
        mu_process_measure(&process, response, err);
    if (err->status == MU_OK && json_is_true(json_object_get(request, "corrupt")))
        mu_try_checker(&process, response, err);
    if (err->status == MU_OK && process.test.output != NULL)
        mu_write_result(process.instance, process.test.output, err);
    mu_process_close(&process);
    return err->status;
}
