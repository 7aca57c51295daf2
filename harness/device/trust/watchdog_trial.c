/* The trial of a watchdog: whether the system lets a kernel of a given time end. */
#include "harness/device/host/watchdog.h"
#include "harness/device/program.h"
#include "harness/device/trust/selftest.h"

#define CALIBRATED_NS UINT64_C(20000000) /* that a kernel has to take for its rounds to be timed by it */
#define MOST_ROUNDS   (UINT32_C(1) << 30)

struct bench {
    const struct mu_target *target;
    cl_program program;
    cl_kernel kernel;
    cl_mem result;
};

static int open_bench(struct bench *bench, const struct mu_device_info *info, struct mu_error *err)
{
    const struct mu_build build = {.c_standard = info->c_standard, .workgroup = 1, .spin_limit = 1};
    struct mu_sources sources = {0};
    struct mu_built built = {0};
    cl_int status;
    mu_sources_set_options(&sources, &build, err);
    if (err->status == MU_OK) mu_sources_add(&sources, "harness/device/trust/watchdog_trial.cl", NULL, err);
    if (err->status == MU_OK) mu_program_build(bench->target, info, &sources, false, &built, err);
    mu_sources_free(&sources);
    bench->program = built.program;
    if (err->status != MU_OK) return err->status;
    bench->kernel = clCreateKernel(bench->program, "watchdog_trial", &status);
    if (status == CL_SUCCESS)
        bench->result = clCreateBuffer(bench->target->context, CL_MEM_READ_WRITE, 2 * sizeof(cl_uint), NULL, &status);
    if (status == CL_SUCCESS) status = clSetKernelArg(bench->kernel, 0, sizeof bench->result, &bench->result);
    return mu_cl_check(status, "the trial of a watchdog", err);
}

static void close_bench(struct bench *bench)
{
    if (bench->result != NULL) clReleaseMemObject(bench->result);
    if (bench->kernel != NULL) clReleaseKernel(bench->kernel);
    if (bench->program != NULL) clReleaseProgram(bench->program);
}

/* Runs the kernel for so many rounds; *took_ns gets its time on the host. */
static int run(struct bench *bench, cl_uint rounds, uint64_t *took_ns, struct mu_error *err)
{
    static const cl_uint zero = 0;
    const size_t one = 1;
    cl_command_queue queue = bench->target->queue;
    cl_uint made = 0;
    cl_int status = clSetKernelArg(bench->kernel, 1, sizeof rounds, &rounds);
    if (status == CL_SUCCESS)
        status = clEnqueueFillBuffer(queue, bench->result, &zero, sizeof zero, 0, 2 * sizeof zero, 0, NULL, NULL);
    if (status == CL_SUCCESS) status = clFinish(queue);
    const uint64_t start = mu_now_ns();
    if (status == CL_SUCCESS) status = clEnqueueNDRangeKernel(queue, bench->kernel, 1, NULL, &one, &one, 0, NULL, NULL);
    if (status == CL_SUCCESS) status = clFinish(queue);
    *took_ns = mu_now_ns() - start;
    if (status == CL_SUCCESS)
        status = clEnqueueReadBuffer(queue, bench->result, CL_TRUE, 0, sizeof made, &made, 0, NULL, NULL);
    if (mu_cl_check(status, "a long kernel", err) == MU_OK && made != rounds)
        return mu_fail(err, MU_WRONG, "a long kernel ended behind round %u of %u, and the driver did not say so", made,
                       rounds);
    return err->status;
}

int mu_watchdog_try(const struct mu_target *target, const struct mu_device_info *info, uint32_t ms, uint64_t *took_ns,
                    struct mu_error *err)
{
    struct bench bench = {.target = target};
    cl_uint rounds = 1;
    if (open_bench(&bench, info, err) == MU_OK && run(&bench, rounds, took_ns, err) == MU_OK) /* it may compile */
        while (run(&bench, rounds, took_ns, err) == MU_OK && *took_ns < CALIBRATED_NS && rounds < MOST_ROUNDS)
            rounds *= 2;
    if (err->status == MU_OK) {
        const double wanted = (double)rounds * ms * 1e6 / (double)(*took_ns != 0 ? *took_ns : 1);
        run(&bench, wanted < MOST_ROUNDS ? (cl_uint)wanted + 1 : MOST_ROUNDS, took_ns, err);
    }
    close_bench(&bench);
    return err->status;
}
