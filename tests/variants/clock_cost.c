/* What the clock of samples adds to a kernel that is launched and waited for, on the first device of a platform:
 *
 *     clock_cost [PLATFORM [WORKGROUP [GROUPS]]]
 *
 * An empty plan, specialised and portable, in ways that take turns, so that what else the machine does is common to
 * them. Prints the median of each in microseconds: kernel and finish, samples that wait for the report or watch for it,
 * and what a sample would be with one set of words that the host clears, in one chain or each thing waited for. */
#include "harness/device/device.h"
#include "harness/device/launch_defaults.h"
#include "harness/device/program.h"
#include "variants/launch/team_launch.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <stdio.h>
#include <stdlib.h>

enum way { KERNEL, WAITING, WATCHING, CHAIN, APART, WAYS };
static const char *const names[WAYS] = {"kernel and finish", "sample, report waited for", "sample, report watched",
                                        "host clears, one chain", "host clears, each waited for"};

#define ROUNDS 500
#define WARMUP 50

/* Arguments of lab_run (harness/probe/lab.cl). */
enum { BALLAST, BALLAST_WORDS, LAB_ROUNDS, OWN_ARGUMENTS };

static struct mu_device_info info;
static struct mu_target target;
static struct mu_pinned pinned;
static double times_us[WAYS][ROUNDS];

static int open_device(uint32_t platform, struct mu_error *err)
{
    if (mu_platform_device(platform, 0, &info, err) != MU_OK) return err->status;
    if (mu_device_open(&info, false, &target, err) != MU_OK) return err->status;
    return mu_pinned_open(&target, &pinned, err);
}

static cl_program build_lab(const struct mu_build *build, struct mu_error *err)
{
    struct mu_sources sources = {0};
    struct mu_built built = {0};
    mu_sources_start_team(&sources, build, NULL, err);
    if (err->status == MU_OK) mu_sources_add_join(&sources, build, NULL, err);
    if (err->status == MU_OK) mu_sources_add(&sources, "harness/probe/lab.cl", NULL, err);
    if (err->status == MU_OK) mu_program_build(&target, &info, &sources, true, &built, err);
    mu_sources_free(&sources);
    return built.program;
}

static int set_arguments(cl_kernel kernel, struct mu_error *err)
{
    const cl_uint one = 1, none = 0;
    cl_int status = clSetKernelArg(kernel, BALLAST, sizeof one, NULL);
    if (status == CL_SUCCESS) status = clSetKernelArg(kernel, BALLAST_WORDS, sizeof one, &one);
    if (status == CL_SUCCESS) status = clSetKernelArg(kernel, LAB_ROUNDS, sizeof none, &none);
    return mu_cl_check(status, "arguments of the laboratory's kernel", err);
}

/* One launch; `single` has one set of words, and `team` two. */
static int take(enum way way, struct mu_team_launch *team, struct mu_team_launch *single,
                const struct mu_team_kernel *kernel, struct mu_error *err)
{
    struct mu_team_times times = {0};
    struct mu_report report = {0};
    const struct mu_launch launch = single->launch;
    const uint64_t start = mu_now_ns();
    uint64_t apart_ns = 0;
    pinned.kind = way == WATCHING ? MU_READBACK_WORD : MU_READBACK_BLOCKING;
    switch (way) {
    case WAITING:
    case WATCHING:
        return mu_team_launch_go(team, kernel, 0, &times, &report, err) == MU_OK ? (int)times.host_ns : -1;
    case CHAIN:
        return mu_team_launch_go(single, kernel, 0, &times, &report, err) == MU_OK ? (int)times.host_ns : -1;
    default:
        break;
    }
    if (mu_team_launch_prepare(single, &launch, err) != MU_OK ||
        mu_cl_check(clFinish(target.queue), "clFinish", err) != MU_OK)
        return -1;
    apart_ns = mu_now_ns() - start;
    if (mu_team_launch_run(single, kernel, 0, &times, err) != MU_OK) return -1;
    if (way == KERNEL) return (int)times.host_ns;
    const uint64_t behind = mu_now_ns();
    if (mu_team_launch_report(single, &report, err) != MU_OK) return -1;
    return (int)(apart_ns + times.host_ns + mu_now_ns() - behind);
}

static int measure(const struct mu_build *build, uint32_t groups, struct mu_error *err)
{
    const struct mu_launch launch = {.groups = groups, .expected = groups, .patience = mu_default_patience(&info)};
    struct mu_team_launch team = {0}, single = {0};
    struct mu_team_kernel kernel = {NULL, OWN_ARGUMENTS, "the laboratory's kernel"};
    cl_int status;
    cl_program program = build_lab(build, err);
    if (program == NULL) return err->status;
    kernel.kernel = clCreateKernel(program, "lab_run", &status);
    if (mu_cl_check(status, kernel.name, err) != MU_OK || set_arguments(kernel.kernel, err) != MU_OK ||
        mu_team_launch_open(&team, &target, build, err) != MU_OK ||
        mu_team_launch_open(&single, &target, build, err) != MU_OK)
        return err->status;
    team.takes_turns = true;
    team.pinned = single.pinned = &pinned;
    mu_team_launch_reserve(&team, &launch, err);
    mu_team_launch_reserve(&single, &launch, err);
    for (int round = -WARMUP; round < ROUNDS && err->status == MU_OK; round++)
        for (int way = 0; way < WAYS && err->status == MU_OK; way++) {
            const int ns = take((enum way)way, &team, &single, &kernel, err);
            clFinish(target.queue);
            if (round >= 0) times_us[way][round] = ns / 1e3;
        }
    mu_team_launch_close(&team);
    mu_team_launch_close(&single);
    clReleaseKernel(kernel.kernel);
    clReleaseProgram(program);
    return err->status;
}

static double median_of(double *values)
{
    gsl_sort(values, 1, ROUNDS);
    return gsl_stats_median_from_sorted_data(values, 1, ROUNDS);
}

static void print(const char *variant, uint32_t groups, uint32_t workgroup)
{
    static double beyond[WAYS][ROUNDS];
    printf("%s, %u workgroups of %u: medians in us\n", variant, groups, workgroup);
    for (int way = 0; way < WAYS; way++)
        for (int i = 0; i < ROUNDS; i++) beyond[way][i] = times_us[way][i] - times_us[KERNEL][i];
    for (int way = 0; way < WAYS; way++)
        printf("  %-30s %8.2f, beyond kernel and finish %8.2f\n", names[way], median_of(times_us[way]),
               median_of(beyond[way]));
}

int main(int argc, char **argv)
{
    struct mu_error err = {0};
    const uint32_t platform = argc > 1 ? (uint32_t)atoi(argv[1]) : 0;
    if (open_device(platform, &err) == MU_OK) {
        const uint32_t workgroup = argc > 2 ? (uint32_t)atoi(argv[2]) : mu_default_workgroup(&info);
        const uint32_t groups = argc > 3 ? (uint32_t)atoi(argv[3]) : info.compute_units;
        struct mu_build build = mu_default_build(&info, info.atomics, workgroup, 1u << 24);
        build.barrier = MU_BARRIER_COUNTER;
        for (int portable = 0; portable < 2 && err.status == MU_OK; portable++) {
            build.variant = portable ? MU_PORTABLE : MU_SPECIALISED;
            build.rollcall = MU_ROLLCALL_ATOMIC;
            if (measure(&build, groups, &err) == MU_OK) print(portable ? "portable" : "specialised", groups, workgroup);
        }
        mu_pinned_close(&target, &pinned);
        mu_device_close(&target);
    }
    if (err.status != MU_OK) fprintf(stderr, "clock_cost: %s\n", err.message);
    return err.status == MU_OK ? 0 : 1;
}
