#include "harness/probe/lab.h"

#include "base/memory.h"
#include "harness/device/launch_defaults.h"
#include "harness/device/program.h"
#include "variants/barriers/vendors.clh"
#include "variants/launch/team_launch.h"
#include "variants/teams/sync_layout.clh"

#include <stdio.h>
#include <string.h>

/* Arguments of lab_run, in order, before those of every team's kernel. */
enum { BALLAST, BALLAST_WORDS, ROUNDS, OWN_ARGUMENTS };

struct mu_lab {
    const struct mu_target *target;
    const struct mu_device_info *info;
    struct mu_lab_spec spec;
    cl_program program;
    cl_kernel kernel;
    struct mu_team_launch team;
    cl_ulong own_local_bytes;
};

static int build(struct mu_lab *lab, struct mu_error *err)
{
    const struct mu_lab_spec *spec = &lab->spec;
    struct mu_build options = mu_default_build(lab->info, spec->atomics, spec->workgroup, spec->spin_limit);
    struct mu_sources sources = {0};
    options.variant = spec->join;
    options.rollcall = spec->rollcall;
    options.barrier = spec->barrier;
    options.yield = spec->yield;
    options.yield_polls = spec->yield_polls;
    mu_sources_start_team(&sources, &options, spec->kernel_dir, err);
    mu_sources_add_join(&sources, &options, spec->kernel_dir, err);
    mu_sources_add(&sources, "harness/probe/lab.cl", spec->kernel_dir, err);
    lab->program = mu_program_make(lab->target, lab->info, &sources, spec->cache, err);
    if (err->status == MU_OK) mu_team_launch_open(&lab->team, lab->target, &options, err);
    return err->status;
}

static int make_kernel(struct mu_lab *lab, struct mu_error *err)
{
    cl_int status;
    lab->kernel = clCreateKernel(lab->program, "lab_run", &status);
    if (mu_cl_check(status, "the laboratory's kernel", err) != MU_OK) return err->status;
    /* Some drivers count the arguments in local memory, which have no size before they are set; PoCL 6.0 says 0. */
    const cl_uint one = 1;
    const cl_ulong declared = (MU_LOCAL_WORDS + 3) * sizeof one; /* words, scratch of two, ballast */
    status = clSetKernelArg(lab->kernel, BALLAST, sizeof one, NULL);
    if (status == CL_SUCCESS)
        status = clGetKernelWorkGroupInfo(lab->kernel, lab->target->device, CL_KERNEL_LOCAL_MEM_SIZE,
                                          sizeof lab->own_local_bytes, &lab->own_local_bytes, NULL);
    if (lab->own_local_bytes < declared) lab->own_local_bytes = declared;
    return mu_cl_check(status, "the laboratory's local memory", err);
}

static int check_spec(const struct mu_device_info *info, const struct mu_lab_spec *spec, struct mu_error *err)
{
    if (spec->join == MU_MULTI_KERNEL) return mu_fail(err, MU_USAGE, "the laboratory has no variant multi-kernel");
    if (!info->available[spec->atomics])
        return mu_fail(err, MU_UNSUPPORTED, "device '%s' cannot do atomics path %s: %s", info->name,
                       mu_atomics_paths[spec->atomics].name, info->atomics_reason);
    if (!mu_device_has_barrier(info, spec->barrier))
        return mu_fail(err, MU_UNSUPPORTED, "device '%s' cannot do barrier native: %s", info->name,
                       MU_NO_NATIVE_BARRIER);
    if (spec->workgroup == 0) return mu_fail(err, MU_USAGE, "a workgroup of no work-items");
    if (spec->workgroup > info->max_workgroup)
        return mu_fail(err, MU_UNSUPPORTED, "workgroups of %u: device '%s' has at most %u", spec->workgroup, info->name,
                       info->max_workgroup);
    return MU_OK;
}

int mu_lab_open(const struct mu_target *target, const struct mu_device_info *info, const struct mu_lab_spec *spec,
                struct mu_lab **lab, struct mu_error *err)
{
    if (check_spec(info, spec, err) != MU_OK) return err->status;
    struct mu_lab *made = mu_calloc(1, sizeof *made, "a laboratory", err);
    if (made == NULL) return err->status;
    made->target = target;
    made->info = info;
    made->spec = *spec;
    if (build(made, err) != MU_OK || make_kernel(made, err) != MU_OK) {
        mu_lab_close(made);
        return err->status;
    }
    *lab = made;
    return MU_OK;
}

uint64_t mu_lab_own_local_bytes(const struct mu_lab *lab)
{
    return lab->own_local_bytes;
}

static int set_arguments(struct mu_lab *lab, const struct mu_lab_run *run, struct mu_error *err)
{
    const uint64_t wanted = run->local_bytes > lab->own_local_bytes ? run->local_bytes - lab->own_local_bytes : 0;
    const size_t ballast = wanted > sizeof(cl_uint) ? (size_t)wanted / sizeof(cl_uint) : 1;
    if (run->local_bytes > lab->info->local_bytes)
        return mu_fail(err, MU_UNSUPPORTED, "%u bytes of local memory: device '%s' has %llu", run->local_bytes,
                       lab->info->name, (unsigned long long)lab->info->local_bytes);
    const cl_uint ballast_words = (cl_uint)ballast;
    cl_int status = clSetKernelArg(lab->kernel, BALLAST, ballast * sizeof(cl_uint), NULL);
    if (status == CL_SUCCESS) status = clSetKernelArg(lab->kernel, BALLAST_WORDS, sizeof ballast_words, &ballast_words);
    if (status == CL_SUCCESS) status = clSetKernelArg(lab->kernel, ROUNDS, sizeof run->rounds, &run->rounds);
    return mu_cl_check(status, "clSetKernelArg of the laboratory's kernel", err);
}

/* Finds the verdict by what the launch left behind. */
static int judge(struct mu_lab *lab, const struct mu_lab_run *run, struct mu_lab_result *result, struct mu_error *err)
{
    struct mu_report report = {0};
    struct mu_error deadlock = {0};
    mu_team_launch_report(&lab->team, &report, &deadlock);
    result->team = report.team;
    result->crossed = report.crossed;
    if (deadlock.status == MU_DEADLOCK) {
        result->verdict = MU_LAB_DEADLOCKED;
        snprintf(result->report, sizeof result->report, "%.255s", deadlock.message);
        return MU_OK;
    }
    if (deadlock.status != MU_OK) return mu_fail(err, deadlock.status, "%s", deadlock.message);
    if (mu_team_launch_judge_team(&lab->team, &report, err) != MU_OK || run->rounds == 0) return err->status;
    if (report.crossed != run->rounds)
        return mu_fail(err, MU_WRONG, "%u of %u barriers were crossed: the driver ends kernels early", report.crossed,
                       run->rounds);
    return mu_team_launch_judge_ends(&lab->team, &report, err);
}

int mu_lab_run(struct mu_lab *lab, const struct mu_lab_run *run, struct mu_lab_result *result, struct mu_error *err)
{
    const struct mu_team_kernel kernel = {lab->kernel, OWN_ARGUMENTS, "the laboratory's kernel"};
    const struct mu_launch launch = {.groups = run->groups,
                                     .expected = run->expected != 0 ? run->expected : run->groups,
                                     .patience = run->patience,
                                     .delay = run->delay};
    struct mu_team_times times = {0};
    memset(result, 0, sizeof *result);
    if (mu_team_launch_prepare(&lab->team, &launch, err) != MU_OK || set_arguments(lab, run, err) != MU_OK ||
        mu_team_launch_run(&lab->team, &kernel, run->rounds == 0 ? MU_ROLL_CALL_ONLY : 0, &times, err) != MU_OK)
        return err->status;
    result->host_ns = times.host_ns;
    result->device_ns = times.device_ns;
    return judge(lab, run, result, err);
}

void mu_lab_close(struct mu_lab *lab)
{
    if (lab == NULL) return;
    mu_team_launch_close(&lab->team);
    if (lab->kernel != NULL) clReleaseKernel(lab->kernel);
    if (lab->program != NULL) clReleaseProgram(lab->program);
    mu_free(lab);
}
