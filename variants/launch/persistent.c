/* Variants portable and specialised: one launch, and afterwards the report of sync_layout.clh. */
#include "variants/launch/execution.h"

#include "base/memory.h"
#include "variants/launch/report.h"
#include "variants/teams/sync_layout.clh"

/* A kernel's word is not believed: the team must be of groups that were launched, and every rank must have come to the
 * end behind as many barriers as rank 0. */
static int judge_ends(const struct mu_execution *execution, const struct mu_report *report, struct mu_error *err)
{
    const uint32_t groups = execution->launch.groups;
    cl_uint *ended = mu_malloc(report->team, sizeof *ended, "what the ranks saw", err);
    if (ended == NULL) return err->status;
    mu_cl_check(clEnqueueReadBuffer(execution->target->queue, execution->sync, CL_TRUE,
                                    MU_SYNC_ENDED(groups) * sizeof *ended, report->team * sizeof *ended, ended, 0, NULL,
                                    NULL),
                "reading what the ranks saw", err);
    for (uint32_t rank = 0; rank < report->team && err->status == MU_OK; rank++)
        if (ended[rank] != MU_ENDED(report->team, report->crossed))
            mu_fail(err, MU_WRONG,
                    "rank %u of %u did not end as rank 0 says, behind %u barriers: it is missing, stands for two "
                    "workgroups, or saw another team or other barriers",
                    rank, report->team, report->crossed);
    mu_free(ended);
    return err->status;
}

static int judge_team(const struct mu_execution *execution, const struct mu_report *report, struct mu_error *err)
{
    const uint32_t groups = execution->launch.groups;
    const bool whole = execution->build.variant == MU_SPECIALISED;
    if (report->team == 0) return mu_fail(err, MU_CRASH, "the kernel ended without a team");
    if (report->team <= groups && (!whole || report->team == groups)) return MU_OK;
    return mu_fail(err, MU_WRONG, "the kernel says that its team was of %u workgroups; %u were launched", report->team,
                   groups);
}

/* The words that the kernel left: abort and report. */
static int read_report(struct mu_execution *execution, uint32_t mode, struct mu_sample *sample, struct mu_error *err)
{
    const struct mu_report_context context = {execution->launch.groups, execution->build.spin_limit};
    struct mu_report report = {0};
    mu_report_read(execution->target->queue, execution->sync, context, &report, err);
    sample->team = report.team;
    sample->barriers += report.crossed;
    if (err->status == MU_OK && judge_team(execution, &report, err) == MU_OK && mode != MU_ROLL_CALL_ONLY)
        judge_ends(execution, &report, err);
    return err->status;
}

static int set_launch_arguments(struct mu_execution *execution, uint32_t mode, struct mu_error *err)
{
    cl_kernel kernel = execution->kernels[0];
    const struct mu_launch *launch = &execution->launch;
    const cl_uint words[] = {mode, launch->expected,
                             mu_rollcall_wait(execution->build.rollcall, launch->patience, launch->delay)};
    cl_int status = clSetKernelArg(kernel, execution->argument_count, sizeof(cl_mem), &execution->sync);
    for (cl_uint i = 0; status == CL_SUCCESS && i < 3; i++)
        status = clSetKernelArg(kernel, execution->argument_count + 1 + i, sizeof words[i], &words[i]);
    return mu_cl_check(status, "clSetKernelArg of the persistent kernel", err);
}

int mu_run_persistent(struct mu_execution *execution, uint32_t mode, struct mu_sample *sample, struct mu_error *err)
{
    if (set_launch_arguments(execution, mode, err) != MU_OK) return err->status;
    const size_t workgroup = execution->build.workgroup;
    const size_t items = (size_t)execution->launch.groups * workgroup;
    cl_event event = NULL;
    const uint64_t start = mu_now_ns();
    cl_int status = clEnqueueNDRangeKernel(execution->target->queue, execution->kernels[0], 1, NULL, &items, &workgroup,
                                           0, NULL, &event);
    if (mu_cl_check(status, "launching the persistent kernel", err) != MU_OK) return err->status;
    mu_cl_check(clFinish(execution->target->queue), "clFinish after a run", err);
    sample->host_ns += mu_now_ns() - start;
    sample->launches++;
    if (err->status != MU_OK) {
        clReleaseEvent(event);
        return err->status;
    }
    if (mu_event_time(event, &sample->device_ns, err) != MU_OK) return err->status;
    return read_report(execution, mode, sample, err);
}

int mu_execution_check_barriers(const struct mu_execution *execution, const struct mu_sample *sample, uint64_t steps,
                                struct mu_error *err)
{
    if (execution->build.variant == MU_MULTI_KERNEL || steps == 0 || sample->barriers == steps) return MU_OK;
    return mu_fail(err, MU_WRONG,
                   "the result is right, but every rank crossed %llu barriers, and the plan has %llu steps",
                   (unsigned long long)sample->barriers, (unsigned long long)steps);
}
