/* The child's side of a test: input, device, program, measurement. */
#include "harness/launch_defaults.h"
#include "harness/test.h"

#include "base/memory.h"
#include "harness/program.h"
#include "harness/selftest.h"

#include <stdio.h>
#include <string.h>

/* Roll calls that look for the team of specialised, and how much more patient than usual they are. */
#define TEAM_ROLL_CALLS 5
#define TEAM_PATIENCE   16

/* NULL where there is none. */
static const char *text_of(const json_t *object, const char *name)
{
    return mu_json_text_or(object, name, NULL);
}

static int choice_of(const struct mu_choice *table, const json_t *object, const char *name, struct mu_error *err)
{
    int index = 0;
    const char *text = text_of(object, name);
    if (text != NULL) mu_choice_find(table, name, text, &index, err);
    return index;
}

int mu_test_read(const json_t *object, struct mu_test *test, struct mu_error *err)
{
    const char *app = text_of(object, "app");
    memset(test, 0, sizeof *test);
    test->app = mu_app_find(app != NULL ? app : "", err);
    test->input = text_of(object, "input");
    test->options.source = mu_json_count(object, "source");
    test->options.seed = mu_json_number(object, "seed");
    test->options.delta = mu_json_count(object, "delta");
    test->options.sources = mu_json_count(object, "sources");
    test->options.min_angle = mu_json_real(object, "min_angle");
    test->options.room = mu_json_count(object, "room");
    test->variant = (enum mu_variant)choice_of(mu_variants, object, "variant", err);
    test->rollcall = (enum mu_rollcall)choice_of(mu_rollcalls, object, "rollcall", err);
    test->barrier = (enum mu_barrier)choice_of(mu_barriers, object, "barrier", err);
    test->atomics = choice_of(mu_atomics_paths, object, "atomics", err);
    test->yield = choice_of(mu_yields, object, "yield", err);
    test->yield_polls = mu_json_count(object, "yield_polls");
    test->c_standard = text_of(object, "c_standard");
    test->workgroup = mu_json_count(object, "workgroup");
    test->team = mu_json_count(object, "team_limit");
    test->groups = mu_json_count(object, "groups");
    test->groups_open = mu_json_flag(object, "groups_open");
    test->expected = mu_json_count(object, "expected");
    test->expected_is_hint = mu_json_flag(object, "expected_is_hint");
    test->patience = mu_json_count(object, "patience");
    test->delay = mu_json_count(object, "rollcall_delay");
    test->barrier_choice.tree_from = mu_json_count(object, "tree_from");
    test->spin_limit = mu_json_count(object, "spin_limit");
    test->readback = (int)json_integer_value(json_object_get(object, "readback_choice"));
    test->samples = mu_json_count(object, "samples");
    test->warmup = mu_json_count(object, "warmup");
    test->min_samples = mu_json_count(object, "min_samples");
    test->target_width = mu_json_real(object, "target_width");
    test->max_time_s = mu_json_real(object, "max_time_s");
    test->abandon_ns = mu_json_number(object, "abandon_ns");
    test->check = mu_json_flag(object, "check");
    test->cache = mu_json_flag(object, "cache");
    test->kernel_dir = text_of(object, "kernel_dir");
    test->output = text_of(object, "output");
    return err->status;
}

/* What the app made of the input and the options: its scalars. */
static void record_scalars(const struct mu_instance *instance, struct mu_json *record)
{
    struct mu_json scalars = mu_json_object();
    for (size_t i = 0; i < instance->app->scalar_count; i++)
        mu_json_set_number(&scalars, instance->app->scalars[i].name, mu_instance_scalar(instance, i));
    mu_json_set_part(record, "scalars", &scalars);
}

static int load_graph(struct mu_session *session, struct mu_json *record, struct mu_error *err)
{
    const struct mu_test *test = &session->test;
    const uint64_t start = mu_now_ns();
    if (mu_graph_load(test->input, test->options.seed, &session->graph, err) != MU_OK) return err->status;
    if ((test->app->needs & MU_NEEDS_WEIGHTS) && mu_graph_need_weights(session->graph, err) != MU_OK)
        return err->status;
    session->load_ns = mu_now_ns() - start;
    mu_json_set_number(record, "vertices", session->graph->vertices);
    mu_json_set_number(record, "edges", session->graph->edges);
    mu_json_set_hash(record, "input_hash", mu_graph_hash(session->graph));
    return mu_instance_new(test->app, session->graph, &test->options, &session->instance, err);
}

static int load_mesh(struct mu_session *session, struct mu_json *record, struct mu_error *err)
{
    const struct mu_test *test = &session->test;
    const uint64_t start = mu_now_ns();
    if (mu_mesh_load(test->input, test->options.seed, &session->mesh, err) != MU_OK) return err->status;
    session->load_ns = mu_now_ns() - start;
    mu_json_set_number(record, "points", session->mesh->points);
    mu_json_set_number(record, "triangles", session->mesh->triangles);
    mu_json_set_number(record, "segments", session->mesh->segments);
    if (session->mesh->turned != 0) mu_json_set_number(record, "turned", session->mesh->turned);
    if (session->mesh->flipped != 0) mu_json_set_number(record, "flipped", session->mesh->flipped);
    mu_json_set_hash(record, "input_hash", mu_mesh_hash(session->mesh));
    return mu_instance_new_mesh(test->app, session->mesh, &test->options, &session->instance, err);
}

static int load_input(struct mu_session *session, struct mu_json *record, struct mu_error *err)
{
    const struct mu_app *app = session->test.app;
    struct mu_file_hash file;
    if (mu_file_hash(session->test.input, &file, err) != MU_OK) return err->status;
    if (file.known) mu_json_set_hash(record, "input_file_hash", file.value);
    session->test.options.single = !session->info.has_double;
    if ((app->kind == MU_KIND_MESH ? load_mesh : load_graph)(session, record, err) != MU_OK) return err->status;
    mu_json_set_number(record, "load_ns", session->load_ns);
    record_scalars(session->instance, record);
    if (app->needs & MU_NEEDS_SOURCE) mu_json_set_number(record, "source", session->instance->options.source);
    if (app->needs & MU_TAKES_ANGLE) mu_json_set_real(record, "min_angle", session->instance->options.min_angle);
    return MU_OK;
}

void mu_session_unbuild(struct mu_session *session)
{
    mu_execution_free(session->execution);
    session->execution = NULL;
    if (session->program != NULL) clReleaseProgram(session->program);
    session->program = NULL;
}

/* The largest workgroup that a kernel can run with on this device. Nvidia's driver says 256 of every kernel, also of
 * one that it has built for 1024 and launches with 1024. So where a kernel is built for one size, which its compiler
 * has accepted, the launch decides. */
static int workgroup_limit(const struct mu_session *session, cl_kernel kernel, size_t *limit, struct mu_error *err)
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
static int check_workgroup(struct mu_session *session, struct mu_error *err)
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

int mu_session_build(struct mu_session *session, enum mu_variant variant, struct mu_error *err)
{
    const struct mu_test *test = &session->test;
    const struct mu_build build = {.variant = variant,
                                   .rollcall = test->rollcall,
                                   .barrier = session->barrier,
                                   .atomics = (enum mu_atomics)test->atomics,
                                   .ptx_fences = session->info.ptx_fences,
                                   .yield = variant == MU_MULTI_KERNEL ? MU_YIELD_NONE : (enum mu_yield)test->yield,
                                   .yield_polls = test->yield_polls,
                                   .c_standard = test->c_standard,
                                   .workgroup = test->workgroup,
                                   .spin_limit = test->spin_limit,
                                   .wide_offsets = session->instance->wide_offsets,
                                   .chunks = session->info.cpu && variant != MU_MULTI_KERNEL,
                                   .has_double = session->info.has_double};
    struct mu_sources sources;
    struct mu_built built = {0};
    mu_session_unbuild(session);
    if (mu_sources_collect(test->app, &build, test->kernel_dir, &sources, err) != MU_OK) return err->status;
    mu_program_build(&session->target, &session->info, &sources, test->cache, &built, err);
    mu_sources_free(&sources);
    session->program = built.program;
    session->build_ns = built.build_ns;
    session->build_cached = built.cached;
    if (err->status != MU_OK) return err->status;
    if (mu_execution_new(&session->target, session->instance, &build, session->program, &session->execution, err) !=
        MU_OK)
        return err->status;
    return check_workgroup(session, err);
}

struct mu_launch mu_session_launch(const struct mu_session *session)
{
    const struct mu_test *test = &session->test;
    struct mu_launch launch = {
        .groups = test->groups, .expected = test->groups, .patience = test->patience, .delay = test->delay};
    if (test->variant == MU_SPECIALISED) launch.groups = test->team;
    if (test->expected != 0 && test->expected < launch.expected) launch.expected = test->expected;
    return launch;
}

int mu_find_team(struct mu_session *session, enum mu_barrier barrier, uint32_t *team, struct mu_error *err)
{
    struct mu_launch launch = mu_session_launch(session);
    launch.groups = mu_default_groups(&session->info, session->test.workgroup);
    launch.expected = session->test.expected != 0 ? session->test.expected : launch.groups;
    launch.patience = launch.patience > UINT32_MAX / TEAM_PATIENCE ? UINT32_MAX : launch.patience * TEAM_PATIENCE;
    *team = 0;
    session->barrier = barrier;
    if (mu_session_build(session, MU_PORTABLE, err) != MU_OK) return err->status;
    for (int i = 0; i < TEAM_ROLL_CALLS; i++) {
        struct mu_sample sample;
        if (mu_execution_roll_call(session->execution, &launch, &sample, err) != MU_OK) return err->status;
        if (sample.team > *team) *team = sample.team;
    }
    return MU_OK;
}

/* Barrier auto: by the size that the team will have. The largest that it can have decides unless that is uncertain and
 * matters: then a few roll calls tell, before the program for the run is built. */
static int choose_barrier(struct mu_session *session, struct mu_error *err)
{
    const struct mu_test *test = &session->test;
    const enum mu_barrier small = mu_barrier_choose(test->barrier, 1, &test->barrier_choice);
    const bool known = test->team != 0 || (test->expected != 0 && !test->expected_is_hint);
    uint32_t team = mu_session_launch(session).expected;
    session->barrier = mu_barrier_choose(test->barrier, team, &test->barrier_choice);
    if (known || session->barrier == small) return MU_OK;
    if (mu_find_team(session, small, &team, err) != MU_OK) return err->status;
    session->barrier = mu_barrier_choose(test->barrier, team, &test->barrier_choice);
    return MU_OK;
}

/* Specialised without a team: as many groups as patient roll calls find, with the barrier that such a team gets, since
 * what fits depends on it too: a kernel with another barrier needs more registers or fewer. */
static int choose_team(struct mu_session *session, struct mu_json *record, struct mu_error *err)
{
    struct mu_test *test = &session->test;
    const bool named = test->team != 0;
    enum mu_barrier barrier = mu_barrier_choose(test->barrier, named ? test->team : 1, &test->barrier_choice);
    mu_json_set_text(record, "team_from", named ? "option" : "roll call");
    session->barrier = barrier;
    if (named || mu_find_team(session, barrier, &test->team, err) != MU_OK) return err->status;
    barrier = mu_barrier_choose(test->barrier, test->team, &test->barrier_choice);
    return barrier == session->barrier ? MU_OK : mu_find_team(session, barrier, &test->team, err);
}

/* Team and barrier, which depend on each other. */
static int choose_synchronisation(struct mu_session *session, struct mu_json *record, struct mu_error *err)
{
    const struct mu_test *test = &session->test;
    if (test->variant == MU_MULTI_KERNEL) return MU_OK;
    if (test->variant == MU_SPECIALISED)
        choose_team(session, record, err);
    else
        choose_barrier(session, err);
    if (err->status != MU_OK) return err->status;
    mu_json_set_text(record, "barrier", mu_barriers[session->barrier].name);
    mu_json_set_text(record, "barrier_from", test->barrier == MU_BARRIER_AUTO ? "auto" : "option");
    return MU_OK;
}

int mu_session_open(const json_t *request, struct mu_session *session, struct mu_json *record, struct mu_error *err)
{
    if (mu_test_read(json_object_get(request, "test"), &session->test, err) == MU_OK &&
        mu_device_from_json(json_object_get(request, "device"), &session->info, err) == MU_OK &&
        load_input(session, record, err) == MU_OK)
        mu_device_open(&session->info, session->test.variant != MU_MULTI_KERNEL, &session->target, err);
    return err->status;
}

int mu_session_measure(struct mu_session *session, struct mu_json *record, struct mu_error *err)
{
    session->workgroup_limit = 0;
    if (choose_synchronisation(session, record, err) == MU_OK) mu_session_build(session, session->test.variant, err);
    if (session->workgroup_limit != 0) mu_json_set_number(record, "workgroup_limit", session->workgroup_limit);
    if (err->status != MU_OK) return err->status;
    mu_json_set_number(record, "build_ns", session->build_ns);
    mu_json_set_flag(record, "build_cached", session->build_cached);
    return mu_measure(session, record, err);
}

void mu_session_close(struct mu_session *session)
{
    mu_session_unbuild(session);
    mu_device_close(&session->target);
    mu_instance_free(session->instance);
    mu_graph_free(session->graph);
    mu_mesh_free(session->mesh);
}

int mu_test_serve(const json_t *request, struct mu_json *response, struct mu_error *err)
{
    struct mu_session session = {0};
    if (mu_session_open(request, &session, response, err) == MU_OK) mu_session_measure(&session, response, err);
    if (err->status == MU_OK && session.test.output != NULL)
        mu_write_result(session.instance, session.test.output, err);
    mu_session_close(&session);
    return err->status;
}
