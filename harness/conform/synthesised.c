#include "harness/conform/synthesised.h"

#include "analysis/progress/wild.h"
#include "harness/conform/synthesised.clh"
#include "harness/device/launch_defaults.h"
#include "harness/litmus/litmus.h"
#include "records/scheduler_models.h"
#include "variants/launch/team_launch.h"

#include <stdio.h>
#include <string.h>

#define TIMES_TOO_MANY 2 /* so many times the workgroups that fit are launched */

/* Arguments of the kernel; those of every team kernel follow. */
enum { WORDS, PROGRAM, THREADS, APART, OWN_ARGUMENTS };

const char *const mu_synthesised_placements[] = {"neighbours", "apart", NULL};

void mu_synthesised_name(const struct mu_synthesised *program, size_t number, const char *placement, char *name,
                         size_t bytes)
{
    snprintf(name, bytes, "progress/%s/program-%zu-%s", mu_lts_needs(program->allowed), number + 1, placement);
}

struct bench {
    struct mu_trial *trial;
    cl_program program;
    struct mu_team_kernel kernel;
    struct mu_team_launch team;
    cl_mem words, steps;
    uint32_t groups, threads, apart;
    size_t words_count; /* words of all instances, and one for the count of threads that ended */
    cl_uint code[MU_LTS_THREADS * MU_SYNTHESISED_STEPS];
};

/* Encodes the program as the kernel reads it: a word for each step of each thread. Fails with MU_USAGE or MU_LIMIT. */
static int encode(struct bench *bench, struct mu_error *err)
{
    static const cl_uint operations[] = {[MU_LTS_STORE] = MU_SYNTHESISED_STORE,
                                         [MU_LTS_JUMP_EQUAL] = MU_SYNTHESISED_CHECK,
                                         [MU_LTS_EXCHANGE] = MU_SYNTHESISED_EXCHANGE};
    const char *text = mu_trial_text(bench->trial, "program");
    struct mu_lts_program program;
    if (text == NULL || !mu_synthesis_parse(text, &program)) return mu_fail(err, MU_USAGE, "no program to run");
    bench->threads = program.threads;
    for (unsigned thread = 0; thread < program.threads; thread++)
        for (unsigned at = 0; program.steps[thread][at].operation != MU_LTS_END; at++) {
            const struct mu_lts_step *step = &program.steps[thread][at];
            if (at + 1 >= MU_SYNTHESISED_STEPS || step->word >= MU_SYNTHESISED_WORDS)
                return mu_fail(err, MU_LIMIT, "the program %s is too long", text);
            bench->code[thread * MU_SYNTHESISED_STEPS + at] =
                MU_SYNTHESISED_STEP(operations[step->operation], step->word, step->value, step->target, step->put);
        }
    return MU_OK;
}

static int set_arguments(struct bench *bench, struct mu_error *err)
{
    cl_kernel kernel = bench->kernel.kernel;
    cl_int status = clSetKernelArg(kernel, WORDS, sizeof bench->words, &bench->words);
    if (status == CL_SUCCESS) status = clSetKernelArg(kernel, PROGRAM, sizeof bench->steps, &bench->steps);
    if (status == CL_SUCCESS) status = clSetKernelArg(kernel, THREADS, sizeof bench->threads, &bench->threads);
    if (status == CL_SUCCESS) status = clSetKernelArg(kernel, APART, sizeof bench->apart, &bench->apart);
    return mu_cl_check(status, bench->kernel.name, err);
}

/* Builds the kernel and makes its buffers. As many instances of the program run as the workgroups allow, one thread in
 * each workgroup. */
static int open_bench(struct bench *bench, struct mu_error *err)
{
    static const char *const sources[] = {"harness/conform/synthesised.clh", "harness/conform/synthesised.cl", NULL};
    struct mu_trial *trial = bench->trial;
    struct mu_build build;
    cl_int status;
    if (encode(bench, err) != MU_OK ||
        mu_litmus_waiting_program(trial, sources, &build, &bench->program, err) != MU_OK ||
        mu_team_launch_open(&bench->team, &trial->target, &build, err) != MU_OK)
        return err->status;
    bench->groups = TIMES_TOO_MANY * mu_default_groups(&trial->info, build.workgroup);
    const uint32_t instances = bench->groups / bench->threads;
    bench->groups = instances * bench->threads;
    bench->words_count = 1 + (size_t)instances * MU_SYNTHESISED_WORDS;
    if (instances == 0) return mu_fail(err, MU_UNSUPPORTED, "too few workgroups for %u threads", bench->threads);
    bench->apart = strcmp(mu_trial_text(trial, "placement"), mu_synthesised_placements[0]) != 0;
    bench->kernel =
        (struct mu_team_kernel){clCreateKernel(bench->program, "synthesised", &status), OWN_ARGUMENTS, "synthesised"};
    if (mu_cl_check(status, "synthesised", err) != MU_OK ||
        mu_litmus_buffer(trial, bench->words_count, &bench->words, err) != MU_OK)
        return err->status;
    bench->steps = clCreateBuffer(trial->target.context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof bench->code,
                                  bench->code, &status);
    return mu_cl_check(status, "a buffer of a program", err) == MU_OK ? set_arguments(bench, err) : err->status;
}

static void close_bench(struct bench *bench)
{
    mu_team_launch_close(&bench->team);
    if (bench->words != NULL) clReleaseMemObject(bench->words);
    if (bench->steps != NULL) clReleaseMemObject(bench->steps);
    if (bench->kernel.kernel != NULL) clReleaseKernel(bench->kernel.kernel);
    if (bench->program != NULL) clReleaseProgram(bench->program);
}

/* Launches all instances once. *ended gets whether they completed, were starved (the spin limit was reached), or lost a
 * thread. */
static int try_once(struct bench *bench, enum mu_forward_progress_outcome *ended, struct mu_error *err)
{
    const struct mu_launch how = {.groups = bench->groups};
    struct mu_team_times times = {0};
    struct mu_report report = {0};
    struct mu_error outcome = {0};
    cl_uint count = 0;
    if (mu_litmus_clear(bench->trial, bench->words, bench->words_count, err) != MU_OK ||
        mu_team_launch_prepare(&bench->team, &how, err) != MU_OK ||
        mu_team_launch_run(&bench->team, &bench->kernel, 0, &times, err) != MU_OK)
        return err->status;
    *ended = MU_FORWARD_STARVED;
    if (mu_team_launch_report(&bench->team, &report, &outcome) == MU_DEADLOCK) return MU_OK;
    if (outcome.status != MU_OK) return mu_fail(err, outcome.status, "%s", outcome.message);
    mu_cl_check(
        clEnqueueReadBuffer(bench->trial->target.queue, bench->words, CL_TRUE, 0, sizeof count, &count, 0, NULL, NULL),
        "the count of a program's threads", err);
    *ended = count == bench->groups ? MU_FORWARD_COMPLETED : MU_FORWARD_WRONG;
    return err->status;
}

int mu_synthesised_measure(struct mu_trial *trial, struct mu_error *err)
{
    struct bench bench = {.trial = trial};
    enum mu_forward_progress_outcome ended = MU_FORWARD_COMPLETED;
    const uint32_t runs = mu_trial_number(trial, "runs");
    uint32_t tries = 0;
    if (mu_trial_text(trial, "placement") == NULL) return mu_fail(err, MU_USAGE, "a program without a placement");
    if (open_bench(&bench, err) == MU_OK)
        for (; tries < runs && ended == MU_FORWARD_COMPLETED && err->status == MU_OK; tries++)
            try_once(&bench, &ended, err);
    close_bench(&bench);
    if (err->status != MU_OK) return err->status;
    return mu_trial_add(trial,
                        json_pack("{s:s, s:I, s:I}", "ended", mu_forward_progress_outcome_name(ended), "groups",
                                  (json_int_t)bench.groups, "tries", (json_int_t)tries),
                        err);
}
