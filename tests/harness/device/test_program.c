/* harness/device/program: a program comes from its sources first and from the cache then, and where the driver keeps
 * its own cache, as PoCL does, none is left in ours. */
#include "harness/device/program.h"

#include "tests/on_device.h"
#include "tests/tap.h"

#include <dirent.h>

static char folder[] = "/tmp/muster-program-XXXXXX";

static const char source[] = "__kernel void twice(__global uint *p) { p[get_global_id(0)] *= 2; }\n";
static const char broken[] = "__kernel void twice(__global uint *p) { nonsense; }\n";

/* Files of programs in the cache. */
static int count_files(void)
{
    int count = 0;
    char inner[256];
    snprintf(inner, sizeof inner, "%s/muster", folder);
    DIR *entries = opendir(inner);
    for (struct dirent *entry = entries ? readdir(entries) : NULL; entry != NULL; entry = readdir(entries))
        count += strncmp(entry->d_name, "program", 7) == 0;
    if (entries != NULL) closedir(entries);
    return count;
}

/* Whether the program's kernel doubles 21. */
static bool doubles(const struct on_device *device, cl_program program)
{
    const struct mu_target *target = &device->target;
    cl_int made_kernel, made_buffer;
    cl_uint value = 21;
    const size_t one = 1;
    cl_kernel kernel = clCreateKernel(program, "twice", &made_kernel);
    cl_mem buffer = clCreateBuffer(target->context, CL_MEM_COPY_HOST_PTR, sizeof value, &value, &made_buffer);
    const bool ran =
        made_kernel == CL_SUCCESS && made_buffer == CL_SUCCESS &&
        clSetKernelArg(kernel, 0, sizeof buffer, &buffer) == CL_SUCCESS &&
        clEnqueueNDRangeKernel(target->queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL) == CL_SUCCESS &&
        clEnqueueReadBuffer(target->queue, buffer, CL_TRUE, 0, sizeof value, &value, 0, NULL, NULL) == CL_SUCCESS;
    if (made_buffer == CL_SUCCESS) clReleaseMemObject(buffer);
    if (made_kernel == CL_SUCCESS) clReleaseKernel(kernel);
    return ran && value == 42;
}

static struct mu_sources sources_of(const char *text, const char *options)
{
    struct mu_sources sources = {.count = 1, .text = {text}, .length = {strlen(text)}};
    snprintf(sources.options, sizeof sources.options, "%s", options);
    return sources;
}

static void builds(const struct on_device *device, const char *options, bool use_cache, bool cached, int files,
                   const char *what)
{
    const struct mu_sources sources = sources_of(source, options);
    struct mu_built built = {0};
    struct mu_error err = {0};
    const bool made = mu_program_build(&device->target, &device->info, &sources, use_cache, &built, &err) == MU_OK;
    CHECK(made && built.cached == cached && doubles(device, built.program), "%s: %s %s", what,
          cached ? "from the cache" : "compiled", err.message);
    CHECK(count_files() == files, "%s: %d programs in the cache", what, count_files());
    if (built.program != NULL) clReleaseProgram(built.program);
}

static void test_own_cache(const struct on_device *device)
{
    builds(device, "", true, false, 0, "PoCL");
    builds(device, "", true, false, 0, "PoCL, again");
}

/* The same driver under a name that says nothing of a cache. */
static void test_our_cache(struct on_device device)
{
    struct mu_built built = {0};
    struct mu_error err = {0};
    const struct mu_sources wrong = sources_of(broken, "");
    snprintf(device.info.platform, sizeof device.info.platform, "another platform");
    builds(&device, "", true, false, 1, "another platform");
    builds(&device, "", true, true, 1, "the same");
    builds(&device, "-DX", true, false, 2, "other options");
    builds(&device, "-DY", false, false, 2, "without the cache");
    snprintf(device.info.driver, sizeof device.info.driver, "newer");
    builds(&device, "", true, false, 3, "another driver");
    CHECK(mu_program_build(&device.target, &device.info, &wrong, true, &built, &err) == MU_BUILD &&
              strstr(err.message, "nonsense") != NULL && built.program == NULL && count_files() == 3,
          "an error has the compiler's log, and nothing is kept: %.60s", err.message);
}

int main(void)
{
    char command[64];
    struct on_device device = {0};
    if (mkdtemp(folder) == NULL || setenv("XDG_CACHE_HOME", folder, 1) != 0) return 99;
    if (open_pocl(&device)) {
        test_own_cache(&device);
        test_our_cache(device);
        mu_device_close(&device.target);
    } else
        tap_skip("programs on PoCL", "there is no PoCL (Debian package pocl-opencl-icd)");
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (system(command) != 0) printf("# %s remains\n", folder);
    return tap_done();
}
