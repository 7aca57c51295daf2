/* The second half of the self-test: a persistent kernel, made as those of apps are, against the same walk on the
 * host. */
#include "base/memory.h"
#include "harness/device/launch_defaults.h"
#include "harness/device/program.h"
#include "harness/device/trust/selftest.h"
#include "harness/device/trust/selftest_private.h"
#include "harness/device/trust/selftest_state.clh"
#include "variants/launch/team_launch.h"

#include <stdio.h>
#include <string.h>

#define UNITS_NOT_TOLD  64    /* units that a GPU may have that tells one */
#define SELFTEST_GROUPS 16384 /* most workgroups that the kernel is launched with */

/* The buffers of the state list, in its order. */
enum { LEVEL, TOTAL, LIST, PUSHED, WORDS, STAMP, BUFFERS };

struct plan_test {
    const struct mu_target *target;
    const struct mu_device_info *info;
    struct mu_selftest *result;
    uint32_t groups;
    struct mu_team_launch team;
    cl_program program;
    cl_mem buffers[BUFFERS];
};

/* The values that a right run leaves. */
struct answer {
    uint32_t total[SELFTEST_VERTICES];
    uint32_t sum, barriers;
};

/* Walks one phase, from `source` at `level`. Returns the last level. */
static uint32_t walk(struct answer *answer, uint32_t source, uint32_t level)
{
    uint32_t at[SELFTEST_VERTICES], queue[SELFTEST_VERTICES], count = 1;
    for (uint32_t v = 0; v < SELFTEST_VERTICES; v++) at[v] = SELFTEST_UNREACHED;
    at[source] = level;
    queue[0] = source;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t v = queue[i];
        level = at[v];
        answer->sum += level;
        answer->total[v] += level;
        for (uint32_t k = 0; k < SELFTEST_DEGREE(v); k++) {
            const uint32_t head = SELFTEST_HEAD(v, k);
            if (at[head] != SELFTEST_UNREACHED) continue;
            at[head] = level + 1;
            queue[count++] = head;
        }
    }
    return level;
}

/* Solves the walk as the plan does: each level is a step, and each phase has one more. */
static void solve(struct answer *answer)
{
    uint32_t level = 0;
    memset(answer, 0, sizeof *answer);
    answer->barriers = 2; /* the first step and the last */
    for (uint32_t phase = 0; phase < SELFTEST_PHASES; phase++) {
        const uint32_t last = walk(answer, phase, level);
        answer->barriers += last + 1 - level + 1;
        level = last + 2;
    }
}

static int build(struct plan_test *test, struct mu_error *err)
{
    static const char *const paths[] = {"variants/teams/team.clh", "variants/teams/worklist.clh",
                                        "variants/teams/sums.clh"};
    struct mu_sources sources = {0};
    struct mu_build options =
        mu_default_build(test->info, test->info->atomics, MU_SELFTEST_GROUP, test->result->spin_limit);
    options.variant = MU_PORTABLE;
    options.rollcall = MU_ROLLCALL_ATOMIC;
    options.c_standard = test->info->c_standard;
    options.yield = test->result->yield;
    mu_sources_set_options(&sources, &options, err);
    mu_sources_add(&sources, "harness/device/trust/selftest_state.clh", NULL, err);
    mu_sources_add(&sources, "variants/teams/sync_layout.clh", NULL, err);
    mu_sources_add(&sources, mu_atomics_source(options.atomics), NULL, err);
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) mu_sources_add(&sources, paths[i], NULL, err);
    mu_sources_add_spin(&sources, &options, NULL, err);
    mu_sources_add(&sources, "variants/teams/state.clh", NULL, err);
    mu_sources_add_join(&sources, &options, NULL, err);
    mu_sources_add(&sources, "variants/teams/persistent.clh", NULL, err);
    mu_sources_add(&sources, "harness/device/trust/selftest_plan.cl", NULL, err);
    test->program = mu_program_make(test->target, test->info, &sources, false, err);
    if (err->status == MU_OK) mu_team_launch_open(&test->team, test->target, &options, err);
    return err->status;
}

/* Makes the buffers, all zeros. */
static int make_buffers(struct plan_test *test, struct mu_error *err)
{
    static const cl_uint zero = 0;
    const size_t lengths[BUFFERS] = {
        [LEVEL] = SELFTEST_VERTICES,
        [TOTAL] = SELFTEST_VERTICES,
        [LIST] = (size_t)2 * SELFTEST_VERTICES,
        [PUSHED] = 3,
        [WORDS] = SELFTEST_WORDS,
        [STAMP] = (size_t)test->groups * MU_SELFTEST_GROUP,
    };
    for (int i = 0; i < BUFFERS && err->status == MU_OK; i++) {
        cl_int status;
        const size_t bytes = lengths[i] * sizeof zero;
        test->buffers[i] = clCreateBuffer(test->target->context, CL_MEM_READ_WRITE, bytes, NULL, &status);
        if (status == CL_SUCCESS)
            status =
                clEnqueueFillBuffer(test->target->queue, test->buffers[i], &zero, sizeof zero, 0, bytes, 0, NULL, NULL);
        mu_cl_check(status, "self-test: a buffer", err);
    }
    return err->status;
}

static int launch(struct plan_test *test, struct mu_error *err)
{
    const uint32_t known = mu_default_expected(test->info);
    /* Some devices tell one unit of many: then patience ends the roll call, which finds all groups. */
    const struct mu_launch launch = {.groups = test->groups,
                                     .expected = known > 1 && known < test->groups ? known : test->groups,
                                     .patience = mu_default_patience(test->info)};
    struct mu_team_kernel kernel = {NULL, BUFFERS, "self-test: the persistent kernel"};
    struct mu_team_times times = {0};
    cl_int status;
    kernel.kernel = clCreateKernel(test->program, "mu_persistent", &status);
    if (mu_cl_check(status, kernel.name, err) != MU_OK) return err->status;
    for (cl_uint i = 0; status == CL_SUCCESS && i < BUFFERS; i++)
        status = clSetKernelArg(kernel.kernel, i, sizeof test->buffers[i], &test->buffers[i]);
    if (mu_cl_check(status, kernel.name, err) == MU_OK && mu_team_launch_prepare(&test->team, &launch, err) == MU_OK)
        mu_team_launch_run(&test->team, &kernel, 0, &times, err);
    clReleaseKernel(kernel.kernel);
    return err->status;
}

static int read_words(const struct plan_test *test, int buffer, size_t count, cl_uint *words, struct mu_error *err)
{
    return mu_cl_check(clEnqueueReadBuffer(test->target->queue, test->buffers[buffer], CL_TRUE, 0,
                                           count * sizeof *words, words, 0, NULL, NULL),
                       "self-test: reading a result", err);
}

/* Refuses the device unless every rank has come to the end, behind all barriers. */
static int judge_ends(const struct plan_test *test, const struct mu_report *report, struct mu_error *err)
{
    struct mu_error wrong = {0};
    mu_team_launch_judge_ends(&test->team, report, &wrong);
    if (wrong.status == MU_WRONG) return mu_selftest_refuse(test->result, "%.250s", wrong.message);
    return wrong.status == MU_OK ? MU_OK : mu_fail(err, wrong.status, "%s", wrong.message);
}

static int judge_values(const struct plan_test *test, const struct answer *answer, struct mu_error *err)
{
    cl_uint words[SELFTEST_WORDS], total[SELFTEST_VERTICES];
    if (read_words(test, WORDS, SELFTEST_WORDS, words, err) != MU_OK ||
        read_words(test, TOTAL, SELFTEST_VERTICES, total, err) != MU_OK)
        return err->status;
    if (words[SELFTEST_WRONG] != 0)
        return mu_selftest_refuse(test->result, "%u values written before a global barrier were not seen behind it",
                                  words[SELFTEST_WRONG]);
    if (memcmp(total, answer->total, sizeof total) == 0 && words[SELFTEST_SUM] == answer->sum) return MU_OK;
    return mu_selftest_refuse(test->result, "a kernel with branches and loops around barriers computed wrong values");
}

static int judge(const struct plan_test *test, struct mu_error *err)
{
    struct answer answer;
    struct mu_report report = {0};
    struct mu_selftest *result = test->result;
    struct mu_error given_up = {0};
    solve(&answer);
    mu_team_launch_report(&test->team, &report, &given_up);
    result->team = report.team;
    if (given_up.status == MU_DEADLOCK)
        return mu_selftest_refuse(result, "a global barrier did not complete: %.150s", given_up.message);
    if (given_up.status != MU_OK) return mu_fail(err, given_up.status, "%s", given_up.message);
    if (report.team == 0 || report.team > test->groups || report.crossed != answer.barriers)
        return mu_selftest_refuse(result, "a kernel of %u global barriers crossed %u, with %u of %u workgroups",
                                  answer.barriers, report.crossed, report.team, test->groups);
    if (judge_ends(test, &report, err) != MU_OK || judge_values(test, &answer, err) != MU_OK ||
        result->reason[0] != '\0')
        return err->status;
    result->trust = report.team > 1 ? MU_TRUSTED : MU_TRUST_ALONE;
    if (report.team > 1)
        snprintf(result->reason, sizeof result->reason, "%u workgroups crossed %u barriers and saw each other's writes",
                 report.team, answer.barriers);
    else
        snprintf(result->reason, sizeof result->reason, "only one workgroup at a time was seen");
    return MU_OK;
}

int mu_selftest_plan(const struct mu_target *target, const struct mu_device_info *info, struct mu_selftest *result,
                     struct mu_error *err)
{
    struct plan_test test = {.target = target, .info = info, .result = result};
    test.groups = mu_default_groups(info, MU_SELFTEST_GROUP);
    if (info->compute_units <= 1 && !info->cpu) test.groups *= UNITS_NOT_TOLD;
    if (test.groups > SELFTEST_GROUPS) test.groups = SELFTEST_GROUPS;
    if (build(&test, err) == MU_OK && make_buffers(&test, err) == MU_OK && launch(&test, err) == MU_OK)
        judge(&test, err);
    if (test.program != NULL) clReleaseProgram(test.program);
    mu_team_launch_close(&test.team);
    for (int i = 0; i < BUFFERS; i++)
        if (test.buffers[i] != NULL) clReleaseMemObject(test.buffers[i]);
    return err->status;
}
