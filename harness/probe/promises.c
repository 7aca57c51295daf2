/* Experiments promises and native: what the runtime says of workgroups that run at once, and whether its own barrier
 * meets so many of them. */
#include "base/memory.h"
#include "harness/device/program.h"
#include "harness/probe/probe.h"
#include "variants/promise.h"

#include <stdio.h>
#include <time.h>

#define ROUNDS    100
#define WAIT_S    10.0
#define NOT_VALID UINT32_MAX

/* Whose own barrier the trial's workgroups meet at. */
struct meeting {
    const struct mu_promise *promise;
    cl_program program;
    cl_kernel kernel;
    cl_mem words, wrong;
    size_t items, said;
};

static int build(const struct mu_trial *trial, cl_program *program, struct mu_error *err)
{
    struct mu_sources sources = {0};
    snprintf(sources.options, sizeof sources.options, "-cl-std=%s -DMU_NATIVE=%u", trial->info.c_standard,
             trial->info.native);
    mu_sources_add(&sources, "variants/barriers/vendors.clh", NULL, err);
    mu_sources_add(&sources, "harness/probe/promises.cl", NULL, err);
    *program = mu_program_make(&trial->target, &trial->info, &sources, true, err);
    return err->status;
}

static int open_meeting(struct mu_trial *trial, struct meeting *meeting, struct mu_error *err)
{
    cl_int status = CL_SUCCESS;
    meeting->promise = mu_promise_get(trial->info.native);
    meeting->items = mu_trial_number(trial, "workgroup");
    if (meeting->promise == NULL) return MU_OK;
    if (build(trial, &meeting->program, err) != MU_OK) return err->status;
    meeting->kernel = clCreateKernel(meeting->program, "probe_meet", &status);
    if (mu_cl_check(status, "probe_meet", err) != MU_OK) return err->status;
    return mu_promise_count(meeting->promise, &trial->target, meeting->kernel, meeting->items, &meeting->said, err);
}

static void close_meeting(struct meeting *meeting)
{
    if (meeting->words != NULL) clReleaseMemObject(meeting->words);
    if (meeting->wrong != NULL) clReleaseMemObject(meeting->wrong);
    if (meeting->kernel != NULL) clReleaseKernel(meeting->kernel);
    if (meeting->program != NULL) clReleaseProgram(meeting->program);
}

int mu_probe_promises(struct mu_trial *trial, struct mu_error *err)
{
    struct meeting meeting = {0};
    if (open_meeting(trial, &meeting, err) == MU_OK) {
        struct mu_json said = mu_json_object();
        if (meeting.promise != NULL) {
            mu_json_set_text(&said, "by", mu_promise_name(meeting.promise));
            mu_json_set_number(&said, "said", meeting.said);
        }
        const int subgroups = mu_promise_subgroups(trial->target.device);
        if (subgroups >= 0) mu_json_set_flag(&said, "subgroups_progress", subgroups != 0);
        mu_trial_add(trial, mu_json_take(&said, "what a runtime says", NULL), err);
    }
    close_meeting(&meeting);
    return err->status;
}

/* ---- The runtime's barrier ---- */

static int prepare(struct mu_trial *trial, struct meeting *meeting, size_t groups, struct mu_error *err)
{
    static const cl_uint zero = 0, rounds = ROUNDS;
    cl_int status = CL_SUCCESS, other = CL_SUCCESS;
    size_t bytes = 0;
    if (!mu_mul_size(groups, sizeof(cl_uint), &bytes)) return mu_fail(err, MU_NO_MEMORY, "too many workgroups");
    meeting->words = clCreateBuffer(trial->target.context, CL_MEM_READ_WRITE, bytes, NULL, &status);
    meeting->wrong = clCreateBuffer(trial->target.context, CL_MEM_READ_WRITE, sizeof zero, NULL, &other);
    if (status == CL_SUCCESS) status = other;
    if (status == CL_SUCCESS)
        status = clEnqueueFillBuffer(trial->target.queue, meeting->words, &zero, sizeof zero, 0, bytes, 0, NULL, NULL);
    if (status == CL_SUCCESS)
        status =
            clEnqueueFillBuffer(trial->target.queue, meeting->wrong, &zero, sizeof zero, 0, sizeof zero, 0, NULL, NULL);
    if (status == CL_SUCCESS) status = clSetKernelArg(meeting->kernel, 0, sizeof meeting->words, &meeting->words);
    if (status == CL_SUCCESS) status = clSetKernelArg(meeting->kernel, 1, sizeof meeting->wrong, &meeting->wrong);
    if (status == CL_SUCCESS) status = clSetKernelArg(meeting->kernel, 2, sizeof rounds, &rounds);
    if (status == CL_SUCCESS) status = clFinish(trial->target.queue);
    if (mu_cl_check(status, "preparing a meeting of workgroups", err) != MU_OK) return err->status;
    return mu_promise_dispatch(meeting->promise, meeting->kernel, err);
}

/* Waits for the event; false where it has not come about in time. */
static bool comes_about(cl_event event)
{
    const struct timespec pause = {.tv_nsec = 2000000};
    const uint64_t start = mu_now_ns();
    cl_int ended = CL_QUEUED;
    while ((double)(mu_now_ns() - start) < WAIT_S * 1e9) {
        if (clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof ended, &ended, NULL) != CL_SUCCESS ||
            ended <= CL_COMPLETE)
            return true;
        nanosleep(&pause, NULL);
    }
    return false;
}

/* Forgets all objects, of which each release might wait for a kernel that does not end. The process, which has no other
 * point, ends with them. */
static void leave_all(struct mu_trial *trial, struct meeting *meeting)
{
    meeting->words = meeting->wrong = NULL;
    meeting->kernel = NULL;
    meeting->program = NULL;
    trial->target = (struct mu_target){0};
}

/* Launches so many groups, and tells how that ended. */
static const char *meet(struct mu_trial *trial, struct meeting *meeting, size_t groups, struct mu_error *err)
{
    const size_t all = groups * meeting->items;
    cl_uint wrong = 0;
    cl_event event = NULL;
    if (prepare(trial, meeting, groups, err) != MU_OK) return NULL;
    if (clEnqueueNDRangeKernel(trial->target.queue, meeting->kernel, 1, NULL, &all, &meeting->items, 0, NULL, &event) !=
        CL_SUCCESS)
        return "refused";
    if (clFlush(trial->target.queue) == CL_SUCCESS && !comes_about(event)) {
        leave_all(trial, meeting);
        return "hang";
    }
    clReleaseEvent(event);
    cl_int status =
        clEnqueueReadBuffer(trial->target.queue, meeting->wrong, CL_TRUE, 0, sizeof wrong, &wrong, 0, NULL, NULL);
    if (mu_cl_check(status, "reading what workgroups saw", err) != MU_OK) return NULL;
    return wrong == NOT_VALID ? "not valid" : wrong != 0 ? "wrong data" : "right";
}

int mu_probe_native(struct mu_trial *trial, struct mu_error *err)
{
    struct meeting meeting = {0};
    const uint32_t share = mu_trial_number(trial, "share");
    if (open_meeting(trial, &meeting, err) == MU_OK && meeting.promise != NULL) {
        const size_t groups = share == 0 ? meeting.said + 1 : meeting.said / share;
        const char *ended = groups > 0 ? meet(trial, &meeting, groups, err) : NULL;
        if (ended != NULL)
            mu_trial_add(trial,
                         json_pack("{s:s, s:I, s:I, s:s}", "by", mu_promise_name(meeting.promise), "said",
                                   (json_int_t)meeting.said, "groups", (json_int_t)groups, "ended", ended),
                         err);
    }
    close_meeting(&meeting);
    return err->status;
}
