/* Experiment app: the occupancy bound of an app's own kernel, which registers and local memory may make smaller than
 * the simple kernel's. Also the team that a patient roll call finds for it, and those that usual ones find without
 * knowing the bound. */
#include "harness/device/launch_defaults.h"
#include "harness/probe/bound_search.h"
#include "harness/probe/probe.h"
#include "harness/run/process.h"
#include "harness/run/resolve.h"

#include <string.h>

#define REPEATS    3
#define ROLL_CALLS 50 /* as for recall (OOPSLA 2016, section 5.1) */
#define CPU_CALLS  5  /* where each takes a patience of some tenths of a second */
#define MAX_GROUPS 65536
#define MAX_ITEMS  (UINT32_C(1) << 24)

static int attempt(void *context, uint32_t groups, bool *completed, struct mu_error *err)
{
    struct mu_process *process = context;
    const struct mu_launch launch = {.groups = groups, .expected = groups, .patience = process->test.patience};
    struct mu_sample sample;
    struct mu_error failure = {0};
    *completed = mu_execution_run(process->execution, &launch, &sample, &failure) == MU_OK;
    if (failure.status == MU_OK || failure.status == MU_DEADLOCK) return MU_OK;
    return mu_fail(err, failure.status, "%s", failure.message);
}

/* Asks for the format that the point names, if it names one. */
static int ask_format(const struct mu_trial *trial, struct mu_asked *asked, struct mu_error *err)
{
    const char *name = mu_trial_text(trial, "input_format");
    struct mu_value value = {0};
    if (name == NULL) return MU_OK;
    if (mu_option_parse(&mu_test_options[MU_TEST_input_format], name, &value, err) != MU_OK) return err->status;
    mu_ask(asked, MU_TEST_input_format, value.number, MU_FROM_OPTION);
    return MU_OK;
}

static int prepare(const struct mu_trial *trial, struct mu_process *process, struct mu_error *err)
{
    struct mu_test *test = &process->test;
    const struct mu_facts facts = {.info = &trial->info, .selftest = trial->selftest};
    struct mu_asked asked = {.app = mu_app_find(mu_trial_text(trial, "app"), err),
                             .input = mu_trial_text(trial, "input")};
    bool untested;
    process->info = trial->info;
    process->target = trial->target;
    if (asked.app == NULL || ask_format(trial, &asked, err) != MU_OK) return err->status;
    if (trial->info.yield >= 0) mu_ask(&asked, MU_TEST_yield, (uint64_t)trial->info.yield, MU_FROM_DEVICE);
    mu_ask(&asked, MU_TEST_workgroup, mu_trial_number(trial, "workgroup"), MU_FROM_OPTION);
    if (mu_trial_known(trial, "patience") != 0)
        mu_ask(&asked, MU_TEST_patience, mu_trial_known(trial, "patience"), MU_FROM_PROFILE);
    if (mu_resolve_by(&asked, &facts, test, &untested, err) != MU_OK || mu_process_read(process, err) != MU_OK)
        return err->status;
    return mu_process_instantiate(process, err);
}

static json_t *to_json(const struct mu_bound *bound, uint32_t team, struct mu_json *teams)
{
    return json_pack("{s:I, s:b, s:I, s:I, s:o}", "bound", (json_int_t)bound->bound, "open", (int)bound->open,
                     "disagreements", (json_int_t)bound->disagreements, "team", (json_int_t)team, "teams",
                     mu_json_take(teams, "teams", NULL));
}

/* Makes roll calls with the usual patience, of more workgroups than fit. The kernel is there already. */
static int call_rolls(struct mu_process *process, struct mu_json *teams, struct mu_error *err)
{
    const int calls = process->info.cpu ? CPU_CALLS : ROLL_CALLS;
    struct mu_launch launch = mu_process_launch(process);
    launch.groups = launch.expected = mu_default_groups(&process->info, process->test.workgroup);
    for (int i = 0; i < calls; i++) {
        struct mu_sample sample;
        if (mu_execution_roll_call(process->execution, &launch, &sample, err) != MU_OK) return err->status;
        mu_json_append_number(teams, sample.team);
    }
    return MU_OK;
}

static int search(struct mu_trial *trial, struct mu_process *process, struct mu_error *err)
{
    const uint32_t workgroup = process->test.workgroup;
    const struct mu_bound_search of = {.attempt = attempt,
                                       .context = process,
                                       .limit = MAX_ITEMS / workgroup < MAX_GROUPS ? MAX_ITEMS / workgroup : MAX_GROUPS,
                                       .repeats = REPEATS};
    struct mu_bound bound;
    uint32_t team = 0;
    const enum mu_barrier barrier = mu_barrier_choose(process->test.barrier, 1, process->test.tree_from);
    if (mu_find_team(process, barrier, &team, err) != MU_OK) return err->status;
    struct mu_json teams = mu_json_array();
    if (call_rolls(process, &teams, err) == MU_OK) {
        process->test.spin_limit = mu_polls_about(trial->selftest.poll_ns, mu_probe_deadlock_s(trial));
        if (mu_process_build(process, MU_SPECIALISED, err) == MU_OK && mu_bound_find(&of, &bound, err) == MU_OK)
            mu_trial_add(trial, to_json(&bound, team, &teams), err);
    }
    mu_json_release(&teams);
    return err->status;
}

int mu_probe_app(struct mu_trial *trial, struct mu_error *err)
{
    struct mu_process process = {0};
    if (prepare(trial, &process, err) == MU_OK) search(trial, &process, err);
    mu_process_unbuild(&process);
    mu_instance_free(process.instance);
    mu_graph_free(process.graph);
    mu_mesh_free(process.mesh);
    return err->status;
}
