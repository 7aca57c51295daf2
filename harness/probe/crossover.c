/* Rounds of work by two implementations, for a team as large as the chip.
 *
 * Experiment crossover: by a launch each and by a team that stays; from how many multiply-adds a round on a launch is
 * as good (InPar 2012, section 3.4).
 *
 * Experiment overlap: by a team that does its work before the barrier, and by one that does it between the barrier's
 * halves. At best that hides the shorter of the two times behind the longer. */
#include "harness/probe/probe.h"

#include "base/memory.h"
#include "harness/device/launch_defaults.h"
#include "harness/device/program.h"
#include "harness/run/options.h"
#include "statistics/statistics.h"
#include "variants/launch/team_launch.h"

#include <math.h>

#define REPEATS   7
#define ROUNDS    200u
#define MAX_SWEEP 16
#define SLOW_NS   5e7 /* larger rounds are left out once one implementation takes so long at its quickest */

/* So many sizes are measured however slow: on a busy machine a team waits for its cores, and the smallest rounds take
 * as long as large ones. */
#define LEAST_SIZES 2

/* Rounds of one size have no more turns than these once both implementations have taken so long. */
#define LEAST_TURNS 3
#define MOST_NS     1e8

/* Both end at 2^24, where sums of floats stop being exact. */
static const uint32_t swept_fmas[] = {1, 10, 32, 100, 200, 320, 560, 1000, 3200, 10000};

enum { WORDS, FMAS, ONE, COUNT, OWN_ARGUMENTS };
enum { IMPLEMENTATIONS = 2 };

/* A comparison: two kernels, and the members of a measurement that get their times. */
struct implementations {
    const char *source, *kernels[IMPLEMENTATIONS], *times[IMPLEMENTATIONS]; /* times: the members of a measurement */
    enum mu_barrier barrier;
    bool launched; /* the first is a launch a round, and not a team's */
    size_t words;  /* of each work-item; the first is the number of its multiply-adds */
};

struct bench {
    struct mu_trial *trial;
    const struct implementations *implementations;
    cl_program program;
    cl_kernel kernels[IMPLEMENTATIONS];
    cl_mem words;
    uint32_t *host;
    struct mu_team_launch team;
    uint32_t groups, workgroup;
};

/* ---- Setting up ---- */

static int build(struct bench *bench, enum mu_barrier barrier, struct mu_error *err)
{
    const struct mu_device_info *info = &bench->trial->info;
    const uint32_t polls = mu_trial_known(bench->trial, "yield_polls");
    struct mu_build options =
        mu_default_build(info, info->atomics, bench->workgroup, bench->trial->selftest.spin_limit);
    struct mu_sources sources = {0};
    options.barrier = barrier;
    if (polls != 0) options.yield_polls = polls;
    mu_sources_start_team(&sources, &options, NULL, err);
    mu_sources_add_join(&sources, &options, NULL, err);
    mu_sources_add(&sources, "variants/teams/split.clh", NULL, err);
    mu_sources_add(&sources, "variants/teams/work.clh", NULL, err);
    mu_sources_add(&sources, bench->implementations->source, NULL, err);
    bench->program = mu_program_make(&bench->trial->target, info, &sources, true, err);
    return err->status == MU_OK ? mu_team_launch_open(&bench->team, &bench->trial->target, &options, err) : err->status;
}

static size_t items_of(const struct bench *bench)
{
    return (size_t)bench->groups * bench->workgroup;
}

static int open_bench(struct mu_trial *trial, const struct implementations *implementations, uint32_t groups,
                      struct bench *bench, struct mu_error *err)
{
    cl_int status = CL_SUCCESS;
    *bench = (struct bench){.trial = trial,
                            .implementations = implementations,
                            .groups = groups,
                            .workgroup = mu_trial_number(trial, "workgroup")};
    const uint32_t tree_from = (uint32_t)mu_option_default(&mu_test_options[MU_TEST_tree_from]).number;
    if (build(bench, mu_barrier_choose(implementations->barrier, groups, tree_from), err) != MU_OK) return err->status;
    bench->host = mu_calloc(items_of(bench), sizeof *bench->host, "the words of rounds", err);
    if (bench->host == NULL) return err->status;
    for (int i = 0; i < IMPLEMENTATIONS && status == CL_SUCCESS; i++)
        bench->kernels[i] = clCreateKernel(bench->program, implementations->kernels[i], &status);
    if (status == CL_SUCCESS)
        bench->words = clCreateBuffer(trial->target.context, CL_MEM_READ_WRITE,
                                      implementations->words * items_of(bench) * sizeof *bench->host, NULL, &status);
    return mu_cl_check(status, "the kernels of rounds", err);
}

static void close_bench(struct bench *bench)
{
    mu_team_launch_close(&bench->team);
    if (bench->words != NULL) clReleaseMemObject(bench->words);
    for (int i = 0; i < IMPLEMENTATIONS; i++)
        if (bench->kernels[i] != NULL) clReleaseKernel(bench->kernels[i]);
    if (bench->program != NULL) clReleaseProgram(bench->program);
    mu_free(bench->host);
}

/* ---- Running ---- */

/* Clears the words, and sets the arguments of both kernels. */
static int prepare(struct bench *bench, cl_uint fmas, struct mu_error *err)
{
    static const cl_float one = 1;
    static const cl_uint zero = 0, rounds = ROUNDS;
    const size_t bytes = bench->implementations->words * items_of(bench) * sizeof zero;
    cl_command_queue queue = bench->trial->target.queue;
    cl_int status = clEnqueueFillBuffer(queue, bench->words, &zero, sizeof zero, 0, bytes, 0, NULL, NULL);
    for (int i = 0; i < IMPLEMENTATIONS && status == CL_SUCCESS; i++) {
        status = clSetKernelArg(bench->kernels[i], WORDS, sizeof bench->words, &bench->words);
        if (status == CL_SUCCESS) status = clSetKernelArg(bench->kernels[i], FMAS, sizeof fmas, &fmas);
        if (status == CL_SUCCESS) status = clSetKernelArg(bench->kernels[i], ONE, sizeof one, &one);
        if (status == CL_SUCCESS && !(bench->implementations->launched && i == 0))
            status = clSetKernelArg(bench->kernels[i], COUNT, sizeof rounds, &rounds);
    }
    if (status == CL_SUCCESS) status = clFinish(queue);
    return mu_cl_check(status, "words of rounds", err);
}

static int check(struct bench *bench, uint32_t fmas, struct mu_error *err)
{
    const size_t items = items_of(bench);
    if (mu_cl_check(clEnqueueReadBuffer(bench->trial->target.queue, bench->words, CL_TRUE, 0,
                                        items * sizeof *bench->host, bench->host, 0, NULL, NULL),
                    "reading the words of rounds", err) != MU_OK)
        return err->status;
    for (size_t i = 0; i < items; i++)
        if (bench->host[i] != ROUNDS * fmas)
            return mu_fail(err, MU_WRONG, "work-item %zu has done %u multiply-adds in %u rounds of %u", i,
                           bench->host[i], ROUNDS, fmas);
    return MU_OK;
}

/* Runs all rounds, each a launch, of which none is waited for but the last. */
static int run_launches(struct bench *bench, uint32_t fmas, double *ns, struct mu_error *err)
{
    const size_t group = bench->workgroup, items = items_of(bench);
    cl_command_queue queue = bench->trial->target.queue;
    cl_int status = CL_SUCCESS;
    if (prepare(bench, fmas, err) != MU_OK) return err->status;
    const uint64_t start = mu_now_ns();
    for (uint32_t i = 0; i < ROUNDS && status == CL_SUCCESS; i++)
        status = clEnqueueNDRangeKernel(queue, bench->kernels[0], 1, NULL, &items, &group, 0, NULL, NULL);
    if (status == CL_SUCCESS) status = clFinish(queue);
    *ns = (double)(mu_now_ns() - start);
    return mu_cl_check(status, "rounds by launches", err) == MU_OK ? check(bench, fmas, err) : err->status;
}

/* Runs all rounds in one launch, by the same clock. */
static int run_team(struct bench *bench, int which, uint32_t fmas, double *ns, struct mu_error *err)
{
    const struct mu_team_kernel kernel = {bench->kernels[which], OWN_ARGUMENTS, bench->implementations->kernels[which]};
    const struct mu_launch launch = {.groups = bench->groups, .expected = bench->groups};
    struct mu_team_times times = {0};
    struct mu_report report = {0};
    if (prepare(bench, fmas, err) != MU_OK || mu_team_launch_prepare(&bench->team, &launch, err) != MU_OK ||
        mu_team_launch_run(&bench->team, &kernel, 0, &times, err) != MU_OK ||
        mu_team_launch_report(&bench->team, &report, err) != MU_OK)
        return err->status;
    *ns = (double)times.host_ns;
    return check(bench, fmas, err);
}

/* Runs both implementations in turn. The first turn of the first size warms up, and may wait for a compiler. *slow gets
 * whether one of them is slow. */
static int measure(struct bench *bench, uint32_t fmas, bool first, bool *slow, struct mu_error *err)
{
    struct mu_json samples[IMPLEMENTATIONS] = {mu_json_array(), mu_json_array()};
    double least[IMPLEMENTATIONS] = {INFINITY, INFINITY}, taken_ns = 0;
    for (int turn = first ? 0 : 1;
         turn <= REPEATS && (turn <= LEAST_TURNS || taken_ns < MOST_NS) && err->status == MU_OK; turn++)
        for (int which = 0; which < IMPLEMENTATIONS && err->status == MU_OK; which++) {
            double ns = 0;
            if (bench->implementations->launched && which == 0)
                run_launches(bench, fmas, &ns, err);
            else
                run_team(bench, which, fmas, &ns, err);
            if (turn == 0 || err->status != MU_OK) continue;
            mu_json_append_real(&samples[which], ns / ROUNDS);
            least[which] = fmin(least[which], ns);
            taken_ns += ns;
        }
    *slow = fmax(least[0], least[1]) > SLOW_NS;
    struct mu_json found = mu_json_object();
    mu_json_set_number(&found, "fmas", fmas);
    mu_json_set_number(&found, "team", bench->groups);
    mu_json_set_number(&found, "rounds", ROUNDS);
    for (int which = 0; which < IMPLEMENTATIONS; which++)
        mu_json_set_part(&found, bench->implementations->times[which], &samples[which]);
    json_t *object = mu_json_take(&found, "a measurement", NULL);
    if (err->status == MU_OK) return mu_trial_add(bench->trial, object, err);
    json_decref(object);
    return err->status;
}

static int measure_all(struct mu_trial *trial, const struct implementations *implementations, struct mu_error *err)
{
    struct bench bench = {0};
    bool slow = false;
    const uint32_t bound = mu_trial_known(trial, "bound");
    if (bound == 0) return mu_fail(err, MU_UNSUPPORTED, "the occupancy bound is not known: no team to measure");
    if (open_bench(trial, implementations, bound, &bench, err) == MU_OK)
        for (size_t i = 0; i < sizeof swept_fmas / sizeof swept_fmas[0] && err->status == MU_OK; i++) {
            if (slow && i >= LEAST_SIZES) break;
            measure(&bench, swept_fmas[i], i == 0, &slow, err);
        }
    close_bench(&bench);
    return err->status;
}

int mu_probe_crossover(struct mu_trial *trial, struct mu_error *err)
{
    static const struct implementations implementations = {.source = "harness/probe/crossover.cl",
                                                           .kernels = {"crossover_round", "crossover_rounds"},
                                                           .times = {"launch_ns", "barrier_ns"},
                                                           .barrier = MU_BARRIER_AUTO,
                                                           .launched = true,
                                                           .words = 1};
    return measure_all(trial, &implementations, err);
}

int mu_probe_overlap(struct mu_trial *trial, struct mu_error *err)
{
    static const struct implementations implementations = {.source = "harness/probe/overlap.cl",
                                                           .kernels = {"overlap_before", "overlap_beside"},
                                                           .times = {"before_ns", "beside_ns"},
                                                           .barrier = MU_BARRIER_SPLIT,
                                                           .words = 3};
    return measure_all(trial, &implementations, err);
}

/* ---- What the profile has of it ---- */

double mu_probe_find_crossover(const json_t *measurements)
{
    double fmas[MAX_SWEEP], speedup[MAX_SWEEP];
    size_t i, count = 0;
    json_t *measurement;
    json_array_foreach ((json_t *)measurements, i, measurement) {
        if (!mu_json_is(json_object_get(measurement, "parameters"), "experiment", "crossover")) continue;
        const double launch = mu_probe_median(measurement, "launch_ns");
        const double barrier = mu_probe_median(measurement, "barrier_ns");
        if (launch <= 0 || barrier <= 0 || count >= MAX_SWEEP) continue;
        fmas[count] = mu_json_real(measurement, "fmas");
        speedup[count++] = launch / barrier;
    }
    return mu_crossover(fmas, speedup, count);
}
