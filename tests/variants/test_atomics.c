/* variants/atomics/ on PoCL: what each function of each path that the device has returns, and what it leaves in the
 * word. That paths order what they should, tests/variants/test_sync_races asks. $KERNELS is a folder of other kernel
 * sources. */
#include "tests/on_device.h"
#include "tests/tap.h"

#define GROUPS 64u
#define COUNTS 10000u /* additions of each, as in the kernel */

static const struct {
    const char *what;
    cl_uint returned, left;
} functions[] = {
    {"load_relaxed", 5, 5},
    {"load_acquire", 5, 5},
    {"store_relaxed", 0, 7},
    {"store_release", 0, 7},
    {"add_relaxed", 5, 12},
    {"add_release", 5, 12},
    {"add_acq_rel, around 2^32", 5, 4},
    {"or_relaxed", 0, 7},
    {"compare_exchange of what is there", 5, 7},
    {"compare_exchange of what is not", 5, 5},
};
enum { FUNCTIONS = sizeof functions / sizeof functions[0] };

static int build(const struct on_device *device, enum mu_atomics atomics, cl_program *program, struct mu_error *err)
{
    const struct mu_build build = {.atomics = atomics,
                                   .ptx_fences = device->info.ptx_fences,
                                   .c_standard = device->info.c_standard,
                                   .workgroup = 1,
                                   .spin_limit = 1};
    const char *const folder = getenv("srcdir");
    struct mu_sources sources = {0};
    struct mu_built built = {0};
    if (mu_sources_start_team(&sources, &build, getenv("KERNELS"), err) == MU_OK &&
        mu_sources_add(&sources, "tests/data/atomics.cl", folder != NULL ? folder : ".", err) == MU_OK)
        mu_program_build(&device->target, &device->info, &sources, false, &built, err);
    mu_sources_free(&sources);
    *program = built.program;
    return err->status;
}

/* `items` work-items, one to a group; words gets back what its words hold then. */
static cl_int run(const struct mu_target *target, cl_kernel kernel, size_t items, cl_uint words[FUNCTIONS],
                  cl_uint results[2 * FUNCTIONS])
{
    const size_t one = 1, word_bytes = FUNCTIONS * sizeof words[0], bytes = 2 * FUNCTIONS * sizeof results[0];
    cl_int status;
    cl_mem word_buffer =
        clCreateBuffer(target->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, word_bytes, words, &status);
    cl_mem result_buffer = clCreateBuffer(target->context, CL_MEM_READ_WRITE, bytes, NULL, &status);
    if (status == CL_SUCCESS) status = clSetKernelArg(kernel, 0, sizeof word_buffer, &word_buffer);
    if (status == CL_SUCCESS) status = clSetKernelArg(kernel, 1, sizeof result_buffer, &result_buffer);
    if (status == CL_SUCCESS)
        status = clEnqueueNDRangeKernel(target->queue, kernel, 1, NULL, &items, &one, 0, NULL, NULL);
    if (status == CL_SUCCESS)
        status = clEnqueueReadBuffer(target->queue, result_buffer, CL_TRUE, 0, bytes, results, 0, NULL, NULL);
    if (status == CL_SUCCESS)
        status = clEnqueueReadBuffer(target->queue, word_buffer, CL_TRUE, 0, word_bytes, words, 0, NULL, NULL);
    if (word_buffer != NULL) clReleaseMemObject(word_buffer);
    if (result_buffer != NULL) clReleaseMemObject(result_buffer);
    return status;
}

static void test_path(const struct on_device *device, enum mu_atomics atomics)
{
    const char *const name = mu_atomics_paths[atomics].name;
    cl_uint words[FUNCTIONS], results[2 * FUNCTIONS] = {0};
    struct mu_error err = {0};
    cl_program program = NULL;
    cl_int status = CL_SUCCESS;
    if (!CHECK(build(device, atomics, &program, &err) == MU_OK, "%s: builds %s", name, err.message)) return;
    for (int i = 0; i < FUNCTIONS; i++) words[i] = 5;
    cl_kernel kernel = clCreateKernel(program, "each_atomic", &status);
    if (status == CL_SUCCESS) status = run(&device->target, kernel, 1, words, results);
    CHECK(status == CL_SUCCESS, "%s: runs", name);
    for (int i = 0; i < FUNCTIONS; i++)
        CHECK(results[2 * i] == functions[i].returned && results[2 * i + 1] == functions[i].left,
              "%s: %s returns %u and leaves %u", name, functions[i].what, results[2 * i], results[2 * i + 1]);
    if (kernel != NULL) clReleaseKernel(kernel);
    memset(words, 0, sizeof words);
    kernel = clCreateKernel(program, "count_atomics", &status);
    if (status == CL_SUCCESS) status = run(&device->target, kernel, GROUPS, words, results);
    CHECK(status == CL_SUCCESS && words[0] == GROUPS * COUNTS && words[1] == words[0] && words[2] == words[0],
          "%s: of %u additions by %u groups %u, %u and %u arrive", name, GROUPS * COUNTS, GROUPS, words[0], words[1],
          words[2]);
    if (kernel != NULL) clReleaseKernel(kernel);
    clReleaseProgram(program);
}

int main(void)
{
    struct on_device device = {0};
    if (!open_pocl(&device)) {
        printf("1..0 # SKIP there is no PoCL (Debian package pocl-opencl-icd)\n");
        return 0;
    }
    for (int atomics = 0; mu_atomics_paths[atomics].name != NULL; atomics++)
        if (device.info.available[atomics]) test_path(&device, (enum mu_atomics)atomics);
    mu_device_close(&device.target);
    return tap_done();
}
