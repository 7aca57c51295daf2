/* The self-test's trial of a yield: whether waiting workgroups can give their core away. */
#include "harness/program.h"
#include "harness/selftest.h"

#include <stdio.h>

#define YIELDS 8 /* as in selftest_yield.cl */

/* Runs the kernel once; *words gets its counts. */
static int run(const struct mu_target *target, cl_program program, cl_uint words[2], struct mu_error *err)
{
    static const cl_uint zeros[2] = {0, 0};
    cl_int status;
    cl_kernel kernel = NULL;
    cl_mem result = clCreateBuffer(target->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof zeros,
                                   (void *)(uintptr_t)zeros, &status);
    if (status == CL_SUCCESS) kernel = clCreateKernel(program, "selftest_yield", &status);
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

/* Builds the kernel with this yield and runs it. A failure is the reason against the yield. */
static int try_yield(const struct mu_target *target, const struct mu_device_info *info, enum mu_yield yield,
                     struct mu_error *err)
{
    const struct mu_build build = {.c_standard = info->c_standard,
                                   .workgroup = 1,
                                   .spin_limit = 1,
                                   .yield = yield,
                                   .yield_polls = MU_YIELD_POLLS_DEFAULT};
    struct mu_sources sources = {0};
    struct mu_built built = {0};
    cl_uint words[2] = {0, 0};
    mu_sources_set_options(&sources, &build);
    int status = mu_sources_add(&sources, mu_yield_source(yield), NULL, err);
    if (status == MU_OK) status = mu_sources_add(&sources, "harness/selftest_yield.cl", NULL, err);
    if (status == MU_OK) status = mu_program_build(target, info, &sources, false, &built, err);
    mu_sources_free(&sources);
    if (status == MU_OK) status = run(target, built.program, words, err);
    if (built.program != NULL) clReleaseProgram(built.program);
    if (status == MU_OK && (words[0] != YIELDS || words[1] != 0))
        return mu_fail(err, MU_WRONG, "%u of %d calls were made, %u failed", words[0], YIELDS, words[1]);
    return status;
}

void mu_selftest_yield(const struct mu_target *target, const struct mu_device_info *info, struct mu_selftest *result)
{
    struct mu_error err = {0};
    result->yield = MU_YIELD_NONE;
    if (!info->cpu || info->simulator)
        snprintf(result->yield_reason, sizeof result->yield_reason, "its workgroups do not run on threads of the host");
    else if (info->yield == MU_YIELD_NONE)
        snprintf(result->yield_reason, sizeof result->yield_reason, "asked for");
    else if (try_yield(target, info, MU_YIELD_SYSCALL, &err) == MU_OK) {
        result->yield = MU_YIELD_SYSCALL;
        snprintf(result->yield_reason, sizeof result->yield_reason,
                 "workgroups run on threads of the host, and a trial of the system call worked");
    } else
        snprintf(result->yield_reason, sizeof result->yield_reason, "the trial of the system call failed: %.80s",
                 err.message);
}
