/* Sets of words that take turns, on PoCL with two workers: good runs of an app before and behind ones that fail, runs
 * of more groups than fit, so that some come late, of fewer, and roll calls alone. The results are checked. */
#include "tests/on_device.h"
#include "tests/tap.h"
#include "variants/teams/sync_layout.clh"

#define WORKERS 2
#define PATIENT 4000000000u

static struct on_device device;
static struct mu_instance *instance;

/* The set that the next run uses begins with a lock that nobody gives back: no roll call under a mutex comes to its
 * end. The host does not know. */
static int lock_next_set(struct mu_team_launch *team, struct mu_error *err)
{
    const uint32_t next = team->turns.zeroed_for[1 - team->turns.turn] != 0 ? 1 - team->turns.turn : team->turns.turn;
    static const cl_uint held = 1;
    return mu_cl_check(clEnqueueWriteBuffer(team->target->queue, team->sync, CL_TRUE,
                                            (next * team->distance + MU_SYNC_POLL) * sizeof held, sizeof held, &held, 0,
                                            NULL, NULL),
                       "a lock", err);
}

static bool is_good(struct mu_execution *execution, struct mu_launch launch, struct mu_error *err)
{
    struct mu_sample sample;
    return mu_execution_run(execution, &launch, &sample, err) == MU_OK && mu_execution_fetch(execution, err) == MU_OK &&
           instance->app->check(instance, err) == MU_OK && sample.host_ns > 0 && sample.team >= 1;
}

/* A run that must end in a deadlock. Behind a failure the host clears, and no lock lasts. */
static bool fails(struct mu_execution *execution, struct mu_launch launch, struct mu_error *err)
{
    struct mu_sample sample;
    struct mu_error stuck = {0};
    const enum mu_variant variant = execution->build.variant;
    if (variant == MU_SPECIALISED)
        launch.groups = WORKERS + 1;
    else if (execution->build.rollcall == MU_ROLLCALL_ATOMIC)
        launch.expected = launch.groups + 1;
    else if (execution->team.turns.zeroed_for[0] + execution->team.turns.zeroed_for[1] == 0)
        return true;
    else if (lock_next_set(&execution->team, err) != MU_OK)
        return false;
    mu_execution_run(execution, &launch, &sample, &stuck);
    if (stuck.status == MU_DEADLOCK) return true;
    mu_fail(err, MU_WRONG, "a run that cannot end well ended with status %d: %s", stuck.status, stuck.message);
    return false;
}

static bool in_turns(struct mu_execution *execution, struct mu_error *err)
{
    struct mu_launch launch = {.groups = WORKERS, .expected = WORKERS, .patience = PATIENT};
    struct mu_launch many = launch;
    struct mu_sample sample;
    const bool finds_team = execution->build.variant != MU_SPECIALISED;
    if (finds_team) many.groups = 3 * WORKERS;
    if (execution->build.variant == MU_COOPERATIVE) launch.stress = many.stress = 7;
    return is_good(execution, launch, err) && is_good(execution, launch, err) && fails(execution, launch, err) &&
           is_good(execution, launch, err) && is_good(execution, launch, err) && is_good(execution, many, err) &&
           is_good(execution, many, err) && is_good(execution, launch, err) &&
           (!tap_in_full() || (fails(execution, launch, err) && fails(execution, launch, err))) &&
           is_good(execution, many, err) &&
           (!finds_team || mu_execution_roll_call(execution, &many, &sample, err) == MU_OK) &&
           is_good(execution, launch, err) && is_good(execution, launch, err);
}

static void test_turns(const char *name, struct mu_build build)
{
    struct mu_sources sources;
    struct mu_built built = {0};
    struct mu_held_buffers none = {0};
    struct mu_execution *execution = NULL;
    struct mu_error err = {0};
    bool right = false;
    build.atomics = device.info.atomics;
    build.c_standard = device.info.c_standard;
    build.chunks = build.serial = true;
    build.has_double = device.info.has_double;
    build.workgroup = 16;
    /* Far more than what a busy machine keeps a group waiting, and about half a second: a poll of these two locks takes
     * up to ten times as long as another. */
    const bool slow_lock = build.rollcall == MU_ROLLCALL_SPIN || build.rollcall == MU_ROLLCALL_DESTRUCT;
    build.spin_limit = slow_lock ? 1u << 24 : 1u << 27;
    build.yield = CPU_YIELD;
    build.yield_polls = 256;
    if (mu_sources_collect(instance->app, &build, NULL, &sources, &err) == MU_OK) {
        if (mu_program_build(&device.target, &device.info, &sources, true, &built, &err) == MU_OK &&
            mu_execution_new(&device.target, instance, &build, built.program, &none, &execution, &err) == MU_OK)
            right = in_turns(execution, &err);
        mu_sources_free(&sources);
    }
    CHECK(right, "%s: good runs between failed ones %s", name, err.message);
    mu_execution_free(execution);
    if (built.program != NULL) clReleaseProgram(built.program);
}

static void test_all(void)
{
    static const enum mu_rollcall rollcalls[] = {MU_ROLLCALL_ATOMIC, MU_ROLLCALL_TICKET, MU_ROLLCALL_SPIN,
                                                 MU_ROLLCALL_DESTRUCT, MU_ROLLCALL_LOBE};
    static const enum mu_barrier barriers[] = {MU_BARRIER_XF, MU_BARRIER_COUNTER, MU_BARRIER_TREE, MU_BARRIER_SPLIT};
    for (size_t i = 0; i < sizeof rollcalls / sizeof rollcalls[0] && (i < 1 || tap_in_full()); i++)
        test_turns(mu_rollcalls[rollcalls[i]].name,
                   (struct mu_build){.variant = MU_PORTABLE, .rollcall = rollcalls[i], .barrier = MU_BARRIER_COUNTER});
    for (size_t i = 0; i < sizeof barriers / sizeof barriers[0] && (i < 1 || tap_in_full()); i++)
        test_turns(mu_barriers[barriers[i]].name, (struct mu_build){.variant = MU_SPECIALISED, .barrier = barriers[i]});
    test_turns("cooperative", (struct mu_build){.variant = MU_COOPERATIVE, .rollcall = MU_ROLLCALL_ATOMIC});
}

int main(void)
{
    const struct mu_app_setup setup = {.seed = 1};
    struct mu_graph *graph = NULL;
    struct mu_error err = {0};
    compile_unoptimised();
    set_pocl_workers("2");
    if (!open_pocl(&device)) {
        tap_skip("sets of words that take turns", "there is no PoCL (Debian package pocl-opencl-icd)");
        return tap_done();
    }
    const struct mu_app *app = mu_app_find("pannotia/mis", &err);
    if (app == NULL || mu_graph_load("road:6", 1, &graph, &err) != MU_OK ||
        mu_instance_new(app, graph, &setup, &instance, &err) != MU_OK)
        return 99;
    test_all();
    mu_instance_free(instance);
    mu_graph_free(graph);
    mu_device_close(&device.target);
    return tap_done();
}
