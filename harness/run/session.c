/* The child's side of a test: input, device, program, measurement. */
#include "harness/run/session.h"
#include "harness/device/launch_defaults.h"

#include "base/memory.h"
#include "harness/device/child.h"
#include "harness/device/host.h"
#include "harness/device/placement.h"
#include "harness/device/program.h"
#include "harness/device/trust/selftest.h"
#include "harness/device/watch.h"

#include <stdio.h>
#include <string.h>

/* Roll calls that look for the team of specialised, and how much more patient than usual they are. */
#define TEAM_ROLL_CALLS 5
#define TEAM_PATIENCE   16

static json_t *scalar_to_json(const struct mu_instance *instance, size_t scalar)
{
    const double value = mu_instance_scalar(instance, scalar);
    return instance->app->scalars[scalar].type == MU_TYPE_uint ? json_integer((json_int_t)value) : json_real(value);
}

/* What the app made of the input and the options: its scalars. */
static void record_scalars(const struct mu_instance *instance, struct mu_json *record)
{
    struct mu_json scalars = mu_json_object();
    for (size_t i = 0; i < instance->app->scalar_count; i++)
        mu_json_set(&scalars, instance->app->scalars[i].name, scalar_to_json(instance, i));
    mu_json_set_part(record, "scalars", &scalars);
}

static int load_graph(struct mu_process *session, struct mu_json *record, struct mu_error *err)
{
    const struct mu_test *test = &session->test;
    if (mu_graph_load(test->input, test->seed, &session->graph, err) != MU_OK) return err->status;
    if ((test->app->needs & MU_NEEDS_WEIGHTS) && mu_graph_need_weights(session->graph, err) != MU_OK)
        return err->status;
    mu_json_set_number(record, "vertices", session->graph->vertices);
    mu_json_set_number(record, "edges", session->graph->edges);
    mu_json_set_hash(record, "input_hash", mu_graph_hash(session->graph));
    return MU_OK;
}

static int load_mesh(struct mu_process *session, struct mu_json *record, struct mu_error *err)
{
    const struct mu_test *test = &session->test;
    if (mu_mesh_load(test->input, test->seed, &session->mesh, err) != MU_OK) return err->status;
    mu_json_set_number(record, "points", session->mesh->points);
    mu_json_set_number(record, "triangles", session->mesh->triangles);
    mu_json_set_number(record, "segments", session->mesh->segments);
    if (session->mesh->turned != 0) mu_json_set_number(record, "turned", session->mesh->turned);
    if (session->mesh->flipped != 0) mu_json_set_number(record, "flipped", session->mesh->flipped);
    mu_json_set_hash(record, "input_hash", mu_mesh_hash(session->mesh));
    return MU_OK;
}

/* The app on the input that is loaded, as the test has its options. */
static int make_instance(struct mu_process *session, struct mu_json *record, struct mu_error *err)
{
    const struct mu_test *test = &session->test;
    struct mu_app_setup setup = {.seed = test->seed, .single = !session->info.has_double};
    memcpy(setup.values, test->app_values, sizeof setup.values);
    mu_instance_free(session->instance);
    session->instance = NULL;
    if (test->app->kind == MU_KIND_MESH)
        mu_instance_new_mesh(test->app, session->mesh, &setup, &session->instance, err);
    else
        mu_instance_new(test->app, session->graph, &setup, &session->instance, err);
    if (err->status == MU_OK) record_scalars(session->instance, record);
    return err->status;
}

static int load_input(struct mu_process *session, struct mu_json *record, struct mu_error *err)
{
    const bool mesh = session->test.app->kind == MU_KIND_MESH;
    struct mu_file_hash file;
    mu_child_phase("load");
    if (mu_file_hash(session->test.input, &file, err) != MU_OK) return err->status;
    if (file.known) mu_json_set_hash(record, "input_file_hash", file.value);
    const uint64_t start = mu_now_ns();
    if ((mesh ? load_mesh : load_graph)(session, record, err) != MU_OK) return err->status;
    mu_json_set_number(record, "load_ns", mu_now_ns() - start);
    return MU_OK;
}

void mu_process_unbuild(struct mu_process *session)
{
    mu_execution_free(session->execution);
    session->execution = NULL;
    if (session->program != NULL) clReleaseProgram(session->program);
    session->program = NULL;
}

/* The largest workgroup that a kernel can run with on this device. Nvidia's driver says 256 of every kernel, also of
 * one that it has built for 1024 and launches with 1024. So where a kernel is built for one size, which its compiler
 * has accepted, the launch decides. */
static int workgroup_limit(const struct mu_process *session, cl_kernel kernel, size_t *limit, struct mu_error *err)
{
    size_t built_for[3] = {0};
    cl_int status =
        clGetKernelWorkGroupInfo(kernel, session->target.device, CL_KERNEL_WORK_GROUP_SIZE, sizeof *limit, limit, NULL);
    if (status == CL_SUCCESS)
        status = clGetKernelWorkGroupInfo(kernel, session->target.device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
                                          sizeof built_for, built_for, NULL);
    if (built_for[0] > *limit) *limit = built_for[0];
    return mu_cl_check(status, "the workgroup that a kernel can have", err);
}

/* The largest workgroup that all kernels of the built program can run with on this device. */
static int check_workgroup(struct mu_process *session, struct mu_error *err)
{
    size_t least = SIZE_MAX, kernel = 0;
    for (size_t i = 0; i < session->execution->kernel_count; i++) {
        size_t limit = 0;
        if (workgroup_limit(session, session->execution->kernels[i], &limit, err) != MU_OK) return err->status;
        if (limit < least) {
            least = limit;
            kernel = i;
        }
    }
    session->workgroup_limit = least;
    if (least >= session->test.workgroup) return MU_OK;
    return mu_fail(err, MU_UNSUPPORTED, "kernel %s runs at most %zu work-items in a workgroup here, not %u",
                   session->execution->kernel_names[kernel], least, session->test.workgroup);
}

int mu_process_build(struct mu_process *session, enum mu_variant variant, struct mu_error *err)
{
    const struct mu_test *test = &session->test;
    const bool one_block = variant == MU_MULTI_KERNEL && test->grid == MU_GRID_ELEMENTS;
    const struct mu_build build = {.variant = variant,
                                   .one_block = one_block,
                                   .rollcall = test->rollcall,
                                   .barrier = session->barrier,
                                   .ids = test->ids,
                                   .atomics = test->atomics,
                                   .ptx_fences = session->info.ptx_fences,
                                   .yield = variant == MU_MULTI_KERNEL ? MU_YIELD_NONE : test->yield,
                                   .yield_polls = test->yield_polls,
                                   .c_standard = mu_c_standards[test->c_standard].name,
                                   .workgroup = test->workgroup,
                                   .spin_limit = test->spin_limit,
                                   .wide_offsets = session->instance->wide_offsets,
                                   .chunks = session->info.cpu && !one_block,
                                   .has_double = session->info.has_double,
                                   .values = session->instance->setup.values};
    struct mu_sources sources;
    struct mu_built built = {0};
    mu_process_unbuild(session);
    if (mu_sources_collect(test->app, &build, test->kernel_dir, &sources, err) != MU_OK) return err->status;
    snprintf(session->build_options, sizeof session->build_options, "%s", sources.options);
    mu_child_phase("build");
    mu_program_build(&session->target, &session->info, &sources, test->cache, &built, err);
    mu_sources_free(&sources);
    session->program = built.program;
    session->build_ns = built.build_ns;
    session->build_cached = built.cached;
    if (err->status != MU_OK) return err->status;
    struct mu_execution *execution = NULL;
    if (mu_execution_new(&session->target, session->instance, &build, session->program, &execution, err) != MU_OK)
        return err->status;
    session->execution = execution;
    return check_workgroup(session, err);
}

struct mu_launch mu_process_launch(const struct mu_process *session)
{
    const struct mu_test *test = &session->test;
    struct mu_launch launch = {
        .groups = test->groups, .expected = test->groups, .patience = test->patience, .delay = test->rollcall_delay};
    if (test->variant != MU_PORTABLE) launch.groups = test->team_limit;
    if (test->expected != MU_AUTO && test->expected < launch.expected) launch.expected = test->expected;
    return launch;
}

int mu_find_team(struct mu_process *session, enum mu_barrier barrier, uint32_t *team, struct mu_error *err)
{
    struct mu_launch launch = mu_process_launch(session);
    launch.groups = mu_default_groups(&session->info, session->test.workgroup);
    launch.expected = session->test.expected != MU_AUTO ? session->test.expected : launch.groups;
    launch.patience = launch.patience > UINT32_MAX / TEAM_PATIENCE ? UINT32_MAX : launch.patience * TEAM_PATIENCE;
    *team = 0;
    session->barrier = barrier;
    if (mu_process_build(session, MU_PORTABLE, err) != MU_OK) return err->status;
    for (int i = 0; i < TEAM_ROLL_CALLS; i++) {
        struct mu_sample sample;
        if (mu_execution_roll_call(session->execution, &launch, &sample, err) != MU_OK) return err->status;
        if (sample.team > *team) *team = sample.team;
    }
    return MU_OK;
}

bool mu_process_expects_most(const struct mu_process *session)
{
    return session->test.expected == MU_AUTO || session->test.from[MU_TEST_expected] == MU_FROM_PROFILE;
}

bool mu_process_is_blind(const struct mu_process *session)
{
    return session->test.variant == MU_PORTABLE && session->test.condition != MU_WARM;
}

/* Barrier auto: by the size that the team will have. The largest that it can have decides unless that is uncertain and
 * matters: then a few roll calls tell, before the program for the run is built. Where nothing may be known of the size,
 * it is the barrier of small teams, which needs the fewest registers and so costs no workgroup of the team: for a large
 * team it is the slower one, but for all sizes that fit at half as many workgroups the quicker one. */
static int choose_barrier(struct mu_process *session, struct mu_error *err)
{
    const struct mu_test *test = &session->test;
    const enum mu_barrier small = mu_barrier_choose(test->barrier, 1, test->tree_from);
    const bool known = test->team_limit != MU_AUTO || !mu_process_expects_most(session);
    uint32_t team = mu_process_launch(session).expected;
    session->barrier = mu_process_is_blind(session) ? small : mu_barrier_choose(test->barrier, team, test->tree_from);
    if (known || session->barrier == small) return MU_OK;
    if (mu_find_team(session, small, &team, err) != MU_OK) return err->status;
    session->barrier = mu_barrier_choose(test->barrier, team, test->tree_from);
    return MU_OK;
}

/* Specialised without a team: as many groups as patient roll calls find, with the barrier that such a team gets, since
 * what fits depends on it too: a kernel with another barrier needs more registers or fewer. */
static int choose_team(struct mu_process *session, struct mu_json *record, struct mu_error *err)
{
    struct mu_test *test = &session->test;
    uint32_t team = test->team_limit;
    const bool named = team != MU_AUTO;
    enum mu_barrier barrier = mu_barrier_choose(test->barrier, named ? team : 1, test->tree_from);
    mu_json_set_text(record, "team_from", named ? "option" : "roll call");
    session->barrier = barrier;
    if (named || mu_find_team(session, barrier, &team, err) != MU_OK) return err->status;
    barrier = mu_barrier_choose(test->barrier, team, test->tree_from);
    if (barrier != session->barrier) mu_find_team(session, barrier, &team, err);
    mu_test_set(test, MU_TEST_team_limit, team, MU_FROM_ROLL_CALL);
    return err->status;
}

/* Team and barrier, which depend on each other. */
static int choose_synchronisation(struct mu_process *session, struct mu_json *record, struct mu_error *err)
{
    const struct mu_test *test = &session->test;
    if (test->variant == MU_MULTI_KERNEL) return MU_OK;
    if (test->variant == MU_SPECIALISED)
        choose_team(session, record, err);
    else
        choose_barrier(session, err);
    if (err->status != MU_OK) return err->status;
    mu_json_set_text(record, "barrier_from", test->barrier == MU_BARRIER_AUTO ? "auto" : "option");
    return MU_OK;
}

int mu_process_open(const json_t *request, struct mu_process *session, struct mu_json *record, struct mu_error *err)
{
    struct mu_json environment = mu_json_object();
    mu_host_environment(&environment);
    mu_json_set_part(record, "environment", &environment);
    if (mu_test_read(json_object_get(request, "test"), &session->test, err) == MU_OK &&
        mu_device_from_json(json_object_get(request, "device"), &session->info, err) == MU_OK &&
        load_input(session, record, err) == MU_OK && make_instance(session, record, err) == MU_OK) {
        mu_child_phase("open");
        mu_device_open(&session->info, session->test.variant != MU_MULTI_KERNEL, &session->target, err);
    }
    if (err->status == MU_OK && json_is_true(json_object_get(request, "place"))) {
        char placement[MU_PLACEMENT_BYTES];
        mu_placement_place(session->info.compute_units, placement);
        mu_json_set_text(record, "placement", placement);
    }
    return err->status;
}

int mu_process_next(const json_t *request, struct mu_process *session, struct mu_json *record, struct mu_error *err)
{
    const struct mu_test last = session->test;
    if (mu_test_read(request, &session->test, err) != MU_OK) return err->status;
    for (size_t i = 0; last.app->options[i].name != NULL; i++)
        if (!mu_option_same(&last.app->options[i], &last.app_values[i], &session->test.app_values[i]))
            return make_instance(session, record, err);
    return MU_OK;
}

/* The configuration with what the run has chosen. */
static void describe(const struct mu_process *session, struct mu_json *record)
{
    struct mu_test found = session->test;
    memcpy(found.app_values, session->instance->setup.values, sizeof found.app_values);
    if (found.barrier == MU_BARRIER_AUTO && session->barrier != MU_BARRIER_AUTO)
        mu_test_set(&found, MU_TEST_barrier, session->barrier, MU_FROM_ROLL_CALL);
    mu_test_describe(&found, record);
}

/* Measures, and adds to the record's environment what was seen of the machine meanwhile. */
static void measure_watched(struct mu_process *session, struct mu_json *record, struct mu_error *err)
{
    struct mu_watch watch;
    struct mu_json environment = mu_json_object();
    const bool by_nvml = strstr(session->info.vendor, "NVIDIA") != NULL;
    mu_json_update(&environment, json_object_get(record->value, "environment"));
    mu_watch_begin("", MU_NVML_LIBRARY, by_nvml ? session->info.uuid : NULL, &watch);
    mu_measure(session, record, err);
    mu_watch_end(&watch, &environment);
    mu_json_set_part(record, "environment", &environment);
}

int mu_process_measure(struct mu_process *session, struct mu_json *record, struct mu_error *err)
{
    session->workgroup_limit = 0;
    session->build_options[0] = '\0';
    session->barrier = session->test.barrier;
    if (choose_synchronisation(session, record, err) == MU_OK) mu_process_build(session, session->test.variant, err);
    if (session->build_options[0] != '\0') mu_json_set_text(record, "build_options", session->build_options);
    if (session->workgroup_limit != 0) mu_json_set_number(record, "workgroup_limit", session->workgroup_limit);
    if (err->status == MU_OK) {
        mu_json_set_number(record, "build_ns", session->build_ns);
        mu_json_set_flag(record, "build_cached", session->build_cached);
        measure_watched(session, record, err);
    }
    describe(session, record);
    return err->status;
}

void mu_process_close(struct mu_process *session)
{
    mu_process_unbuild(session);
    mu_device_close(&session->target);
    mu_instance_free(session->instance);
    mu_graph_free(session->graph);
    mu_mesh_free(session->mesh);
}

int mu_test_serve(const json_t *request, struct mu_json *response, struct mu_error *err)
{
    struct mu_process session = {0};
    if (mu_process_open(request, &session, response, err) == MU_OK) mu_process_measure(&session, response, err);
    if (err->status == MU_OK && session.test.output != NULL)
        mu_write_result(session.instance, session.test.output, err);
    mu_process_close(&session);
    return err->status;
}
