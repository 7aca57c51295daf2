/* The child's side of the litmus tests of barriers, mutexes and roll calls: what is written before a barrier must be
 * seen behind it, and what is added under a mutex must not be lost. */
#include "harness/litmus/litmus.h"

#include "harness/device/launch_defaults.h"
#include "variants/launch/team_launch.h"

#include <string.h>

/* Arguments of litmus_barrier and litmus_lock, before those of every team's kernel. */
enum { FIRST, SECOND, NUMBER, OWN_ARGUMENTS };

#define ROUNDS     200u /* barriers, or turns with the lock, of a launch */
#define MOST_TURNS 200u

/* How often a group takes the mutex before it closes a roll call. A CPU's workers wake up late, and later still where
 * other programs have the cores. So there the number is doubled whenever a roll call finds one group, until one finds
 * more or LONELY_NS is over. The largest is small, since handing a mutex to a worker on the same core costs
 * milliseconds each time. It is the looks of linger.clh, which grow with the number, that give the other worker
 * time. */
#define FIRST_DELAY 16u
#define LAST_DELAY  1024u
#define LONELY_NS   UINT64_C(10000000000)

/* What a test changes of the point's build, and how its launches are judged. */
struct test {
    const char *name, *kernel, *outcome;
    bool guards; /* a word under a lock, which the groups count in */
};

struct bench {
    struct mu_trial *trial;
    const struct test *test;
    cl_program program;
    struct mu_team_kernel kernel;
    struct mu_team_launch team;
    cl_mem cells, wrong;
    uint32_t workgroup, groups;
    uint32_t delay;   /* of a roll call */
    uint32_t members; /* of the last launch's team */
};

/* Opens the bench. Without a roll call there is a group for each unit, so that all are resident at once; with one,
 * there are more than fit. */
static int open_bench(struct bench *bench, struct mu_build *build, enum mu_litmus_form form, struct mu_error *err)
{
    const cl_uint rounds = ROUNDS;
    struct mu_trial *trial = bench->trial;
    const uint32_t units = mu_device_units(&trial->info);
    cl_int status;
    bench->workgroup = build->workgroup;
    bench->groups = build->variant == MU_PORTABLE ? mu_default_groups(&trial->info, build->workgroup) : units;
    if (mu_litmus_program(trial, build, form, &bench->program, err) != MU_OK ||
        mu_team_launch_open(&bench->team, &trial->target, build, err) != MU_OK ||
        mu_litmus_buffer(trial, 2 * (size_t)bench->groups * bench->workgroup, &bench->cells, err) != MU_OK ||
        mu_litmus_buffer(trial, 1, &bench->wrong, err) != MU_OK)
        return err->status;
    cl_kernel kernel = clCreateKernel(bench->program, bench->test->kernel, &status);
    bench->kernel = (struct mu_team_kernel){kernel, OWN_ARGUMENTS, bench->test->kernel};
    if (status == CL_SUCCESS) status = clSetKernelArg(kernel, FIRST, sizeof bench->cells, &bench->cells);
    if (status == CL_SUCCESS) status = clSetKernelArg(kernel, SECOND, sizeof bench->wrong, &bench->wrong);
    if (status == CL_SUCCESS) status = clSetKernelArg(kernel, NUMBER, sizeof rounds, &rounds);
    return mu_cl_check(status, "the kernel of a litmus test", err);
}

static void close_bench(struct bench *bench)
{
    mu_team_launch_close(&bench->team);
    if (bench->kernel.kernel != NULL) clReleaseKernel(bench->kernel.kernel);
    if (bench->program != NULL) clReleaseProgram(bench->program);
    if (bench->cells != NULL) clReleaseMemObject(bench->cells);
    if (bench->wrong != NULL) clReleaseMemObject(bench->wrong);
}

/* Launches the kernel once, and adds what it saw to *seen. */
static int launch(struct bench *bench, struct mu_litmus_seen *seen, struct mu_error *err)
{
    const struct mu_device_info *info = &bench->trial->info;
    const uint32_t known = mu_default_expected(info);
    const struct mu_launch launch = {.groups = bench->groups,
                                     .expected = known != 0 && known < bench->groups ? known : bench->groups,
                                     .patience = mu_default_patience(info),
                                     .delay = bench->delay};
    struct mu_team_times times = {0};
    struct mu_report report = {0};
    cl_uint word = 0;
    if (mu_litmus_clear(bench->trial, bench->cells, 2 * (size_t)bench->groups * bench->workgroup, err) != MU_OK ||
        mu_litmus_clear(bench->trial, bench->wrong, 1, err) != MU_OK ||
        mu_team_launch_prepare(&bench->team, &launch, err) != MU_OK ||
        mu_team_launch_run(&bench->team, &bench->kernel, 0, &times, err) != MU_OK ||
        mu_team_launch_report(&bench->team, &report, err) != MU_OK ||
        mu_cl_check(clEnqueueReadBuffer(bench->trial->target.queue, bench->test->guards ? bench->cells : bench->wrong,
                                        CL_TRUE, 0, sizeof word, &word, 0, NULL, NULL),
                    "the counts of a litmus test", err) != MU_OK)
        return err->status;
    const uint64_t all = (uint64_t)report.team * ROUNDS;
    bench->members = report.team;
    seen->instances += bench->test->guards ? all : all * bench->workgroup;
    seen->weak += bench->test->guards ? all - word : word;
    return MU_OK;
}

/* Doubles the delay and returns true as long as the roll calls of a CPU have found one group at most. */
static bool is_lonely(struct bench *bench, uint32_t most)
{
    if (most > 1 || bench->delay == 0) return false;
    if (bench->delay < LAST_DELAY) bench->delay *= 2;
    return true;
}

static int measure(struct mu_trial *trial, const struct test *test, struct mu_build *build, enum mu_litmus_form form,
                   struct mu_error *err)
{
    struct bench bench = {.trial = trial, .test = test};
    struct mu_litmus_seen seen = {.test = test->name, .outcome = test->outcome, .forbidden = form == MU_LITMUS_ORDERED};
    uint32_t turn = 0, most = 0;
    open_bench(&bench, build, form, err);
    const uint64_t start = mu_now_ns(), end = start + 4 * (uint64_t)mu_trial_number(trial, "milliseconds") * 1000000;
    bench.delay = build->variant == MU_PORTABLE && trial->info.cpu ? FIRST_DELAY : 0;
    for (bool again = true; err->status == MU_OK && again; turn++) {
        launch(&bench, &seen, err);
        if (bench.members > most) most = bench.members;
        again = is_lonely(&bench, most) ? mu_now_ns() - start < LONELY_NS : turn + 1 < MOST_TURNS && mu_now_ns() < end;
    }
    if (err->status == MU_OK)
        mu_litmus_add(trial, &seen, json_pack("{s:I, s:I}", "launches", (json_int_t)turn, "team", (json_int_t)most),
                      err);
    close_bench(&bench);
    return err->status;
}

/* Returns true if the point names this choice, or none of its kind. */
static bool is_asked(const struct mu_trial *trial, const char *kind, const char *name)
{
    const char *asked = mu_trial_text(trial, kind);
    return asked == NULL || strcmp(asked, name) == 0;
}

int mu_litmus_barriers(struct mu_trial *trial, struct mu_error *err)
{
    for (int i = MU_BARRIER_COUNTER; mu_barriers[i].name != NULL && err->status == MU_OK; i++) {
        const struct test test = {mu_barriers[i].name, "litmus_barrier", "written before, not seen behind", false};
        struct mu_build build;
        enum mu_litmus_form form;
        if (!is_asked(trial, "barrier", test.name) || !mu_device_has_barrier(&trial->info, (enum mu_barrier)i))
            continue;
        if (mu_litmus_build(trial, &build, &form, err) != MU_OK) break;
        build.barrier = (enum mu_barrier)i;
        measure(trial, &test, &build, form, err);
    }
    return err->status;
}

int mu_litmus_locks(struct mu_trial *trial, struct mu_error *err)
{
    static const enum mu_rollcall mutexes[] = {MU_ROLLCALL_TICKET, MU_ROLLCALL_SPIN};
    for (size_t i = 0; i < sizeof mutexes / sizeof mutexes[0] && err->status == MU_OK; i++) {
        const struct test test = {mu_rollcalls[mutexes[i]].name, "litmus_lock", "an addition is lost", true};
        struct mu_build build;
        enum mu_litmus_form form;
        if (!is_asked(trial, "lock", test.name)) continue;
        if (mu_litmus_build(trial, &build, &form, err) != MU_OK) break;
        build.rollcall = mutexes[i];
        measure(trial, &test, &build, form, err);
    }
    return err->status;
}

int mu_litmus_rollcalls(struct mu_trial *trial, struct mu_error *err)
{
    for (int i = MU_ROLLCALL_ATOMIC; mu_rollcalls[i].name != NULL && err->status == MU_OK; i++) {
        const struct test test = {mu_rollcalls[i].name, "litmus_barrier", "written before, not seen behind", false};
        struct mu_build build;
        enum mu_litmus_form form;
        if (!is_asked(trial, "rollcall", test.name)) continue;
        if (i == MU_ROLLCALL_LOBE && mu_trial_known(trial, test.name) == 0)
            return mu_fail(err, MU_UNSUPPORTED, "roll call lobe is for devices on which nothing refutes LOBE");
        if (mu_litmus_build(trial, &build, &form, err) != MU_OK) break;
        build.variant = MU_PORTABLE;
        build.rollcall = (enum mu_rollcall)i;
        measure(trial, &test, &build, form, err);
    }
    return err->status;
}
