#include "harness/device/trust/selftest.h"

#include "base/memory.h"
#include "harness/device/host/watchdog.h"
#include "harness/device/program.h"
#include "harness/device/trust/selftest_private.h"
#include "variants/launch/team_launch.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define SPIN_POLLS    200000 /* beyond the loop limit of drivers that have one */
#define SPIN_LEAST    3
#define SPIN_MOST     50
#define SPIN_ENOUGH   UINT64_C(200000000) /* nanoseconds of repeats, after which there are no more than the least */
#define SPIN_SECONDS  4.0                 /* the shortest time that the default bound may take */
#define ATOMIC_GROUPS 64
#define RESULT_WORDS  3

struct bench {
    const struct mu_target *target;
    const struct mu_device_info *info;
    struct mu_selftest *result;
    cl_program program;
    struct mu_team_launch team;
    cl_mem words;
};

static int build(struct bench *bench, struct mu_error *err)
{
    struct mu_sources sources = {0};
    const struct mu_build options = {.atomics = bench->info->atomics,
                                     .ptx_fences = bench->info->ptx_fences,
                                     .c_standard = bench->info->c_standard,
                                     .yield =
                                         MU_YIELD_NONE, /* what a poll costs must not depend on who else is running */
                                     .workgroup = MU_SELFTEST_GROUP,
                                     .spin_limit = SPIN_POLLS};
    mu_sources_start_team(&sources, &options, NULL, err);
    mu_sources_add(&sources, "variants/teams/kernel.clh", NULL, err);
    mu_sources_add(&sources, "harness/device/trust/selftest.cl", NULL, err);
    bench->program = mu_program_make(bench->target, bench->info, &sources, false, err);
    if (err->status == MU_OK) mu_team_launch_open(&bench->team, bench->target, &options, err);
    return err->status;
}

/* Runs one kernel, which joins no team, and reads its result. */
static int run(struct bench *bench, const char *name, uint32_t groups, cl_uint words[RESULT_WORDS],
               uint64_t *elapsed_ns, struct mu_error *err)
{
    static const cl_uint zero = 0;
    const size_t bytes = RESULT_WORDS * sizeof zero;
    const struct mu_launch launch = {.groups = groups, .expected = groups};
    struct mu_team_kernel kernel = {NULL, 1, name};
    struct mu_team_times times = {0};
    cl_int status;
    kernel.kernel = clCreateKernel(bench->program, name, &status);
    if (mu_cl_check(status, name, err) != MU_OK) return err->status;
    status = clEnqueueFillBuffer(bench->target->queue, bench->words, &zero, sizeof zero, 0, bytes, 0, NULL, NULL);
    if (status == CL_SUCCESS) status = clSetKernelArg(kernel.kernel, 0, sizeof bench->words, &bench->words);
    if (mu_cl_check(status, name, err) == MU_OK && mu_team_launch_prepare(&bench->team, &launch, err) == MU_OK &&
        mu_team_launch_run(&bench->team, &kernel, 0, &times, err) == MU_OK)
        mu_cl_check(clEnqueueReadBuffer(bench->target->queue, bench->words, CL_TRUE, 0, bytes, words, 0, NULL, NULL),
                    name, err);
    *elapsed_ns = times.host_ns;
    clReleaseKernel(kernel.kernel);
    return err->status;
}

int mu_selftest_refuse(struct mu_selftest *result, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(result->reason, sizeof result->reason, format, arguments);
    va_end(arguments);
    result->trust = MU_REFUSED;
    return MU_OK;
}

/* Returns true while nothing has spoken against the device. */
static bool still_good(const struct mu_selftest *result, const struct mu_error *err)
{
    return err->status == MU_OK && result->reason[0] == '\0';
}

static int test_atomics(struct bench *bench, struct mu_error *err)
{
    cl_uint words[RESULT_WORDS] = {0};
    uint64_t elapsed = 0;
    const cl_uint items = ATOMIC_GROUPS * MU_SELFTEST_GROUP;
    if (run(bench, "selftest_atomics", ATOMIC_GROUPS, words, &elapsed, err) != MU_OK) return err->status;
    if (words[0] == items && words[1] == items * (items - 1) / 2 && words[2] == items - 1) return MU_OK;
    return mu_selftest_refuse(bench->result, "atomics of %u work-items count wrong: %u additions arrived", items,
                              words[0]);
}

/* Tests that long loops end, and measures the cost of a poll: the smallest of a few launches, since a CPU's first one
 * compiles. Where a repeat takes a tenth of a millisecond there are many, so that one of them keeps its core on a busy
 * machine. The default bound follows from this cost and is part of every program, and each other bound is another
 * program to compile. */
static int test_spin(struct bench *bench, struct mu_error *err)
{
    cl_uint words[RESULT_WORDS] = {0};
    uint64_t elapsed = 0, repeats = 0, best = UINT64_MAX;
    for (int i = 0; i < SPIN_MOST && (i < SPIN_LEAST || repeats < SPIN_ENOUGH) && still_good(bench->result, err); i++) {
        if (run(bench, "selftest_spin", 1, words, &elapsed, err) != MU_OK) return err->status;
        if (i > 0) repeats += elapsed;
        if (elapsed < best) best = elapsed;
        if (words[0] != SPIN_POLLS)
            mu_selftest_refuse(bench->result, "a loop of %d rounds ended after %u: the driver cuts loops short",
                               SPIN_POLLS, words[0]);
    }
    bench->result->poll_ns = (double)best / SPIN_POLLS;
    bench->result->spin_limit = mu_watchdog_polls(bench->result->poll_ns, SPIN_SECONDS, bench->info->watchdog_ms);
    return err->status;
}

static int make_buffer(struct bench *bench, struct mu_error *err)
{
    cl_int status;
    bench->words =
        clCreateBuffer(bench->target->context, CL_MEM_READ_WRITE, RESULT_WORDS * sizeof(cl_uint), NULL, &status);
    return mu_cl_check(status, "self-test: a buffer", err);
}

int mu_selftest_run(const struct mu_target *target, const struct mu_device_info *info, bool only_steps,
                    struct mu_selftest *result, struct mu_error *err)
{
    struct bench bench = {.target = target, .info = info, .result = result};
    memset(result, 0, sizeof *result);
    if (info->yield > 0) result->yield = (enum mu_yield)info->yield;
    if (make_buffer(&bench, err) == MU_OK) build(&bench, err);
    if (still_good(result, err)) test_atomics(&bench, err);
    if (still_good(result, err)) test_spin(&bench, err);
    result->steps = still_good(result, err);
    if (result->steps && info->simulator) {
        result->trust = MU_TRUST_ALONE;
        snprintf(result->reason, sizeof result->reason, "a simulator: barriers between workgroups are not tried on it");
    } else if (result->steps && !only_steps)
        mu_selftest_plan(target, info, result, err);
    if (bench.program != NULL) clReleaseProgram(bench.program);
    mu_team_launch_close(&bench.team);
    if (bench.words != NULL) clReleaseMemObject(bench.words);
    return err->status;
}
