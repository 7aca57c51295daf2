/* The trial of a yield: whether waiting workgroups can give their core away. It has a child process of its own, since
 * there are compilers that die of inline assembly. */
#include "harness/device/child.h"
#include "harness/device/program.h"
#include "harness/device/trust/selftest.h"

#include <stdio.h>

#define TRIAL_DEADLINE_S 30.0
#define YIELDS           8 /* as in yield_trial.cl */

/* Runs the kernel once; *words gets its counts. */
static int run(const struct mu_target *target, cl_program program, cl_uint words[2], struct mu_error *err)
{
    static const cl_uint zeros[2] = {0, 0};
    cl_int status;
    cl_kernel kernel = NULL;
    cl_mem result = clCreateBuffer(target->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof zeros,
                                   (void *)(uintptr_t)zeros, &status);
    if (status == CL_SUCCESS) kernel = clCreateKernel(program, "yield_trial", &status);
    if (status == CL_SUCCESS) status = clSetKernelArg(kernel, 0, sizeof result, &result);
    const size_t one = 1;
    if (status == CL_SUCCESS)
        status = clEnqueueNDRangeKernel(target->queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL);
    if (status == CL_SUCCESS)
        status = clEnqueueReadBuffer(target->queue, result, CL_TRUE, 0, 2 * sizeof words[0], words, 0, NULL, NULL);
    if (kernel != NULL) clReleaseKernel(kernel);
    if (result != NULL) clReleaseMemObject(result);
    return mu_cl_check(status, "the trial of a yield", err);
}

int mu_yield_try(const struct mu_target *target, const struct mu_device_info *info, enum mu_yield yield,
                 struct mu_error *err)
{
    const struct mu_build build = {.c_standard = info->c_standard,
                                   .workgroup = 1,
                                   .spin_limit = 1,
                                   .yield = yield,
                                   .yield_polls = MU_YIELD_POLLS_DEFAULT};
    struct mu_sources sources = {0};
    cl_uint words[2] = {0, 0};
    mu_sources_set_options(&sources, &build, err);
    mu_sources_add(&sources, mu_yield_source(yield), NULL, err);
    mu_sources_add(&sources, "harness/device/trust/yield_trial.cl", NULL, err);
    cl_program program = mu_program_make(target, info, &sources, false, err);
    if (err->status == MU_OK) run(target, program, words, err);
    if (program != NULL) clReleaseProgram(program);
    if (err->status == MU_OK && (words[0] != YIELDS || words[1] != 0))
        return mu_fail(err, MU_WRONG, "%u of %d calls were made, %u failed", words[0], YIELDS, words[1]);
    return err->status;
}

/* Asks a child to try; a child that dies or hangs is a failed trial. */
static int try_in_child(const struct mu_device_info *info, const struct mu_settings *settings, double deadline_s,
                        struct mu_error *err)
{
    const struct mu_child_environment environment = {.icd = info->icd, .settings = settings};
    json_t *response = NULL;
    json_t *request = json_pack("{s:s, s:o}", "kind", "yield", "device", mu_device_to_json(info));
    mu_child_call(request, &environment, deadline_s, &response, err);
    json_decref(request);
    json_decref(response);
    return err->status;
}

int mu_yield_choose(const struct mu_device_info *info, const struct mu_settings *settings, struct mu_selftest *result,
                    struct mu_error *err)
{
    struct mu_error failure = {0};
    const char *reason = "a trial of the system call sched_yield in a kernel worked";
    result->yield = MU_YIELD_NONE;
    if (!info->cpu || info->simulator)
        reason = "its workgroups do not run on threads of the host";
    else if (info->yield == MU_YIELD_NONE)
        reason = "asked for";
    else if (try_in_child(info, settings, mu_selftest_left(result, TRIAL_DEADLINE_S), &failure) == MU_OK)
        result->yield = MU_YIELD_SYSCALL;
    else if (failure.status == MU_INTERRUPTED)
        return mu_fail(err, failure.status, "%s", failure.message);
    result->late = result->late || failure.status == MU_DEADLINE;
    snprintf(result->yield_reason, sizeof result->yield_reason, "%s%.100s",
             failure.status != MU_OK ? "the trial of sched_yield in a kernel failed: " : reason, failure.message);
    for (char *at = result->yield_reason; *at != '\0'; at++)
        if (*at == '\n') *at = ' '; /* what a compiler says has lines */
    return MU_OK;
}
