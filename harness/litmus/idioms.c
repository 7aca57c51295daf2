/* The child's side of idioms in use: each by native ids, by ids from the other end, by tickets, and in launches. More
 * workgroups are launched than fit at once. */
#include "harness/litmus/idioms.h"

#include "base/memory.h"
#include "harness/device/launch_defaults.h"
#include "harness/litmus/idioms.clh"
#include "harness/litmus/litmus.h"
#include "records/scheduler_models.h"
#include "variants/launch/team_launch.h"

#include <string.h>

#define TIMES_TOO_MANY 2 /* launches of more groups than fit, times */

enum { STEP = MU_IDIOM_BUFFERS, PARTS, OWN_ARGUMENTS };

/* The ways in which groups get their numbers; launches need none. */
#define LAUNCHES (MU_IDIOM_SCATTERED + 1)
static const char *const numberings[] = {[MU_IDIOM_NATIVE] = "native",
                                         [MU_IDIOM_REVERSED] = "reversed",
                                         [MU_IDIOM_TICKETED] = "ticketed",
                                         [MU_IDIOM_SCATTERED] = "scattered",
                                         [LAUNCHES] = "launches"};

static bool has_numbering(const struct mu_used_idiom *idiom, const struct mu_idiom_work *work, uint32_t numbering)
{
    return numbering == LAUNCHES ? work->launch_count != 0 : numbering != MU_IDIOM_SCATTERED || idiom->of_ids;
}

struct bench {
    struct mu_trial *trial;
    struct mu_idiom_work work;
    cl_program program;
    struct mu_team_kernel kernel;
    struct mu_team_launch team;
    cl_mem buffers[MU_IDIOM_BUFFERS];
    uint32_t *result;
};

static int make_buffers(struct bench *bench, struct mu_error *err)
{
    cl_int status = CL_SUCCESS;
    for (cl_uint i = 0; i < MU_IDIOM_BUFFERS && status == CL_SUCCESS; i++) {
        bench->buffers[i] = clCreateBuffer(bench->trial->target.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                           bench->work.counts[i] * sizeof(cl_uint), bench->work.words[i], &status);
        if (status == CL_SUCCESS)
            status = clSetKernelArg(bench->kernel.kernel, i, sizeof bench->buffers[i], &bench->buffers[i]);
    }
    if (status == CL_SUCCESS)
        status = clSetKernelArg(bench->kernel.kernel, PARTS, sizeof bench->work.parts, &bench->work.parts);
    return mu_cl_check(status, "the buffers of an idiom", err);
}

static int open_bench(struct bench *bench, const struct mu_used_idiom *idiom, struct mu_error *err)
{
    struct mu_trial *trial = bench->trial;
    struct mu_build build;
    cl_int status;
    if (mu_litmus_idioms_program(trial, &build, &bench->program, err) != MU_OK ||
        mu_team_launch_open(&bench->team, &trial->target, &build, err) != MU_OK ||
        mu_idiom_make(idiom, TIMES_TOO_MANY * mu_default_groups(&trial->info, build.workgroup), build.workgroup,
                      &bench->work, err) != MU_OK)
        return err->status;
    bench->result = mu_malloc(bench->work.counts[MU_IDIOM_OUT], sizeof *bench->result, "the result of an idiom", err);
    if (bench->result == NULL) return err->status;
    bench->kernel =
        (struct mu_team_kernel){clCreateKernel(bench->program, idiom->kernel, &status), OWN_ARGUMENTS, idiom->kernel};
    return mu_cl_check(status, idiom->kernel, err) == MU_OK ? make_buffers(bench, err) : err->status;
}

static void close_bench(struct bench *bench)
{
    mu_team_launch_close(&bench->team);
    for (size_t i = 0; i < MU_IDIOM_BUFFERS; i++)
        if (bench->buffers[i] != NULL) clReleaseMemObject(bench->buffers[i]);
    if (bench->kernel.kernel != NULL) clReleaseKernel(bench->kernel.kernel);
    if (bench->program != NULL) clReleaseProgram(bench->program);
    mu_idiom_free(&bench->work);
    mu_free(bench->result);
}

/* Restores the words that the kernel changes. */
static int restore(struct bench *bench, struct mu_error *err)
{
    cl_int status = CL_SUCCESS;
    for (int i = MU_IDIOM_STATE; i <= MU_IDIOM_OUT && status == CL_SUCCESS; i++)
        status = clEnqueueWriteBuffer(bench->trial->target.queue, bench->buffers[i], CL_FALSE, 0,
                                      bench->work.counts[i] * sizeof(cl_uint), bench->work.words[i], 0, NULL, NULL);
    return mu_cl_check(status, "the words of an idiom", err);
}

/* Launches the kernel once. *starved gets whether a wait ran out. */
static int launch(struct bench *bench, uint32_t numbering, struct mu_idiom_launch of, struct mu_team_times *times,
                  bool *starved, struct mu_error *err)
{
    const struct mu_launch how = {.groups = of.groups, .expected = numbering == LAUNCHES ? MU_IDIOM_NATIVE : numbering};
    struct mu_report report = {0};
    struct mu_error outcome = {0};
    if (mu_cl_check(clSetKernelArg(bench->kernel.kernel, STEP, sizeof of.step, &of.step), bench->kernel.name, err) !=
            MU_OK ||
        mu_team_launch_prepare(&bench->team, &how, err) != MU_OK ||
        mu_team_launch_run(&bench->team, &bench->kernel, 0, times, err) != MU_OK)
        return err->status;
    mu_team_launch_report(&bench->team, &report, &outcome);
    *starved = outcome.status == MU_DEADLOCK;
    if (outcome.status != MU_OK && !*starved) return mu_fail(err, outcome.status, "%s", outcome.message);
    return MU_OK;
}

static int try_once(struct bench *bench, uint32_t numbering, enum mu_forward_progress_outcome *ended, uint64_t *ns,
                    struct mu_error *err)
{
    const struct mu_idiom_launch all = {0, bench->work.parts};
    const size_t bytes = bench->work.counts[MU_IDIOM_OUT] * sizeof *bench->result;
    struct mu_team_times times = {0};
    bool starved = false;
    restore(bench, err);
    if (numbering != LAUNCHES && err->status == MU_OK) launch(bench, numbering, all, &times, &starved, err);
    for (size_t i = 0; numbering == LAUNCHES && i < bench->work.launch_count && err->status == MU_OK && !starved; i++)
        launch(bench, numbering, bench->work.launches[i], &times, &starved, err);
    if (err->status != MU_OK) return err->status;
    *ns = times.host_ns;
    *ended = MU_FORWARD_STARVED;
    if (starved) return MU_OK;
    mu_cl_check(clEnqueueReadBuffer(bench->trial->target.queue, bench->buffers[MU_IDIOM_OUT], CL_TRUE, 0, bytes,
                                    bench->result, 0, NULL, NULL),
                "the result of an idiom", err);
    *ended = memcmp(bench->result, bench->work.expected, bytes) == 0 ? MU_FORWARD_COMPLETED : MU_FORWARD_WRONG;
    return err->status;
}

/* Measures an idiom as often as asked for, until one run does not end well. */
static int measure(struct bench *bench, const struct mu_used_idiom *idiom, uint32_t numbering, struct mu_error *err)
{
    enum mu_forward_progress_outcome ended = MU_FORWARD_COMPLETED;
    const uint32_t runs = mu_trial_number(bench->trial, "runs");
    uint32_t tries = 0;
    struct mu_json object = mu_json_object(), times = mu_json_array();
    for (; tries < runs && ended == MU_FORWARD_COMPLETED && err->status == MU_OK; tries++) {
        uint64_t ns = 0;
        if (try_once(bench, numbering, &ended, &ns, err) == MU_OK && ended == MU_FORWARD_COMPLETED)
            mu_json_append_real(&times, (double)ns);
    }
    mu_json_set_text(&object, "idiom", idiom->name);
    mu_json_set_text(&object, "among", "workgroups");
    mu_json_set_text(&object, "ids", numberings[numbering]);
    mu_json_set_text(&object, "ended", mu_forward_progress_outcome_name(ended));
    mu_json_set_number(&object, "groups", bench->work.parts);
    mu_json_set_number(&object, "launches", numbering == LAUNCHES ? bench->work.launch_count : 1);
    mu_json_set_number(&object, "tries", tries);
    mu_json_set_part(&object, "ns", &times);
    if (err->status == MU_OK) mu_trial_add(bench->trial, mu_json_take(&object, "an idiom in use", err), err);
    mu_json_release(&object);
    mu_json_release(&times);
    return err->status;
}

int mu_litmus_idioms(struct mu_trial *trial, struct mu_error *err)
{
    struct bench bench = {.trial = trial};
    const struct mu_used_idiom *idiom = mu_idiom_find(mu_trial_text(trial, "idiom"));
    if (idiom == NULL) return mu_fail(err, MU_USAGE, "an idiom in use without its name");
    enum mu_forward_progress_outcome ended;
    uint64_t ns;
    /* The first launch does not count, since some drivers compile there. */
    if (open_bench(&bench, idiom, err) == MU_OK) try_once(&bench, MU_IDIOM_TICKETED, &ended, &ns, err);
    for (uint32_t numbering = 0; numbering <= LAUNCHES && err->status == MU_OK; numbering++)
        if (has_numbering(idiom, &bench.work, numbering)) measure(&bench, idiom, numbering, err);
    close_bench(&bench);
    return err->status;
}
