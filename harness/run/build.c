/* The child's side of a test: its program. */
#include "harness/run/process.h"

#include "harness/device/child.h"
#include "harness/device/launch_defaults.h"
#include "harness/device/program.h"

#include <stdio.h>

void mu_process_unbuild(struct mu_process *process)
{
    if (process->execution != NULL) {
        mu_held_release(&process->held);
        mu_execution_end(process->execution, &process->held);
    }
    process->execution = NULL;
    if (process->program != NULL) clReleaseProgram(process->program);
    process->program = NULL;
}

/* Finds the largest workgroup that a kernel can run with on this device. Nvidia's driver says 256 of every kernel, also
 * of one that it has built for 1024 and launches with 1024. So for a kernel that is built for one size, which its
 * compiler has accepted, the launch decides. */
static int workgroup_limit(const struct mu_process *process, cl_kernel kernel, size_t *limit, struct mu_error *err)
{
    size_t built_for[3] = {0};
    cl_int status =
        clGetKernelWorkGroupInfo(kernel, process->target.device, CL_KERNEL_WORK_GROUP_SIZE, sizeof *limit, limit, NULL);
    if (status == CL_SUCCESS)
        status = clGetKernelWorkGroupInfo(kernel, process->target.device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
                                          sizeof built_for, built_for, NULL);
    if (built_for[0] > *limit) *limit = built_for[0];
    return mu_cl_check(status, "the workgroup that a kernel can have", err);
}

/* Checks the workgroup against the largest that all kernels of the built program can run with on this device. */
static int check_workgroup(struct mu_process *process, struct mu_error *err)
{
    size_t least = SIZE_MAX, kernel = 0;
    for (size_t i = 0; i < process->execution->kernel_count; i++) {
        size_t limit = 0;
        if (workgroup_limit(process, process->execution->kernels[i], &limit, err) != MU_OK) return err->status;
        if (limit < least) {
            least = limit;
            kernel = i;
        }
    }
    process->workgroup_limit = least;
    if (least >= process->test.workgroup) return MU_OK;
    return mu_fail(err, MU_UNSUPPORTED, "kernel %s runs at most %zu work-items in a workgroup here, not %u",
                   process->execution->kernel_names[kernel], least, process->test.workgroup);
}

/* Returns what the program for a variant of the test is made of. */
static struct mu_build describe_build(const struct mu_process *process, enum mu_variant variant)
{
    const struct mu_test *test = &process->test;
    const bool one_block = variant == MU_MULTI_KERNEL && test->grid == MU_GRID_ELEMENTS;
    return (struct mu_build){
        .variant = variant,
        .one_block = one_block,
        .rollcall = test->rollcall,
        .barrier = process->barrier,
        .native = process->info.native,
        .ids = test->ids,
        .layout = test->layout,
        .atomics = test->atomics,
        .ptx_fences = process->info.ptx_fences,
        .subgroups = test->subgroups,
        .yield = variant == MU_MULTI_KERNEL ? MU_YIELD_NONE : test->yield,
        .yield_polls = test->yield_polls,
        .c_standard = mu_c_standards[test->c_standard].name,
        .workgroup = test->workgroup,
        .spin_limit = test->spin_limit,
        .wide_offsets = process->instance->wide_offsets,
        .form = process->instance->form,
        .chunks = process->info.cpu && !one_block,
        .serial = process->instance->setup.serial,
        .has_double = process->info.has_double,
        .perturb = test->perturb != 0 && variant != MU_MULTI_KERNEL,
        .load = test->load != MU_LOAD_NONE && variant == MU_COOPERATIVE,
        .load_clock = mu_choose_load_clock(&process->info, (enum mu_atomics)test->atomics, (enum mu_yield)test->yield),
        .kernel_dir = test->kernel_dir,
        .values = process->instance->setup.values};
}

static int collect_sources(const struct mu_process *process, enum mu_variant variant, struct mu_sources *sources,
                           struct mu_error *err)
{
    const struct mu_build build = describe_build(process, variant);
    return mu_sources_collect(process->test.app, &build, process->test.kernel_dir, sources, err);
}

bool mu_process_is_cached(const struct mu_process *process, enum mu_variant variant)
{
    struct mu_error unfit = {0};
    struct mu_sources sources;
    if (collect_sources(process, variant, &sources, &unfit) != MU_OK) return false;
    const bool cached = mu_program_is_cached(&process->info, &sources);
    mu_sources_free(&sources);
    return cached;
}

int mu_process_compile(struct mu_process *process, enum mu_variant variant, struct mu_error *err)
{
    struct mu_sources sources;
    struct mu_built built = {0};
    mu_process_unbuild(process);
    if (collect_sources(process, variant, &sources, err) != MU_OK) return err->status;
    snprintf(process->build_options, sizeof process->build_options, "%s", sources.options);
    mu_child_phase("build");
    mu_program_build(&process->target, &process->info, &sources, process->test.cache, &built, err);
    mu_sources_free(&sources);
    process->program = built.program;
    process->build_ns = built.build_ns;
    process->build_cached = built.cached;
    return err->status;
}

int mu_process_build(struct mu_process *process, enum mu_variant variant, struct mu_error *err)
{
    struct mu_execution *execution = NULL;
    if (mu_process_compile(process, variant, err) != MU_OK) return err->status;
    const struct mu_build build = describe_build(process, variant);
    if (mu_execution_new(&process->target, process->instance, &build, process->program, &process->held, &execution,
                         err) != MU_OK)
        return err->status;
    process->execution = execution;
    execution->place = mu_child_place();
    return check_workgroup(process, err);
}
