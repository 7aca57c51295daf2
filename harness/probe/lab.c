#include "harness/probe/lab.h"

#include "base/memory.h"
#include "harness/device/program.h"
#include "variants/launch/report.h"
#include "variants/teams/sync_layout.clh"

#include <stdio.h>
#include <string.h>

#define MAX_ITEMS (UINT32_C(1) << 24)

struct mu_lab {
    const struct mu_target *target;
    const struct mu_device_info *info;
    struct mu_lab_spec spec;
    cl_program program;
    cl_kernel kernel;
    cl_mem sync, result;
    uint32_t sync_groups; /* how many groups sync has room for */
    cl_ulong own_local_bytes;
};

static int build(struct mu_lab *lab, struct mu_error *err)
{
    const struct mu_lab_spec *spec = &lab->spec;
    const struct mu_build options = {.variant = spec->join,
                                     .rollcall = spec->rollcall,
                                     .barrier = spec->barrier,
                                     .atomics = spec->atomics,
                                     .ptx_fences = lab->info->ptx_fences,
                                     .c_standard = spec->atomics == MU_ATOMICS_FENCES ? "CL1.2" : lab->info->c_standard,
                                     .yield = spec->yield,
                                     .yield_polls = spec->yield_polls,
                                     .workgroup = spec->workgroup,
                                     .spin_limit = spec->spin_limit};
    const char *const paths[] = {"harness/device/trust/selftest_state.clh", "variants/teams/sync_layout.clh",
                                 mu_atomics_source(spec->atomics), "variants/teams/team.clh",
                                 "variants/teams/state.clh"};
    struct mu_sources sources = {0};
    struct mu_built built = {0};
    mu_sources_set_options(&sources, &options, err);
    for (size_t i = 0; err->status == MU_OK && i < sizeof paths / sizeof paths[0]; i++)
        mu_sources_add(&sources, paths[i], spec->kernel_dir, err);
    if (err->status == MU_OK) mu_sources_add_spin(&sources, &options, spec->kernel_dir, err);
    if (err->status == MU_OK) mu_sources_add_join(&sources, &options, spec->kernel_dir, err);
    if (err->status == MU_OK) mu_sources_add(&sources, "harness/probe/lab.cl", spec->kernel_dir, err);
    if (err->status == MU_OK) mu_program_build(lab->target, lab->info, &sources, spec->cache, &built, err);
    mu_sources_free(&sources);
    lab->program = built.program;
    return err->status;
}

static int make_kernel(struct mu_lab *lab, struct mu_error *err)
{
    cl_int status;
    lab->kernel = clCreateKernel(lab->program, "lab_run", &status);
    if (mu_cl_check(status, "the laboratory's kernel", err) != MU_OK) return err->status;
    /* Some drivers count the arguments in local memory, which have no size before they are set; PoCL 6.0 says 0. */
    const cl_uint one = 1;
    const cl_ulong declared = (MU_LOCAL_WORDS + 1) * sizeof one; /* words and ballast in lab.cl */
    status = clSetKernelArg(lab->kernel, 2, sizeof one, NULL);
    if (status == CL_SUCCESS)
        status = clGetKernelWorkGroupInfo(lab->kernel, lab->target->device, CL_KERNEL_LOCAL_MEM_SIZE,
                                          sizeof lab->own_local_bytes, &lab->own_local_bytes, NULL);
    if (mu_cl_check(status, "the laboratory's local memory", err) != MU_OK) return err->status;
    if (lab->own_local_bytes < declared) lab->own_local_bytes = declared;
    lab->result = clCreateBuffer(lab->target->context, CL_MEM_READ_WRITE, sizeof(cl_uint), NULL, &status);
    return mu_cl_check(status, "the laboratory's result", err);
}

static int check_spec(const struct mu_device_info *info, const struct mu_lab_spec *spec, struct mu_error *err)
{
    if (spec->join == MU_MULTI_KERNEL) return mu_fail(err, MU_USAGE, "the laboratory has no variant multi-kernel");
    if (!info->available[spec->atomics])
        return mu_fail(err, MU_UNSUPPORTED, "device '%s' cannot do atomics path %s: %s", info->name,
                       mu_atomics_paths[spec->atomics].name, info->atomics_reason);
    if (spec->barrier == MU_BARRIER_SPLIT && !info->split_barrier)
        return mu_fail(err, MU_UNSUPPORTED, "device '%s' does not report cl_intel_split_work_group_barrier",
                       info->name);
    if (spec->workgroup == 0 || (spec->workgroup & (spec->workgroup - 1)) != 0)
        return mu_fail(err, MU_USAGE, "a workgroup of %u is not a power of two", spec->workgroup);
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

static int make_sync(struct mu_lab *lab, uint32_t groups, struct mu_error *err)
{
    cl_int status;
    if (lab->sync_groups >= groups) return MU_OK;
    if (lab->sync != NULL) clReleaseMemObject(lab->sync);
    lab->sync_groups = 0;
    lab->sync =
        clCreateBuffer(lab->target->context, CL_MEM_READ_WRITE, MU_SYNC_WORDS(groups) * sizeof(cl_uint), NULL, &status);
    if (mu_cl_check(status, "buffer for synchronisation", err) == MU_OK) lab->sync_groups = groups;
    return err->status;
}

static int clear(struct mu_lab *lab, uint32_t groups, struct mu_error *err)
{
    static const cl_uint zero = 0;
    cl_command_queue queue = lab->target->queue;
    if (make_sync(lab, groups, err) != MU_OK) return err->status;
    cl_int status = clEnqueueFillBuffer(queue, lab->sync, &zero, sizeof zero, 0, MU_SYNC_WORDS(groups) * sizeof zero, 0,
                                        NULL, NULL);
    if (status == CL_SUCCESS)
        status = clEnqueueFillBuffer(queue, lab->result, &zero, sizeof zero, 0, sizeof zero, 0, NULL, NULL);
    if (status == CL_SUCCESS) status = clFinish(queue);
    return mu_cl_check(status, "laboratory: clearing buffers", err);
}

static int set_arguments(struct mu_lab *lab, const struct mu_lab_run *run, struct mu_error *err)
{
    const uint64_t wanted = run->local_bytes > lab->own_local_bytes ? run->local_bytes - lab->own_local_bytes : 0;
    const size_t ballast = wanted > sizeof(cl_uint) ? (size_t)wanted / sizeof(cl_uint) : 1;
    if (run->local_bytes > lab->info->local_bytes)
        return mu_fail(err, MU_UNSUPPORTED, "%u bytes of local memory: device '%s' has %llu", run->local_bytes,
                       lab->info->name, (unsigned long long)lab->info->local_bytes);
    const cl_uint words[] = {(cl_uint)ballast, run->expected != 0 ? run->expected : run->groups,
                             mu_rollcall_wait(lab->spec.rollcall, run->patience, run->delay), run->rounds};
    cl_int status = clSetKernelArg(lab->kernel, 0, sizeof lab->sync, &lab->sync);
    if (status == CL_SUCCESS) status = clSetKernelArg(lab->kernel, 1, sizeof lab->result, &lab->result);
    if (status == CL_SUCCESS) status = clSetKernelArg(lab->kernel, 2, ballast * sizeof(cl_uint), NULL);
    for (cl_uint i = 0; status == CL_SUCCESS && i < sizeof words / sizeof words[0]; i++)
        status = clSetKernelArg(lab->kernel, 3 + i, sizeof words[i], &words[i]);
    return mu_cl_check(status, "clSetKernelArg of the laboratory's kernel", err);
}

static int launch(struct mu_lab *lab, uint32_t groups, struct mu_lab_result *result, struct mu_error *err)
{
    const size_t workgroup = lab->spec.workgroup, items = (size_t)groups * workgroup;
    cl_event event = NULL;
    const uint64_t start = mu_now_ns();
    cl_int status =
        clEnqueueNDRangeKernel(lab->target->queue, lab->kernel, 1, NULL, &items, &workgroup, 0, NULL, &event);
    if (mu_cl_check(status, "launching the laboratory's kernel", err) != MU_OK) return err->status;
    mu_cl_check(clFinish(lab->target->queue), "clFinish of the laboratory's kernel", err);
    result->host_ns = mu_now_ns() - start;
    if (err->status == MU_OK) return mu_event_time(event, &result->device_ns, err);
    clReleaseEvent(event);
    return err->status;
}

/* What the launch left behind, as a verdict. */
static int judge(struct mu_lab *lab, const struct mu_lab_run *run, struct mu_lab_result *result, struct mu_error *err)
{
    const struct mu_report_context context = {run->groups, lab->spec.spin_limit};
    struct mu_report report = {0};
    struct mu_error deadlock = {0};
    cl_uint ended = 0;
    mu_report_read(lab->target->queue, lab->sync, context, &report, &deadlock);
    result->team = report.team;
    result->crossed = report.crossed;
    if (deadlock.status == MU_DEADLOCK) {
        result->verdict = MU_LAB_DEADLOCKED;
        snprintf(result->report, sizeof result->report, "%.255s", deadlock.message);
        return MU_OK;
    }
    if (deadlock.status != MU_OK) return mu_fail(err, deadlock.status, "%s", deadlock.message);
    if (mu_cl_check(
            clEnqueueReadBuffer(lab->target->queue, lab->result, CL_TRUE, 0, sizeof ended, &ended, 0, NULL, NULL),
            "reading the laboratory's result", err) != MU_OK)
        return err->status;
    if (report.team == 0) return mu_fail(err, MU_WRONG, "the laboratory's kernel ended without a team");
    if (run->rounds != 0 && (ended != report.team || report.crossed != run->rounds))
        return mu_fail(err, MU_WRONG,
                       "%u of %u workgroups came to the end, and %u of %u barriers: the driver ends kernels early",
                       ended, report.team, report.crossed, run->rounds);
    return MU_OK;
}

int mu_lab_run(struct mu_lab *lab, const struct mu_lab_run *run, struct mu_lab_result *result, struct mu_error *err)
{
    memset(result, 0, sizeof *result);
    if (run->groups == 0 || (uint64_t)run->groups * lab->spec.workgroup > MAX_ITEMS)
        return mu_fail(err, MU_USAGE, "a launch of %u workgroups of %u is not between 1 and 2^24 work-items",
                       run->groups, lab->spec.workgroup);
    if (clear(lab, run->groups, err) != MU_OK || set_arguments(lab, run, err) != MU_OK ||
        launch(lab, run->groups, result, err) != MU_OK)
        return err->status;
    return judge(lab, run, result, err);
}

void mu_lab_close(struct mu_lab *lab)
{
    if (lab == NULL) return;
    if (lab->sync != NULL) clReleaseMemObject(lab->sync);
    if (lab->result != NULL) clReleaseMemObject(lab->result);
    if (lab->kernel != NULL) clReleaseKernel(lab->kernel);
    if (lab->program != NULL) clReleaseProgram(lab->program);
    mu_free(lab);
}
