/* Experiments launch and utilisation: what launching a kernel for each step costs (thesis, section 4.5.6); and
 * watchdog: how long a launch may take. */
#include "harness/probe/probe.h"

#include "harness/device/launch_defaults.h"
#include "variants/launch/execution.h"

#define PIPELINED  500 /* launches without waiting */
#define REPEATS    7
#define ROUNDS     100 /* launches with a read-back, in a sample */
#define GROUP      64
#define CALIBRATED 400 /* µs that a kernel should take to be calibrated by */

#define WATCHED_NS     UINT64_C(20000000) /* that a kernel has to take for a longer one to be timed by it */
#define WATCHED_ROUNDS (UINT32_C(1) << 30)

/* A program, one kernel, its word, and the read-backs of the multi-kernel variant. */
struct bench {
    cl_program program;
    cl_kernel kernel;
    cl_mem word;
    struct mu_execution execution; /* for its read-back only */
    size_t items;
};

static void close_bench(struct bench *bench)
{
    if (bench->execution.target != NULL) mu_pinned_close(bench->execution.target, &bench->execution.pinned);
    if (bench->word != NULL) clReleaseMemObject(bench->word);
    if (bench->kernel != NULL) clReleaseKernel(bench->kernel);
    if (bench->program != NULL) clReleaseProgram(bench->program);
}

/* Opens a bench whose kernel runs in groups of GROUP work-items. */
static int open_bench(struct mu_trial *trial, const char *kernel, uint32_t groups, struct bench *bench,
                      struct mu_error *err)
{
    cl_int status;
    bench->items = (size_t)groups * GROUP;
    bench->execution.target = &trial->target;
    if (mu_probe_program(trial, "harness/probe/costs.cl", "", &bench->program, err) != MU_OK) return err->status;
    bench->kernel = clCreateKernel(bench->program, kernel, &status);
    if (mu_cl_check(status, kernel, err) != MU_OK) return err->status;
    bench->word = clCreateBuffer(trial->target.context, CL_MEM_READ_WRITE, sizeof(cl_uint), NULL, &status);
    if (mu_cl_check(status, "a word", err) != MU_OK) return err->status;
    if (mu_cl_check(clSetKernelArg(bench->kernel, 0, sizeof bench->word, &bench->word), kernel, err) != MU_OK)
        return err->status;
    return mu_pinned_open(&trial->target, &bench->execution.pinned, err);
}

static int launch(struct bench *bench, cl_uint argument, struct mu_error *err)
{
    const size_t group = GROUP;
    cl_int status = clSetKernelArg(bench->kernel, 1, sizeof argument, &argument);
    if (status == CL_SUCCESS)
        status = clEnqueueNDRangeKernel(bench->execution.target->queue, bench->kernel, 1, NULL, &bench->items, &group,
                                        0, NULL, NULL);
    return mu_cl_check(status, "a launch", err);
}

/* Times launches, none waited for but the last: ns for each of `rounds`. */
static int time_pipelined(struct bench *bench, cl_uint argument, uint32_t rounds, double *ns, struct mu_error *err)
{
    cl_command_queue queue = bench->execution.target->queue;
    if (launch(bench, argument, err) != MU_OK || mu_cl_check(clFinish(queue), "clFinish", err) != MU_OK)
        return err->status;
    const uint64_t start = mu_now_ns();
    for (uint32_t i = 0; i < rounds && err->status == MU_OK; i++) launch(bench, argument, err);
    mu_cl_check(clFinish(queue), "clFinish", err);
    *ns = (double)(mu_now_ns() - start) / rounds;
    return err->status;
}

/* Times launches that are read back: ns for each of `rounds`. */
static int time_read_back(struct bench *bench, enum mu_readback readback, cl_uint argument, uint32_t rounds, double *ns,
                          struct mu_error *err)
{
    bench->execution.pinned.kind = readback;
    const uint64_t start = mu_now_ns();
    for (uint32_t i = 0; i < rounds && err->status == MU_OK; i++) {
        cl_uint word = 0;
        const struct mu_flags flags = {bench->word, 0, 1};
        if (launch(bench, argument, err) == MU_OK)
            mu_read_back(bench->execution.target, &bench->execution.pinned, &flags, &word, err);
    }
    *ns = (double)(mu_now_ns() - start) / rounds;
    return err->status;
}

/* Times each kind of launch REPEATS times, in turn; the first turn warms up. */
static int measure_launches(struct mu_trial *trial, struct bench *bench, struct mu_error *err)
{
    const char *const names[] = {"pipelined", "blocking", "word"};
    struct mu_json samples[3] = {mu_json_array(), mu_json_array(), mu_json_array()};
    for (int turn = 0; turn <= REPEATS && err->status == MU_OK; turn++)
        for (int way = 0; way < 3 && err->status == MU_OK; way++) {
            double ns = 0;
            if (way == 0)
                time_pipelined(bench, 1, PIPELINED, &ns, err);
            else
                time_read_back(bench, way == 1 ? MU_READBACK_BLOCKING : MU_READBACK_WORD, 1, ROUNDS, &ns, err);
            if (turn > 0) mu_json_append_real(&samples[way], ns);
        }
    for (int way = 0; way < 3; way++) {
        json_t *object =
            json_pack("{s:s, s:o}", "implementation", names[way], "ns", mu_json_take(&samples[way], "samples", NULL));
        if (err->status == MU_OK)
            mu_trial_add(trial, object, err);
        else
            json_decref(object);
    }
    return err->status;
}

int mu_probe_launch(struct mu_trial *trial, struct mu_error *err)
{
    struct bench bench = {0};
    if (open_bench(trial, "probe_empty", 1, &bench, err) == MU_OK) measure_launches(trial, &bench, err);
    close_bench(&bench);
    return err->status;
}

/* Finds how many rounds of the loop a microsecond has. Twice the rounds are timed too, and the difference counts, so
 * that the launch is no part of it. */
static int calibrate(struct bench *bench, double *rounds_per_us, struct mu_error *err)
{
    cl_uint rounds = 1024;
    double once = 0, twice = 0;
    for (;; rounds *= 2) {
        if (time_pipelined(bench, rounds, 4, &once, err) != MU_OK ||
            time_pipelined(bench, 2 * rounds, 4, &twice, err) != MU_OK)
            return err->status;
        if (twice - once > CALIBRATED * 1e3 || rounds > UINT32_C(1) << 28) break;
    }
    if (twice <= once)
        return mu_fail(err, MU_DEVICE, "a kernel of twice the work takes no longer: the loop was cut short");
    *rounds_per_us = rounds / ((twice - once) / 1e3);
    return MU_OK;
}

/* Measures which share of the time the device is busy, with kernels of 1 to 1000 µs that are launched and read back one
 * after another. */
static int measure_utilisation(struct mu_trial *trial, struct bench *bench, struct mu_error *err)
{
    static const uint32_t times_us[] = {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000};
    double per_us = 0;
    if (calibrate(bench, &per_us, err) != MU_OK) return err->status;
    for (size_t i = 0; i < sizeof times_us / sizeof times_us[0] && err->status == MU_OK; i++)
        for (int readback = MU_READBACK_BLOCKING; readback <= MU_READBACK_WORD && err->status == MU_OK; readback++) {
            double ns = 0;
            const double rounds = per_us * times_us[i];
            const uint32_t launches = mu_trial_number(trial, "launches");
            time_read_back(bench, (enum mu_readback)readback, rounds < 1 ? 1 : (cl_uint)rounds, launches, &ns, err);
            if (err->status == MU_OK)
                mu_trial_add(trial,
                             json_pack("{s:s, s:I, s:I, s:f, s:f}", "readback", mu_readbacks[readback].name,
                                       "kernel_us", (json_int_t)times_us[i], "launches", (json_int_t)launches,
                                       "round_ns", ns, "utilisation", 1e3 * times_us[i] / ns),
                             err);
        }
    return err->status;
}

int mu_probe_utilisation(struct mu_trial *trial, struct mu_error *err)
{
    struct bench bench = {0};
    if (open_bench(trial, "probe_work", mu_device_units(&trial->info), &bench, err) == MU_OK)
        measure_utilisation(trial, &bench, err);
    close_bench(&bench);
    return err->status;
}

/* ---- Watchdogs ---- */

/* Runs the kernel for so many rounds; *took_ns gets its time on the host. MU_DEVICE where the driver says that it was
 * ended, MU_WRONG where it was and the driver does not say so. */
static int run_watched(struct bench *bench, cl_uint rounds, uint64_t *took_ns, struct mu_error *err)
{
    static const cl_uint zero = 0;
    cl_command_queue queue = bench->execution.target->queue;
    cl_uint made = 0;
    cl_int status = clEnqueueFillBuffer(queue, bench->word, &zero, sizeof zero, 0, sizeof zero, 0, NULL, NULL);
    if (status == CL_SUCCESS) status = clFinish(queue);
    if (mu_cl_check(status, "a word of zero", err) != MU_OK) return err->status;
    const uint64_t start = mu_now_ns();
    if (launch(bench, rounds, err) != MU_OK) return err->status;
    status = clFinish(queue);
    *took_ns = mu_now_ns() - start;
    if (status == CL_SUCCESS)
        status = clEnqueueReadBuffer(queue, bench->word, CL_TRUE, 0, sizeof made, &made, 0, NULL, NULL);
    if (mu_cl_check(status, "a long kernel", err) == MU_OK && made != rounds)
        return mu_fail(err, MU_WRONG, "a long kernel ended behind round %u of %u, and the driver did not say so", made,
                       rounds);
    return err->status;
}

/* Runs the kernel for about so many milliseconds, by how long fewer rounds took. */
static int watch(struct bench *bench, uint32_t ms, uint64_t *took_ns, struct mu_error *err)
{
    cl_uint rounds = 1;
    if (run_watched(bench, rounds, took_ns, err) == MU_OK) /* it may compile */
        while (run_watched(bench, rounds, took_ns, err) == MU_OK && *took_ns < WATCHED_NS && rounds < WATCHED_ROUNDS)
            rounds *= 2;
    if (err->status != MU_OK) return err->status;
    const double wanted = (double)rounds * ms * 1e6 / (double)(*took_ns != 0 ? *took_ns : 1);
    return run_watched(bench, wanted < WATCHED_ROUNDS ? (cl_uint)wanted + 1 : WATCHED_ROUNDS, took_ns, err);
}

int mu_probe_watchdog(struct mu_trial *trial, struct mu_error *err)
{
    struct bench bench = {0};
    uint64_t took_ns = 0;
    if (open_bench(trial, "probe_watched", 1, &bench, err) == MU_OK &&
        watch(&bench, mu_trial_number(trial, "ms"), &took_ns, err) == MU_OK)
        mu_trial_add(trial, json_pack("{s:I}", "took_ns", (json_int_t)took_ns), err);
    close_bench(&bench);
    return err->status;
}

bool mu_probe_is_ended(const char *outcome)
{
    const int status = mu_outcome_status(outcome);
    return status == MU_DEVICE || status == MU_CRASH || status == MU_DEADLINE || status == MU_WRONG;
}

void mu_probe_take_watchdog(const json_t *measurements, struct mu_profile *profile)
{
    size_t i;
    json_t *measurement;
    json_array_foreach ((json_t *)(uintptr_t)measurements, i, measurement) {
        const json_t *of = json_object_get(measurement, "parameters");
        const double ms = mu_json_real(of, "ms"), took_ms = mu_json_real(measurement, "took_ns") / 1e6;
        double *longest = &profile->watchdog_longest_ms, *ended = &profile->watchdog_ended_ms;
        if (!mu_json_is(of, "experiment", "watchdog")) continue;
        if (took_ms > *longest) *longest = took_ms;
        if (mu_probe_is_ended(mu_json_text(measurement, "outcome")) && (*ended <= 0 || ms < *ended)) *ended = ms;
    }
    /* What ended once may end again; where the first one ended, none has told what does not. */
    const double ended_ms = profile->watchdog_ended_ms, longest_ms = profile->watchdog_longest_ms;
    if (ended_ms > 0 && (longest_ms <= 0 || longest_ms >= ended_ms)) profile->watchdog_longest_ms = ended_ms / 2;
}
