#include "variants/launch/report.h"

#include "variants/teams/sync_layout.clh"

static const char *rank_text(uint32_t phase)
{
    return phase == MU_PHASE_LOCK ? "workgroup" : "rank";
}

static int report_deadlock(struct mu_report_context context, uint32_t phase, const cl_uint *words, struct mu_error *err)
{
    const cl_uint rank = words[MU_REPORT_RANK - MU_SYNC_REPORT];
    const cl_uint arrived = words[MU_REPORT_ARRIVED - MU_SYNC_REPORT];
    if (phase == MU_PHASE_BARRIER)
        return mu_fail(err, MU_DEADLOCK,
                       "rank %u waited at barrier %u, where %u of %u workgroups had arrived (%u launched, %u polls)",
                       rank, words[MU_REPORT_BARRIER - MU_SYNC_REPORT], arrived, words[MU_REPORT_TEAM - MU_SYNC_REPORT],
                       context.groups, context.spin_limit);
    return mu_fail(err, MU_DEADLOCK,
                   "%s %u waited in the roll call, where %u of %u workgroups had been served (%u polls)",
                   rank_text(phase), rank, arrived, context.groups, context.spin_limit);
}

int mu_report_read(cl_command_queue queue, cl_mem sync, struct mu_report_context context, struct mu_report *report,
                   struct mu_error *err)
{
    cl_uint all[MU_SYNC_REPORT - MU_SYNC_ABORT + MU_REPORT_WORDS] = {0};
    const cl_uint *words = all + (MU_SYNC_REPORT - MU_SYNC_ABORT);
    const cl_int status =
        clEnqueueReadBuffer(queue, sync, CL_TRUE, (size_t)MU_SYNC_ABORT * sizeof *all, sizeof all, all, 0, NULL, NULL);
    if (mu_cl_check(status, "reading the report of a run", err) != MU_OK) return err->status;
    report->team = words[MU_REPORT_SIZE - MU_SYNC_REPORT];
    report->native = words[MU_REPORT_NATIVE - MU_SYNC_REPORT] != 0;
    report->crossed = words[MU_REPORT_CROSSED - MU_SYNC_REPORT];
    return all[0] != MU_PHASE_NONE ? report_deadlock(context, all[0], words, err) : MU_OK;
}

int mu_event_time(cl_event event, uint64_t *device_ns, struct mu_error *err)
{
    cl_ulong start = 0, end = 0;
    cl_int status = clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL);
    if (status == CL_SUCCESS) status = clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL);
    clReleaseEvent(event);
    *device_ns = end > start ? end - start : 0;
    return mu_cl_check(status, "event times", err);
}
