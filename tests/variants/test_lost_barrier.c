/* Whether this PoCL keeps the barriers of the reduced kernel tests/data/lost_barrier.cl, by each of its work-group
 * methods. The form that persistent kernels have, without an early way out, must be right by every one. What the other
 * form makes of the driver is told, not judged: the self-test does not rely on it. */
#include "tests/on_device.h"
#include "tests/tap.h"

#include <sys/wait.h>

#define BARRIERS 100 /* as in the kernel: two in each of 50 rounds */
#define ROUNDS   50
#define PATIENCE 60 /* seconds after which a run has hung */

static char source[16384];

static bool read_source(void)
{
    char path[4096];
    const char *folder = getenv("srcdir");
    snprintf(path, sizeof path, "%s/tests/data/lost_barrier.cl", folder != NULL ? folder : ".");
    FILE *file = fopen(path, "rb");
    if (file == NULL) return false;
    const size_t length = fread(source, 1, sizeof source - 1, file);
    fclose(file);
    return length != 0;
}

/* Runs the kernel; words gets its result. Zero for success. */
static cl_int run(const struct mu_target *target, const char *options, cl_uint words[3])
{
    static const cl_uint zeros[3] = {0, 0, 0};
    const cl_mem_flags flags = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
    const char *text = source;
    const size_t items = 2;
    cl_int status;
    cl_mem waited_for = clCreateBuffer(target->context, flags, sizeof zeros, (void *)(uintptr_t)zeros, &status);
    cl_mem result = clCreateBuffer(target->context, flags, sizeof zeros, (void *)(uintptr_t)zeros, &status);
    cl_program program = clCreateProgramWithSource(target->context, 1, &text, NULL, &status);
    if (status == CL_SUCCESS) status = clBuildProgram(program, 1, &target->device, options, NULL, NULL);
    if (status != CL_SUCCESS) return status;
    cl_kernel kernel = clCreateKernel(program, "lost_barrier", &status);
    if (status == CL_SUCCESS) status = clSetKernelArg(kernel, 0, sizeof waited_for, &waited_for);
    if (status == CL_SUCCESS) status = clSetKernelArg(kernel, 1, sizeof result, &result);
    if (status == CL_SUCCESS)
        status = clEnqueueNDRangeKernel(target->queue, kernel, 1, NULL, &items, &items, 0, NULL, NULL);
    if (status == CL_SUCCESS)
        status = clEnqueueReadBuffer(target->queue, result, CL_TRUE, 0, sizeof zeros, words, 0, NULL, NULL);
    return status;
}

enum { RIGHT, LOST, FAILED, NO_POCL };

/* In a process of its own, which has the method: the exit code is the outcome. */
static int try_method(const char *method, const char *options)
{
    struct on_device device = {0};
    cl_uint words[3] = {0};
    alarm(PATIENCE);
    if (method[0] != '\0') setenv("POCL_WORK_GROUP_METHOD", method, 1);
    if (!open_pocl(&device)) return NO_POCL;
    if (run(&device.target, options, words) != CL_SUCCESS) return FAILED;
    printf("# %s%s: %u barriers crossed\n", method, options, words[0]);
    fflush(stdout);
    return words[0] == BARRIERS && words[1] == ROUNDS + 1 && words[2] == 1 ? RIGHT : LOST;
}

static int outcome(const char *method, const char *options)
{
    int status = 0;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) _exit(try_method(method, options));
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) return FAILED;
    return WEXITSTATUS(status);
}

int main(void)
{
    static const char *const methods[] = {"", "loops", "loopvec", "cbs"};
    const char *extent = getenv("MU_EXTENT");
    const bool full = extent != NULL && strcmp(extent, "all") == 0;
    if (!read_source()) return 99;
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        const char *name = methods[i][0] != '\0' ? methods[i] : "the default method";
        /* Each compiles for half a second. The default method is one of these two. */
        if ((strcmp(methods[i], "loops") == 0 || strcmp(methods[i], "loopvec") == 0) && !tap_in_full()) continue;
        const int ours = outcome(methods[i], "");
        if (ours == NO_POCL)
            tap_skip(name, "there is no PoCL (Debian package pocl-opencl-icd)");
        else if (ours == FAILED && i != 0)
            tap_skip(name, "this PoCL has no such method");
        else
            CHECK(ours == RIGHT, "%s: a kernel without an early way out keeps its barriers", name);
        /* What is no check: it only tells. */
        if (ours == RIGHT && full && outcome(methods[i], "-DWAY_OUT") != RIGHT)
            printf("# %s: a kernel with an early way out loses some\n", name);
    }
    return tap_done();
}
