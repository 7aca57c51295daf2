/* Variants portable and specialised: one launch, and afterwards the report of sync_layout.clh. */
#include "variants/execution.h"

#include "variants/sync_layout.clh"

static const char *rank_text(uint32_t phase)
{
    return phase == MU_PHASE_LOCK ? "workgroup" : "rank";
}

static int report_deadlock(const struct mu_execution *execution, uint32_t phase, const cl_uint *report,
                           struct mu_error *err)
{
    const cl_uint rank = report[MU_REPORT_RANK - MU_SYNC_REPORT];
    const cl_uint arrived = report[MU_REPORT_ARRIVED - MU_SYNC_REPORT];
    if (phase == MU_PHASE_BARRIER)
        return mu_fail(err, MU_DEADLOCK,
                       "rank %u waited at barrier %u, where %u of %u workgroups had arrived (%u launched, %u polls)",
                       rank, report[MU_REPORT_BARRIER - MU_SYNC_REPORT], arrived,
                       report[MU_REPORT_TEAM - MU_SYNC_REPORT], execution->launch.groups, execution->build.spin_limit);
    return mu_fail(err, MU_DEADLOCK,
                   "%s %u waited in the roll call, where %u of %u workgroups had been served (%u polls)",
                   rank_text(phase), rank, arrived, execution->launch.groups, execution->build.spin_limit);
}

/* The words that the kernel left: abort and report. */
static int read_report(struct mu_execution *execution, struct mu_sample *sample, struct mu_error *err)
{
    cl_uint phase = 0, report[MU_REPORT_WORDS] = {0};
    cl_command_queue queue = execution->target->queue;
    cl_int status = clEnqueueReadBuffer(queue, execution->sync, CL_TRUE, MU_SYNC_ABORT * sizeof phase, sizeof phase,
                                        &phase, 0, NULL, NULL);
    if (status == CL_SUCCESS)
        status = clEnqueueReadBuffer(queue, execution->sync, CL_TRUE, MU_SYNC_REPORT * sizeof *report, sizeof report,
                                     report, 0, NULL, NULL);
    if (mu_cl_check(status, "reading the report of a run", err) != MU_OK) return err->status;
    sample->team = report[MU_REPORT_SIZE - MU_SYNC_REPORT];
    sample->barriers = report[MU_REPORT_CROSSED - MU_SYNC_REPORT];
    if (phase != MU_PHASE_NONE) return report_deadlock(execution, phase, report, err);
    if (sample->team == 0) return mu_fail(err, MU_CRASH, "the kernel ended without a team");
    return MU_OK;
}

static int set_launch_arguments(struct mu_execution *execution, uint32_t mode, struct mu_error *err)
{
    cl_kernel kernel = execution->kernels[0];
    const cl_uint words[] = {mode, execution->launch.expected, execution->launch.patience};
    cl_int status = clSetKernelArg(kernel, execution->argument_count, sizeof(cl_mem), &execution->sync);
    for (cl_uint i = 0; status == CL_SUCCESS && i < 3; i++)
        status = clSetKernelArg(kernel, execution->argument_count + 1 + i, sizeof words[i], &words[i]);
    return mu_cl_check(status, "clSetKernelArg of the persistent kernel", err);
}

/* The event is released. */
static int device_time(cl_event event, struct mu_sample *sample, struct mu_error *err)
{
    cl_ulong start = 0, end = 0;
    cl_int status = clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL);
    if (status == CL_SUCCESS) status = clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL);
    clReleaseEvent(event);
    sample->device_ns = end > start ? end - start : 0;
    return mu_cl_check(status, "event times", err);
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
    sample->host_ns = mu_now_ns() - start;
    sample->launches = 1;
    if (err->status != MU_OK) {
        clReleaseEvent(event);
        return err->status;
    }
    if (device_time(event, sample, err) != MU_OK) return err->status;
    return read_report(execution, sample, err);
}
