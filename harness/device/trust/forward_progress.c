#include "harness/device/trust/forward_progress.h"

#include "harness/device/launch_defaults.h"
#include "harness/device/program.h"
#include "variants/launch/team_launch.h"
#include "variants/teams/sync_layout.clh"

#include <string.h>

#define WORKGROUP      32
#define TIMES_TOO_MANY 2                    /* launches of more groups than fit, times */
#define REPEATS        3                    /* of a test, until one does not complete … */
#define REPEATS_NS     UINT64_C(3000000000) /* … and while no more time than this has gone */
#define FLAGS          32                   /* as in forward_progress.cl */

/* How often a group takes the mutex between polling and closing in roll call lobe. A CPU's workers wake up late, so the
 * number is raised until a launch takes some time. Where workers share cores the largest number is less: a fair mutex
 * is handed to a worker that waits for its core, which may take milliseconds each time. */
#define LOBE_DELAY_FIRST       UINT32_C(16)
#define LOBE_DELAY_LAST        (UINT32_C(1) << 20)
#define LOBE_DELAY_LAST_SHARED (UINT32_C(1) << 10)
#define LOBE_DELAY_NS          UINT64_C(50000000)

struct bench {
    const struct mu_target *target;
    const struct mu_device_info *info;
    struct mu_forward_progress *result;
    cl_program programs[2]; /* with roll call atomic, and with lobe */
    struct mu_team_launch teams[2];
    cl_mem flags;
    uint32_t delay; /* of roll call lobe */
};

static const enum mu_rollcall rollcalls[2] = {MU_ROLLCALL_ATOMIC, MU_ROLLCALL_LOBE};

/* How each idiom is tested. */
static const struct {
    const char *kernel;
    bool joins, lobe;
} tests[MU_IDIOMS] = {
    [MU_IDIOM_MUTEX] = {"forward_progress_mutex", false, false},
    [MU_IDIOM_BARRIER] = {"forward_progress_barrier", false, false},
    [MU_IDIOM_BARRIER_TEAM] = {"forward_progress_barrier", true, false},
    [MU_IDIOM_BARRIER_LOBE] = {"forward_progress_barrier", true, true},
    [MU_IDIOM_ONE_WAY] = {"forward_progress_one_way", false, false},
    [MU_IDIOM_TWO_WAY] = {"forward_progress_two_way", false, false},
    [MU_IDIOM_TWO_WAY_TEAM] = {"forward_progress_two_way", true, false},
};

static void collect(struct mu_sources *sources, const struct mu_build *options, struct mu_error *err)
{
    mu_sources_add(sources, "harness/device/trust/forward_progress_ids.clh", NULL, err);
    mu_sources_start_team(sources, options, NULL, err);
    mu_sources_add_barrier(sources, options->barrier, NULL, err);
    mu_sources_add_rollcall(sources, options->rollcall, NULL, err);
    mu_sources_add(sources, "harness/device/trust/forward_progress_join.clh", NULL, err);
    mu_sources_add(sources, "variants/teams/kernel.clh", NULL, err);
    mu_sources_add(sources, "harness/device/trust/forward_progress_waits.clh", NULL, err);
    mu_sources_add(sources, "harness/device/trust/forward_progress.cl", NULL, err);
}

static int build(struct bench *bench, size_t which, struct mu_error *err)
{
    struct mu_build options =
        mu_default_build(bench->info, bench->info->atomics, bench->result->workgroup, bench->result->spin_limit);
    struct mu_sources sources = {0};
    options.variant = MU_PORTABLE;
    options.rollcall = rollcalls[which];
    options.c_standard = bench->info->c_standard;
    collect(&sources, &options, err);
    bench->programs[which] = mu_program_make(bench->target, bench->info, &sources, true, err);
    if (err->status != MU_OK) return err->status;
    return mu_team_launch_open(&bench->teams[which], bench->target, &options, err);
}

static int make_flags(struct bench *bench, struct mu_error *err)
{
    cl_int status;
    bench->flags = clCreateBuffer(bench->target->context, CL_MEM_READ_WRITE,
                                  (FLAGS + (size_t)bench->result->groups) * sizeof(cl_uint), NULL, &status);
    return mu_cl_check(status, "forward-progress tests: a buffer", err);
}

/* Clears the flags, and tells the groups in which direction to count. */
static int clear(struct bench *bench, const struct mu_team_launch *team, enum mu_id_order order, struct mu_error *err)
{
    static const cl_uint zero = 0;
    const cl_uint down = order == MU_IDS_DESCENDING;
    cl_int status = clEnqueueFillBuffer(bench->target->queue, bench->flags, &zero, sizeof zero, 0,
                                        (FLAGS + (size_t)bench->result->groups) * sizeof zero, 0, NULL, NULL);
    if (status == CL_SUCCESS)
        status = clEnqueueFillBuffer(bench->target->queue, team->sync, &down, sizeof down, MU_SYNC_ORDER * sizeof down,
                                     sizeof down, 0, NULL, NULL);
    return mu_cl_check(status, "forward-progress tests: clearing buffers", err);
}

static int launch(struct bench *bench, enum mu_idiom idiom, enum mu_id_order order, struct mu_error *err)
{
    const bool lobe = tests[idiom].lobe;
    const uint32_t known = mu_default_expected(bench->info), groups = bench->result->groups;
    const struct mu_launch how = {.groups = groups,
                                  .expected = !tests[idiom].joins ? 0
                                              : known != 0        ? known
                                                                  : groups,
                                  .patience = mu_default_patience(bench->info),
                                  .delay = bench->delay};
    struct mu_team_kernel kernel = {NULL, 1, tests[idiom].kernel};
    struct mu_team_times times = {0};
    cl_int status;
    kernel.kernel = clCreateKernel(bench->programs[lobe], kernel.name, &status);
    if (mu_cl_check(status, kernel.name, err) != MU_OK) return err->status;
    status = clSetKernelArg(kernel.kernel, 0, sizeof bench->flags, &bench->flags);
    if (mu_cl_check(status, kernel.name, err) == MU_OK &&
        mu_team_launch_prepare(&bench->teams[lobe], &how, err) == MU_OK &&
        clear(bench, &bench->teams[lobe], order, err) == MU_OK)
        mu_team_launch_run(&bench->teams[lobe], &kernel, 0, &times, err);
    clReleaseKernel(kernel.kernel);
    return err->status;
}

/* Judges the launch that has just ended. */
static int judge(struct bench *bench, enum mu_idiom idiom, enum mu_forward_progress_outcome *outcome,
                 struct mu_error *err)
{
    struct mu_report report = {0};
    struct mu_error starved = {0};
    cl_uint counts[2] = {0};
    *outcome = MU_FORWARD_STARVED;
    mu_team_launch_report(&bench->teams[tests[idiom].lobe], &report, &starved);
    if (starved.status == MU_DEADLOCK) return MU_OK;
    if (starved.status != MU_OK) return mu_fail(err, starved.status, "%s", starved.message);
    if (mu_cl_check(
            clEnqueueReadBuffer(bench->target->queue, bench->flags, CL_TRUE, 0, sizeof counts, counts, 0, NULL, NULL),
            "forward-progress tests: reading counts", err) != MU_OK)
        return err->status;
    const bool all = counts[0] == report.team && (tests[idiom].joins || report.team == bench->result->groups) &&
                     (idiom != MU_IDIOM_MUTEX || counts[1] == report.team);
    *outcome = !all || report.team == 0 ? MU_FORWARD_WRONG : report.team == 1 ? MU_FORWARD_ALONE : MU_FORWARD_COMPLETED;
    return MU_OK;
}

/* Tries an idiom once. A team of one group, which busy cores can leave of any, revokes nothing that a larger team has
 * shown. */
static int attempt(struct bench *bench, enum mu_idiom idiom, enum mu_id_order order, struct mu_error *err)
{
    enum mu_forward_progress_outcome *outcome = &bench->result->outcomes[idiom][order];
    const bool completed = bench->result->tries[idiom][order]++ > 0 && *outcome == MU_FORWARD_COMPLETED;
    if (launch(bench, idiom, order, err) == MU_OK) judge(bench, idiom, outcome, err);
    if (completed && *outcome == MU_FORWARD_ALONE) *outcome = MU_FORWARD_COMPLETED;
    return err->status;
}

static bool is_well(enum mu_forward_progress_outcome outcome)
{
    return outcome == MU_FORWARD_COMPLETED || outcome == MU_FORWARD_ALONE;
}

/* Searches a delay of roll call lobe that gives late workers the time that they need. One that is too short finds fewer
 * groups, which does no harm: any starvation on the way is a result, and ends the search. The first launch may compile,
 * so its time does not count. */
static int lengthen_delay(struct bench *bench, enum mu_id_order order, struct mu_error *err)
{
    const enum mu_forward_progress_outcome *outcome = &bench->result->outcomes[MU_IDIOM_BARRIER_LOBE][order];
    const uint32_t *tries = &bench->result->tries[MU_IDIOM_BARRIER_LOBE][order];
    const uint32_t last = mu_device_core_share(bench->info) < 1 ? LOBE_DELAY_LAST_SHARED : LOBE_DELAY_LAST;
    bool refuted = false, slow = false;
    bench->delay = LOBE_DELAY_FIRST;
    while (!refuted && !slow && bench->delay < last) {
        const uint64_t start = mu_now_ns();
        if (*tries > 0) bench->delay *= 2;
        if (attempt(bench, MU_IDIOM_BARRIER_LOBE, order, err) != MU_OK) return err->status;
        refuted = *outcome == MU_FORWARD_STARVED || *outcome == MU_FORWARD_WRONG;
        slow = *tries > 1 && mu_now_ns() - start > LOBE_DELAY_NS;
    }
    if (bench->delay > bench->result->lobe_delay) bench->result->lobe_delay = bench->delay;
    return MU_OK;
}

static int run_test(struct bench *bench, enum mu_idiom idiom, enum mu_id_order order, struct mu_error *err)
{
    const uint64_t start = mu_now_ns();
    const enum mu_forward_progress_outcome *outcome = &bench->result->outcomes[idiom][order];
    if (tests[idiom].lobe && bench->info->cpu && lengthen_delay(bench, order, err) != MU_OK) return err->status;
    bool goes_on = is_well(*outcome);
    for (int i = 0; i < REPEATS && goes_on; i++) {
        if (attempt(bench, idiom, order, err) != MU_OK) return err->status;
        goes_on = is_well(*outcome) && mu_now_ns() - start < REPEATS_NS;
    }
    return MU_OK;
}

int mu_forward_progress_run(const struct mu_target *target, const struct mu_device_info *info, uint32_t spin_limit,
                            struct mu_forward_progress *result, struct mu_error *err)
{
    struct bench bench = {.target = target, .info = info, .result = result};
    memset(result, 0, sizeof *result);
    result->workgroup = WORKGROUP < info->max_workgroup ? WORKGROUP : info->max_workgroup;
    while ((result->workgroup & (result->workgroup - 1)) != 0) result->workgroup &= result->workgroup - 1;
    result->groups = TIMES_TOO_MANY * mu_default_groups(info, result->workgroup);
    result->spin_limit = spin_limit;
    if (make_flags(&bench, err) == MU_OK && build(&bench, 0, err) == MU_OK) build(&bench, 1, err);
    for (int idiom = 0; idiom < MU_IDIOMS; idiom++)
        for (int order = 0; order < MU_ID_ORDERS && err->status == MU_OK; order++)
            run_test(&bench, (enum mu_idiom)idiom, (enum mu_id_order)order, err);
    for (size_t i = 0; i < 2; i++) {
        if (bench.programs[i] != NULL) clReleaseProgram(bench.programs[i]);
        mu_team_launch_close(&bench.teams[i]);
    }
    if (bench.flags != NULL) clReleaseMemObject(bench.flags);
    return err->status;
}
