#include "harness/engine/workbench.h"

#include "base/memory.h"
#include "harness/device/launch_defaults.h"
#include "harness/device/program.h"
#include "variants/embedded.h"

#include <inttypes.h>
#include <stdio.h>

#define LEAST_TURNS         3
#define MOST_NS             1.5e9 /* of one implementation, of which no more turns are taken then */
#define MAX_IMPLEMENTATIONS 16
#define WAIT_S              2.0 /* a wait of a GPU's workgroup that takes longer is a deadlock */

/* Groups from which on the barrier is tree. Between the barriers of this study there is little or no work. Then tree is
 * quicker from fewer groups on than between the steps of apps, whose option tree_from has another default
 * (harness/run/options.h). The number is that of a GPU (results/reports/costs.md). */
#define TREE_FROM 1056u

/* Returns the polls of a wait. On a CPU a worker may have to wait for its core for long. */
static uint32_t spin_limit_of(const struct mu_trial *trial)
{
    const uint32_t limit = trial->selftest.spin_limit, polls = mu_polls_in(trial->selftest.poll_ns, WAIT_S);
    return trial->info.cpu || polls > limit ? limit : polls;
}

static struct mu_build build_of(const struct mu_trial *trial, const struct mu_workbench_program *program)
{
    const struct mu_device_info *info = &trial->info;
    struct mu_build build = mu_default_build(info, info->atomics, MU_WORKBENCH_BLOCK, spin_limit_of(trial));
    build.barrier = mu_barrier_choose(MU_BARRIER_AUTO, program->team, TREE_FROM);
    build.load = program->load;
    build.load_clock = mu_choose_load_clock(info, info->atomics, (enum mu_yield)trial->selftest.yield);
    return build;
}

/* Adds the kernels, and before them, where there is one, the file that they share with the host. */
static void add_kernels(struct mu_sources *sources, const struct mu_workbench_program *program, const char *kernel_dir,
                        struct mu_error *err)
{
    char with_host[96];
    snprintf(with_host, sizeof with_host, "%sh", program->source);
    for (size_t i = 0; program->shared != NULL && program->shared[i] != NULL; i++)
        mu_sources_add(sources, program->shared[i], kernel_dir, err);
    if (mu_embedded_find(with_host) != NULL) mu_sources_add(sources, with_host, kernel_dir, err);
    mu_sources_add(sources, program->source, kernel_dir, err);
}

int mu_workbench_open(struct mu_workbench *bench, struct mu_trial *trial, const struct mu_workbench_program *program,
                      struct mu_error *err)
{
    struct mu_build build = build_of(trial, program);
    const char *kernels = trial->kernel_dir;
    struct mu_sources sources = {0};
    *bench = (struct mu_workbench){.trial = trial, .workgroup = MU_WORKBENCH_BLOCK};
    if (trial->info.max_workgroup < MU_WORKBENCH_BLOCK)
        return mu_fail(err, MU_UNSUPPORTED, "blocks of %u: device '%s' has workgroups of at most %u",
                       MU_WORKBENCH_BLOCK, trial->info.name, trial->info.max_workgroup);
    mu_sources_start_team(&sources, &build, kernels, err);
    mu_sources_add_join(&sources, &build, kernels, err);
    if (program->queue >= 0) mu_sources_add_queue(&sources, (enum mu_queue_kind)program->queue, kernels, err);
    mu_sources_add(&sources, "variants/teams/work.clh", kernels, err);
    if (build.load) mu_sources_add_load(&sources, &build, kernels, err);
    add_kernels(&sources, program, kernels, err);
    bench->program = mu_program_make(&trial->target, &trial->info, &sources, true, err);
    return err->status == MU_OK ? mu_team_launch_open(&bench->team, &trial->target, &build, err) : err->status;
}

void mu_workbench_close(struct mu_workbench *bench)
{
    mu_team_launch_close(&bench->team);
    if (bench->program != NULL) clReleaseProgram(bench->program);
    bench->program = NULL;
}

int mu_workbench_kernel(const struct mu_workbench *bench, const char *name, cl_kernel *kernel, struct mu_error *err)
{
    cl_int status;
    *kernel = clCreateKernel(bench->program, name, &status);
    return mu_cl_check(status, name, err);
}

int mu_workbench_buffer(const struct mu_workbench *bench, size_t words, cl_mem *buffer, struct mu_error *err)
{
    const struct mu_device_info *info = &bench->trial->info;
    cl_int status;
    if (words > SIZE_MAX / sizeof(cl_uint) || words * sizeof(cl_uint) > info->max_allocation_bytes)
        return mu_fail(err, MU_LIMIT,
                       "a buffer of %zu words of four bytes: device '%s' has at most %" PRIu64 " bytes for one", words,
                       info->name, info->max_allocation_bytes);
    *buffer = clCreateBuffer(bench->trial->target.context, CL_MEM_READ_WRITE, words * sizeof(cl_uint), NULL, &status);
    return mu_cl_check(status, "a buffer of the study", err);
}

void mu_workbench_release_kernel(cl_kernel kernel)
{
    if (kernel != NULL) clReleaseKernel(kernel);
}

void mu_workbench_release_buffer(cl_mem buffer)
{
    if (buffer != NULL) clReleaseMemObject(buffer);
}

int mu_workbench_set(cl_kernel kernel, const struct mu_workbench_argument *arguments, cl_uint count,
                     struct mu_error *err)
{
    cl_int status = CL_SUCCESS;
    for (cl_uint i = 0; status == CL_SUCCESS && i < count; i++)
        status = clSetKernelArg(kernel, i, arguments[i].bytes, arguments[i].value);
    return mu_cl_check(status, "an argument of the study", err);
}

int mu_workbench_launch(const struct mu_workbench *bench, cl_kernel kernel, uint32_t blocks, struct mu_error *err)
{
    const size_t workgroup = bench->workgroup, items = (size_t)blocks * workgroup;
    return mu_cl_check(
        clEnqueueNDRangeKernel(bench->trial->target.queue, kernel, 1, NULL, &items, &workgroup, 0, NULL, NULL),
        "a launch of the study", err);
}

int mu_workbench_zero(const struct mu_workbench *bench, cl_mem buffer, size_t words, struct mu_error *err)
{
    static const cl_uint zero = 0;
    return mu_cl_check(clEnqueueFillBuffer(bench->trial->target.queue, buffer, &zero, sizeof zero, 0,
                                           words * sizeof zero, 0, NULL, NULL),
                       "clearing a buffer of the study", err);
}

int mu_workbench_write(const struct mu_workbench *bench, cl_mem buffer, const uint32_t *from, size_t words,
                       struct mu_error *err)
{
    return mu_cl_check(
        clEnqueueWriteBuffer(bench->trial->target.queue, buffer, CL_TRUE, 0, words * sizeof *from, from, 0, NULL, NULL),
        "writing a buffer of the study", err);
}

int mu_workbench_write_rows(const struct mu_workbench *bench, cl_mem buffer, const uint32_t *from,
                            const struct mu_workbench_rows *rows, struct mu_error *err)
{
    const size_t word = sizeof *from, to[] = {0, 0, 0}, start[] = {rows->first * word, 0, 0};
    const size_t region[] = {rows->words * word, rows->count, 1};
    return mu_cl_check(clEnqueueWriteBufferRect(bench->trial->target.queue, buffer, CL_TRUE, start, to, region,
                                                rows->apart * word, 0, rows->words * word, 0, from, 0, NULL, NULL),
                       "writing rows of a buffer of the study", err);
}

int mu_workbench_read(const struct mu_workbench *bench, cl_mem buffer, uint32_t *to, size_t words, struct mu_error *err)
{
    return mu_cl_check(
        clEnqueueReadBuffer(bench->trial->target.queue, buffer, CL_TRUE, 0, words * sizeof *to, to, 0, NULL, NULL),
        "reading a buffer of the study", err);
}

int mu_workbench_finish(const struct mu_workbench *bench, struct mu_error *err)
{
    return mu_cl_check(clFinish(bench->trial->target.queue), "clFinish of the study", err);
}

/* Judges a launch by what the team left behind. */
static int judge(const struct mu_workbench *bench, struct mu_error *err)
{
    struct mu_report report = {0};
    if (mu_team_launch_report(&bench->team, &report, err) == MU_OK &&
        mu_team_launch_judge_team(&bench->team, &report, err) == MU_OK)
        mu_team_launch_judge_ends(&bench->team, &report, err);
    return err->status;
}

int mu_workbench_run_team(struct mu_workbench *bench, const struct mu_team_kernel *kernel, uint32_t groups, double *ns,
                          struct mu_error *err)
{
    const struct mu_launch launch = {.groups = groups, .expected = groups, .load = bench->load};
    struct mu_team_times times = {0};
    if (mu_team_launch_prepare(&bench->team, &launch, err) != MU_OK ||
        mu_team_launch_run(&bench->team, kernel, bench->mode, &times, err) != MU_OK)
        return err->status;
    *ns = (double)times.host_ns;
    return judge(bench, err);
}

int mu_workbench_run_behind(struct mu_workbench *bench, const struct mu_workbench_first *first,
                            const struct mu_team_kernel *kernel, uint32_t groups, double *ns, struct mu_error *err)
{
    const struct mu_launch launch = {.groups = groups, .expected = groups};
    const cl_uint words[] = {0, groups, 0, UINT32_MAX}; /* the last of MU_TEAM_PARAMETERS */
    if (mu_team_launch_prepare(&bench->team, &launch, err) != MU_OK) return err->status;
    cl_int status = clSetKernelArg(kernel->kernel, kernel->own_arguments, sizeof bench->team.sync, &bench->team.sync);
    for (cl_uint i = 0; status == CL_SUCCESS && i < sizeof words / sizeof words[0]; i++)
        status = clSetKernelArg(kernel->kernel, kernel->own_arguments + 1 + i, sizeof words[i], &words[i]);
    if (mu_cl_check(status, kernel->name, err) != MU_OK || mu_workbench_finish(bench, err) != MU_OK) return err->status;
    const uint64_t start = mu_now_ns();
    if (mu_workbench_launch(bench, first->kernel, first->blocks, err) == MU_OK &&
        mu_workbench_launch(bench, kernel->kernel, groups, err) == MU_OK)
        mu_workbench_finish(bench, err);
    *ns = (double)(mu_now_ns() - start);
    return err->status == MU_OK ? judge(bench, err) : err->status;
}

/* ---- Timing ---- */

struct timing {
    struct mu_json samples;
    double spent_ns;
    uint32_t count;
    struct mu_error refused; /* why the implementation is of no use here */
};

static int take_turn(const struct mu_workbench_implementation *implementation, bool warm_up, struct timing *timing,
                     struct mu_error *err)
{
    double ns = 0;
    struct mu_error failure = {0};
    if (timing->refused.status != MU_OK || (timing->spent_ns > MOST_NS && timing->count >= LEAST_TURNS)) return MU_OK;
    implementation->run(implementation, &ns, &failure);
    if (failure.status == MU_LIMIT || failure.status == MU_DEADLOCK) {
        timing->refused = failure;
        return MU_OK;
    }
    if (failure.status != MU_OK) return mu_fail(err, failure.status, "%s: %s", implementation->name, failure.message);
    timing->spent_ns += ns;
    if (warm_up) return MU_OK;
    mu_json_append_real(&timing->samples, ns);
    timing->count++;
    return MU_OK;
}

static int add_measurement(struct mu_trial *trial, const struct mu_workbench_implementation *implementation,
                           struct timing *timing, struct mu_error *err)
{
    struct mu_json object = mu_json_object();
    mu_json_set_text(&object, "implementation", implementation->name);
    if (implementation->count_name != NULL)
        mu_json_set_number(&object, implementation->count_name, implementation->count);
    if (timing->refused.status != MU_OK)
        mu_json_set_text(&object, "refused", timing->refused.message);
    else
        mu_json_set_part(&object, "ns", &timing->samples);
    return mu_trial_add(trial, mu_json_take(&object, "a measurement", NULL), err);
}

int mu_workbench_measure(struct mu_trial *trial, const struct mu_workbench_implementation *implementations,
                         size_t count, struct mu_error *err)
{
    struct timing *timings = mu_calloc(MAX_IMPLEMENTATIONS, sizeof *timings, "times of the study", err);
    const uint32_t turns = mu_trial_number(trial, "turns");
    if (timings == NULL) return err->status;
    if (count > MAX_IMPLEMENTATIONS) mu_fail(err, MU_LIMIT, "%zu implementations of a point are too many", count);
    for (size_t i = 0; i < MAX_IMPLEMENTATIONS; i++) timings[i].samples = mu_json_array();
    for (uint32_t turn = 0; turn <= turns && err->status == MU_OK; turn++)
        for (size_t i = 0; i < count && err->status == MU_OK; i++)
            take_turn(&implementations[i], turn == 0, &timings[i], err);
    for (size_t i = 0; i < count && err->status == MU_OK; i++)
        add_measurement(trial, &implementations[i], &timings[i], err);
    for (size_t i = 0; i < MAX_IMPLEMENTATIONS; i++) mu_json_release(&timings[i].samples);
    mu_free(timings);
    return err->status;
}
