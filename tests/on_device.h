/* For tests that run apps in their own process: the PoCL device, and one run of the multi-kernel variant. */
#ifndef MU_TESTS_ON_DEVICE_H
#define MU_TESTS_ON_DEVICE_H

#include "apps/app.h"
#include "harness/device/device.h"
#include "harness/device/program.h"
#include "variants/launch/execution.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* How waiting workgroups of a CPU device give their core away on this machine: variants/teams/yield_syscall.clh. */
#if defined __x86_64__ || defined __aarch64__
#define CPU_YIELD MU_YIELD_SYSCALL
#else
#define CPU_YIELD MU_YIELD_NONE
#endif

#define POCL_ICD "/etc/OpenCL/vendors/pocl.icd"

struct on_device {
    struct mu_device_info info;
    struct mu_target target;
};

/* From here on PoCL has so many worker threads; each of its releases reads one of the names. Before the first call of
 * OpenCL. */
static inline void set_pocl_workers(const char *count)
{
    static const char *const names[] = {"POCL_MAX_PTHREAD_COUNT", "POCL_CPU_MAX_CU_COUNT", "POCL_MAX_COMPUTE_UNITS"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) setenv(names[i], count, 1);
}

/* From here on PoCL compiles without optimising, in a third of the time. For tests whose point is not what a compiler
 * makes of the kernels. */
static inline void compile_unoptimised(void)
{
    setenv("POCL_EXTRA_BUILD_FLAGS", "-cl-opt-disable", 1);
}

/* Opens PoCL; false where there is none. */
static inline bool open_pocl(struct on_device *device)
{
    struct mu_error err = {0};
    uint32_t platforms = 0, count = 0;
    if (access(POCL_ICD, R_OK) == 0) setenv("OCL_ICD_VENDORS", POCL_ICD, 1);
    if (mu_platform_count(&platforms, &err) != MU_OK) return false;
    for (uint32_t platform = 0; platform < platforms; platform++) {
        if (mu_platform_device_count(platform, &count, &err) != MU_OK) return false;
        if (count == 0) continue;
        if (mu_platform_device(platform, 0, &device->info, &err) != MU_OK) return false;
        if (strstr(device->info.platform, "Portable Computing Language") == NULL) continue;
        return mu_device_open(&device->info, true, &device->target, &err) == MU_OK;
    }
    return false;
}

/* An execution of the instance, multi-kernel, and its program, which the caller releases; `held` as of
 * mu_execution_new. */
static inline int open_on(const struct on_device *device, struct mu_instance *instance, uint64_t layout,
                          struct mu_held_buffers *held, cl_program *program, struct mu_execution **execution,
                          struct mu_error *err)
{
    const struct mu_build build = {.variant = MU_MULTI_KERNEL,
                                   .one_block = true,
                                   .layout = layout,
                                   .atomics = device->info.atomics,
                                   .c_standard = device->info.c_standard,
                                   .has_double = device->info.has_double,
                                   .workgroup = 64,
                                   .spin_limit = 1u << 20,
                                   .values = instance->setup.values,
                                   .form = instance->form};
    struct mu_sources sources;
    struct mu_built built = {0};
    if (mu_sources_collect(instance->app, &build, NULL, &sources, err) != MU_OK) return err->status;
    if (mu_program_build(&device->target, &device->info, &sources, true, &built, err) == MU_OK)
        mu_execution_new(&device->target, instance, &build, built.program, held, execution, err);
    *program = built.program;
    mu_sources_free(&sources);
    return err->status;
}

/* Runs the instance `count` times on the same buffers, each into its sample, and fetches the results of the last. */
static inline int run_samples(const struct on_device *device, struct mu_instance *instance, struct mu_sample *samples,
                              size_t count, struct mu_error *err)
{
    const struct mu_launch launch = {.groups = 1, .expected = 1, .patience = 1};
    struct mu_held_buffers none = {0};
    struct mu_execution *execution = NULL;
    cl_program program = NULL;
    if (open_on(device, instance, 0, &none, &program, &execution, err) == MU_OK) {
        for (size_t i = 0; i < count && err->status == MU_OK; i++)
            mu_execution_run(execution, &launch, &samples[i], err);
        if (err->status == MU_OK) mu_execution_fetch(execution, err);
    }
    mu_execution_free(execution);
    if (program != NULL) clReleaseProgram(program);
    return err->status;
}

/* Runs the instance once and fetches its results. */
static inline int run_on(const struct on_device *device, struct mu_instance *instance, struct mu_error *err)
{
    struct mu_sample sample;
    return run_samples(device, instance, &sample, 1, err);
}

/* Whether no app before this one solves its problem. Of suite irgl several programs solve one, with which their names
 * begin, and are checked by the same code; `make check` takes the first, since PoCL compiles each for a second. */
static inline bool is_first_of_problem(const struct mu_app *const *app)
{
    const size_t problem = strcspn((*app)->name, "-");
    if (app == mu_apps || strcmp((*app)->suite, "irgl") != 0 || strcmp(app[-1]->suite, "irgl") != 0) return true;
    return strcspn(app[-1]->name, "-") != problem || strncmp(app[-1]->name, (*app)->name, problem) != 0;
}

#endif
