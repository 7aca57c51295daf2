/* The child's side of idioms within a workgroup, whose work-items or subgroups wait for each other. No driver promises
 * that these make progress: only a test tells. */
#include "base/memory.h"
#include "harness/device/launch_defaults.h"
#include "harness/litmus/idioms.clh"
#include "harness/litmus/litmus.h"
#include "records/scheduler_models.h"
#include "variants/launch/team_launch.h"

#include <string.h>

enum { WORDS, UNIT, DOWN, OWN_ARGUMENTS };

static const struct idiom {
    const char *name, *kernel, *ids;
    cl_uint down;
    bool guards; /* a word under a mutex, in which all count */
} idioms[] = {
    {"mutex", "idiom_within_mutex", "native", 0, true},
    {"one-way", "idiom_within_one_way", "native", 0, false},
    {"one-way", "idiom_within_one_way", "reversed", 1, false},
    {"two-way", "idiom_within_two_way", "native", 0, false},
};

struct bench {
    struct mu_trial *trial;
    cl_program program;
    struct mu_team_launch team;
    cl_mem words;
    cl_uint unit; /* work-items of each that takes part */
    uint32_t workgroup, groups, stride;
    uint32_t *seen;
};

static int open_bench(struct bench *bench, struct mu_error *err)
{
    struct mu_build build;
    if (mu_litmus_idioms_program(bench->trial, &build, &bench->program, err) != MU_OK ||
        mu_team_launch_open(&bench->team, &bench->trial->target, &build, err) != MU_OK)
        return err->status;
    bench->workgroup = build.workgroup;
    bench->groups = mu_device_units(&bench->trial->info);
    bench->stride = MU_WITHIN_FLAGS + bench->workgroup;
    const size_t words = (size_t)bench->groups * bench->stride;
    bench->seen = mu_malloc(words, sizeof *bench->seen, "the words of idioms within groups", err);
    return bench->seen == NULL ? err->status : mu_litmus_buffer(bench->trial, words, &bench->words, err);
}

static void close_bench(struct bench *bench)
{
    mu_team_launch_close(&bench->team);
    if (bench->words != NULL) clReleaseMemObject(bench->words);
    if (bench->program != NULL) clReleaseProgram(bench->program);
    mu_free(bench->seen);
}

/* Returns true if all parts of every group came to the end. */
static bool is_whole(const struct bench *bench, bool guards)
{
    const uint32_t taking_part = bench->workgroup / bench->unit;
    bool whole = true;
    for (uint32_t group = 0; group < bench->groups; group++) {
        const uint32_t *words = bench->seen + (size_t)group * bench->stride;
        whole = whole && words[MU_WITHIN_ENDED] == taking_part && (!guards || words[MU_WITHIN_GUARDED] == taking_part);
    }
    return whole;
}

static int try_once(struct bench *bench, const struct idiom *idiom, const struct mu_team_kernel *kernel,
                    enum mu_forward_progress_outcome *ended, struct mu_error *err)
{
    const struct mu_launch how = {.groups = bench->groups};
    const size_t words = (size_t)bench->groups * bench->stride;
    struct mu_team_times times = {0};
    struct mu_report report = {0};
    struct mu_error outcome = {0};
    if (mu_litmus_clear(bench->trial, bench->words, words, err) != MU_OK ||
        mu_team_launch_prepare(&bench->team, &how, err) != MU_OK ||
        mu_team_launch_run(&bench->team, kernel, 0, &times, err) != MU_OK)
        return err->status;
    *ended = MU_FORWARD_STARVED;
    if (mu_team_launch_report(&bench->team, &report, &outcome) == MU_DEADLOCK) return MU_OK;
    if (outcome.status != MU_OK) return mu_fail(err, outcome.status, "%s", outcome.message);
    mu_cl_check(clEnqueueReadBuffer(bench->trial->target.queue, bench->words, CL_TRUE, 0, words * sizeof *bench->seen,
                                    bench->seen, 0, NULL, NULL),
                "the words of idioms within groups", err);
    const bool whole = is_whole(bench, idiom->guards);
    *ended = !whole ? MU_FORWARD_WRONG : bench->workgroup == bench->unit ? MU_FORWARD_ALONE : MU_FORWARD_COMPLETED;
    return err->status;
}

/* Sets bench->unit for a kernel. */
static int choose_unit(struct bench *bench, cl_kernel kernel, struct mu_error *err)
{
    const struct mu_trial *trial = bench->trial;
    bench->unit = 1;
    if (strcmp(mu_trial_text(trial, "among"), "subgroups") == 0)
        bench->unit = mu_subgroup_size_of(&trial->target, kernel, bench->workgroup, &trial->selftest);
    if (bench->unit != 0 && bench->workgroup % bench->unit == 0) return MU_OK;
    return mu_fail(err, MU_UNSUPPORTED, "a workgroup of %u has no whole subgroups of %u", bench->workgroup,
                   bench->unit);
}

static int measure(struct bench *bench, const struct idiom *idiom, struct mu_error *err)
{
    enum mu_forward_progress_outcome ended = MU_FORWARD_COMPLETED;
    const uint32_t runs = mu_trial_number(bench->trial, "runs");
    uint32_t tries = 0;
    cl_int status;
    const struct mu_team_kernel kernel = {clCreateKernel(bench->program, idiom->kernel, &status), OWN_ARGUMENTS,
                                          idiom->kernel};
    if (status == CL_SUCCESS && choose_unit(bench, kernel.kernel, err) == MU_OK)
        status = clSetKernelArg(kernel.kernel, WORDS, sizeof bench->words, &bench->words);
    if (status == CL_SUCCESS) status = clSetKernelArg(kernel.kernel, UNIT, sizeof bench->unit, &bench->unit);
    if (status == CL_SUCCESS) status = clSetKernelArg(kernel.kernel, DOWN, sizeof idiom->down, &idiom->down);
    mu_cl_check(status, idiom->kernel, err);
    for (; tries < runs && ended == MU_FORWARD_COMPLETED && err->status == MU_OK; tries++)
        try_once(bench, idiom, &kernel, &ended, err);
    if (kernel.kernel != NULL) clReleaseKernel(kernel.kernel);
    if (err->status != MU_OK) return err->status;
    return mu_trial_add(bench->trial,
                        json_pack("{s:s, s:s, s:s, s:s, s:I, s:I, s:I}", "idiom", idiom->name, "among",
                                  mu_trial_text(bench->trial, "among"), "ids", idiom->ids, "ended",
                                  mu_forward_progress_outcome_name(ended), "groups", (json_int_t)bench->groups,
                                  "launches", (json_int_t)1, "tries", (json_int_t)tries),
                        err);
}

int mu_litmus_within(struct mu_trial *trial, struct mu_error *err)
{
    struct bench bench = {.trial = trial};
    if (mu_trial_text(trial, "among") == NULL) return mu_fail(err, MU_USAGE, "an idiom among nobody");
    open_bench(&bench, err);
    for (size_t i = 0; i < sizeof idioms / sizeof idioms[0] && err->status == MU_OK; i++)
        measure(&bench, &idioms[i], err);
    close_bench(&bench);
    return err->status;
}
