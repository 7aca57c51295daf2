/* Measuring: roll calls, warm-up, samples, and the check of every result. */
#include "harness/run/process.h"

#include "base/memory.h"
#include "harness/device/child.h"
#include "harness/run/load.h"
#include "harness/run/stopping.h"
#include "variants/launch/trace.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

/* Default duration of the warm-up on a CPU; and its largest number of executions for each sample, so that it does not
 * outweigh a run of one or two small samples. */
#define CPU_WARMUP_NS         UINT64_C(100000000)
#define CPU_WARMUP_PER_SAMPLE 50

/* An execution that takes longer than this is not timed by the device's clock. */
#define DEVICE_TIME_MOST_NS UINT64_C(100000000)

/* Roll calls timed alone before portable's samples. */
#define ROLL_CALLS 10

static size_t result_bytes(const struct mu_instance *instance, size_t buffer)
{
    if (instance->app->buffers[buffer].role != MU_ROLE_RESULT) return 0;
    return (size_t)instance->app->length(instance, buffer) * mu_instance_element_bytes(instance, buffer);
}

static bool same_as_verified(const struct mu_instance *instance, const struct mu_verified *verified)
{
    if (!verified->valid) return false;
    for (size_t buffer = 0; buffer < instance->app->buffer_count; buffer++) {
        const size_t bytes = result_bytes(instance, buffer);
        if (bytes != verified->bytes[buffer]) return false;
        if (bytes != 0 && memcmp(verified->copy[buffer], *mu_instance_array(instance, buffer), bytes) != 0)
            return false;
    }
    return true;
}

static int keep_verified(const struct mu_instance *instance, struct mu_verified *verified, struct mu_error *err)
{
    for (size_t buffer = 0; buffer < instance->app->buffer_count; buffer++) {
        const size_t bytes = result_bytes(instance, buffer);
        if (bytes == 0) continue;
        if (verified->bytes[buffer] != bytes &&
            mu_resize(&verified->copy[buffer], bytes, 1, "a verified result", err) != MU_OK) {
            verified->valid = false;
            return err->status;
        }
        verified->bytes[buffer] = bytes;
        memcpy(verified->copy[buffer], *mu_instance_array(instance, buffer), bytes);
    }
    verified->steps = instance->app->steps != NULL ? instance->app->steps(instance) : 0;
    verified->valid = true;
    return MU_OK;
}

void mu_verified_release(struct mu_verified *verified)
{
    for (size_t buffer = 0; buffer < MU_MAX_BUFFERS; buffer++) mu_free(verified->copy[buffer]);
    *verified = (struct mu_verified){0};
}

/* Has the app judge a result that is not one of those that were right before. */
static int check_result(struct mu_process *process, struct mu_verified *verified, struct mu_error *err)
{
    if (same_as_verified(process->instance, verified)) return MU_OK;
    mu_child_phase("check");
    if (mu_check_result(process, err) == MU_OK) keep_verified(process->instance, verified, err);
    mu_child_phase("run");
    return err->status;
}

/* Adds to an error the seed of the execution, if that has one. */
static int name_seed(const char *option, uint32_t seed, struct mu_error *err)
{
    const size_t used = strlen(err->message);
    if (err->status != MU_OK && seed != 0)
        snprintf(err->message + used, sizeof err->message - used, " (--%s=%u --warmup=0 --samples=1)", option, seed);
    return err->status;
}

static int run_once(struct mu_process *process, const struct mu_launch *launch, struct mu_verified *verified,
                    struct mu_sample *sample, struct mu_error *err)
{
    if (mu_execution_run(process->execution, launch, sample, err) != MU_OK) return err->status;
    if (process->execution->runs == 1) mu_child_phase("run");
    if (mu_execution_fetch(process->execution, err) != MU_OK) return err->status;
    if (!process->test.check) return MU_OK;
    if (check_result(process, verified, err) != MU_OK) return err->status;
    return mu_execution_check_barriers(process->execution, sample, verified->steps, err);
}

static int run_and_check(struct mu_process *process, struct mu_verified *verified, struct mu_sample *sample,
                         struct mu_error *err)
{
    struct mu_launch launch = mu_process_launch(process);
    if (process->test.perturb != 0) launch.seed = process->test.perturb + (uint32_t)process->execution->runs;
    if (process->test.stress != 0) launch.stress = process->test.stress + (uint32_t)process->execution->runs;
    run_once(process, &launch, verified, sample, err);
    name_seed("perturb", launch.seed, err);
    return name_seed("stress", launch.stress, err);
}

/* Returns true if roll calls that found teams of at most `largest` tell how many groups fit. They do not if they found
 * fewer than a CPU has units: some were late, and the next launch may find them. */
static bool is_known(const struct mu_process *process, uint32_t largest)
{
    return largest != 0 && (mu_process_expects_most(process) || largest >= process->test.expected);
}

/* Learns from roll calls what size to expect, if the size of a warm team is not known, or only its maximum. Groups
 * beyond the team are not launched then. They could only start once the team is done, and on a CPU each of them then
 * runs through the whole kernel. Expecting a size decides when a poll closes, not whether that is safe. */
static void learn_size(struct mu_process *process, uint32_t largest)
{
    struct mu_test *test = &process->test;
    const bool open = test->from[MU_TEST_groups] == MU_FROM_DEVICE && test->team_limit == MU_AUTO;
    if (mu_process_is_blind(process)) return;
    if (open && is_known(process, largest)) mu_test_set(test, MU_TEST_groups, largest, MU_FROM_ROLL_CALL);
    if (mu_process_expects_most(process)) mu_test_set(test, MU_TEST_expected, largest, MU_FROM_ROLL_CALL);
}

static bool has_load(const struct mu_process *process)
{
    return process->test.variant == MU_COOPERATIVE && process->test.load != MU_LOAD_NONE;
}

/* Measures portable's roll call alone: its cost, by the device's clock if it has one, and the teams it finds. */
static int measure_roll_calls(struct mu_process *process, struct mu_json *record, struct mu_error *err)
{
    const struct mu_launch launch = mu_process_launch(process);
    uint32_t largest = 0;
    bool on_device = false;
    struct mu_timed timed = {0};
    struct mu_json teams = mu_json_array(), times = mu_json_array();
    /* A run with a load stays with the queue of the first launch. */
    if (process->info.timer_ns != 0 && !has_load(process)) mu_execution_take_times(process->execution, &timed, err);
    for (int i = 0; i < ROLL_CALLS && err->status == MU_OK; i++) {
        struct mu_sample sample;
        if (mu_execution_roll_call(process->execution, &launch, &sample, err) != MU_OK) break;
        if (sample.team > largest) largest = sample.team;
        mu_json_append_number(&teams, sample.team);
        on_device = sample.device_ns != 0;
        mu_json_append_number(&times, on_device ? sample.device_ns : sample.host_ns);
    }
    mu_execution_leave_times(process->execution, &timed);
    mu_json_set_number(record, "rollcall_groups", launch.groups);
    mu_json_set_part(record, "rollcall_teams", &teams);
    mu_json_set_part(record, "rollcall_ns", &times);
    mu_json_set_text(record, "rollcall_clock", on_device ? "device" : MU_CLOCK);
    learn_size(process, largest);
    mu_json_set_number(record, "expected", mu_process_launch(process).expected);
    return err->status;
}

static void record_resizing(const struct mu_resized *resized, struct mu_json *record)
{
    mu_json_set_number(record, "resized", resized->barriers);
    mu_json_set_number(record, "left", resized->left);
    mu_json_set_number(record, "came", resized->came);
    mu_json_set_number(record, "least_team", resized->least);
}

static void record_counts(const struct mu_process *process, const struct mu_sample *sample, struct mu_json *record)
{
    mu_json_set_number(record, "launches", sample->launches);
    mu_json_set_number(record, "readbacks", sample->readbacks);
    mu_json_set_number(record, "barriers", sample->barriers);
    if (sample->lists != 0) mu_json_set_real(record, "worklist_mean", (double)sample->listed / (double)sample->lists);
    mu_json_set_number(record, "team", sample->team);
    if (process->test.variant == MU_COOPERATIVE) record_resizing(&sample->resized, record);
    if (process->test.variant != MU_MULTI_KERNEL && sample->team != 0)
        mu_json_set_text(record, "ids_found", mu_id_kinds[sample->native ? MU_IDS_NATIVE : MU_IDS_REMAPPED].name);
    if (process->test.variant != MU_MULTI_KERNEL || process->test.grid == MU_GRID_FIXED)
        mu_json_set_number(record, "groups_launched", mu_process_launch(process).groups);
}

/* What the samples have come to. */
struct sampling {
    struct mu_json host, teams, cpu, preempted;
    uint32_t grown; /* how often the host gave more room, warm-up included */
    double *values; /* host times: room for all samples */
    struct mu_sampling run;
    uint64_t start_ns;
    struct mu_load_log load;
};

static int apply_rules(const struct mu_test *test, struct sampling *sampling, struct mu_error *err)
{
    const struct mu_stopping_rules rules = {.min_samples = test->min_samples,
                                            .max_samples = test->samples,
                                            .target_width = test->target_width,
                                            .max_time_s = test->max_time_s,
                                            .abandon_ns = test->abandon_ns};
    return mu_stopping_apply(&rules, (double)(mu_now_ns() - sampling->start_ns) * 1e-9, &sampling->run, err);
}

static int take_sample(struct mu_process *process, struct mu_verified *verified, struct sampling *sampling,
                       struct mu_sample *sample, struct mu_error *err)
{
    if (run_and_check(process, verified, sample, err) != MU_OK) return err->status;
    if (has_load(process) && mu_load_add(&process->execution->team, &sampling->load, err) != MU_OK) return err->status;
    sampling->grown += sample->grown;
    sampling->values[sampling->run.count++] = (double)sample->host_ns;
    mu_json_append_number(&sampling->host, sample->host_ns);
    mu_json_append_number(&sampling->teams, sample->team);
    mu_json_append_number(&sampling->cpu, sample->cpu_ns);
    mu_json_append_number(&sampling->preempted, sample->preempted);
    return apply_rules(&process->test, sampling, err);
}

static void record_samples(const struct mu_process *process, struct sampling *sampling, struct mu_json *record)
{
    const bool persistent = process->test.variant != MU_MULTI_KERNEL;
    mu_json_set_part(record, "samples_ns", &sampling->host);
    if (persistent) mu_json_set_part(record, "teams", &sampling->teams);
    mu_json_set_part(record, "cpu_ns", &sampling->cpu);
    mu_json_set_part(record, "preempted", &sampling->preempted);
    if (sampling->run.stop != NULL) mu_json_set_text(record, "stop", sampling->run.stop);
    mu_json_set_real(record, "half_width", sampling->run.half_width >= 0 ? sampling->run.half_width : NAN);
    mu_json_release(&sampling->teams);
}

static void record_figure(const struct mu_figure *figure, struct mu_json *summary)
{
    struct mu_json series = mu_json_array();
    const bool whole = figure->value >= 0 && figure->value == floor(figure->value) && figure->value < 0x1p53;
    for (size_t i = 0; figure->series != NULL && i < figure->count; i++)
        mu_json_append_number(&series, figure->series[i]);
    if (figure->series != NULL)
        mu_json_set_part(summary, figure->name, &series);
    else if (whole)
        mu_json_set_number(summary, figure->name, (uint64_t)figure->value);
    else
        mu_json_set_real(summary, figure->name, figure->value);
    mu_json_release(&series);
}

/* Records what the app says of the last result. */
static void record_summary(const struct mu_process *process, struct mu_json *record)
{
    struct mu_figure figures[MU_MAX_FIGURES];
    const struct mu_app *app = process->test.app;
    if (app->summary == NULL || !process->test.check) return;
    struct mu_json summary = mu_json_object();
    const size_t count = app->summary(process->instance, figures);
    for (size_t i = 0; i < count; i++) record_figure(&figures[i], &summary);
    mu_json_set_part(record, "summary", &summary);
}

/* Records the device's time of another execution behind the samples, for portable and specialised on a device with a
 * clock of its own. If an execution takes long, it is left out: what a launch adds does not matter then. A CPU's clock
 * is the host's. */
static int take_device_time(struct mu_process *process, struct mu_verified *verified, uint64_t host_ns,
                            struct mu_json *record, struct mu_error *err)
{
    const struct mu_test *test = &process->test;
    struct mu_json device = mu_json_array();
    struct mu_timed timed = {0};
    struct mu_sample sample = {0};
    if (test->variant == MU_MULTI_KERNEL || process->info.timer_ns == 0 || process->info.cpu || has_load(process) ||
        test->perturb != 0 || test->stress != 0 || host_ns > DEVICE_TIME_MOST_NS)
        return err->status;
    if (mu_execution_take_times(process->execution, &timed, err) == MU_OK &&
        run_and_check(process, verified, &sample, err) == MU_OK) {
        mu_json_append_number(&device, sample.device_ns);
        mu_json_set_part(record, "device_ns", &device);
    }
    mu_execution_leave_times(process->execution, &timed);
    mu_json_release(&device);
    return err->status;
}

/* Returns true while another execution before the samples is due, after `done` of them since start_ns. */
static bool needs_warmup(const struct mu_process *process, uint32_t done, uint64_t start_ns)
{
    if (process->test.warmup != MU_WARMUP_AUTO) return done < process->test.warmup;
    if (process->test.perturb != 0 || process->test.stress != 0)
        return false; /* the seeds are those that were asked for */
    const bool few = done < CPU_WARMUP_PER_SAMPLE * (uint64_t)process->test.samples;
    return done == 0 || (process->info.cpu && few && mu_now_ns() - start_ns < CPU_WARMUP_NS);
}

/* Runs the executions before the samples, and counts in *grown how often the host gave more room. A load asks for
 * nothing meanwhile: a task on one workgroup may take much longer than the plan. */
static int warm_up(struct mu_process *process, struct mu_verified *verified, uint32_t *grown, struct mu_error *err)
{
    struct mu_sample sample = {0};
    const uint64_t start = mu_now_ns(), period_ns = process->load.period_ns;
    process->load.period_ns = 0;
    for (uint32_t i = 0; err->status == MU_OK && needs_warmup(process, i, start); i++) {
        run_and_check(process, verified, &sample, err);
        *grown += sample.grown;
    }
    process->load.period_ns = period_ns;
    return err->status;
}

static int take_samples(struct mu_process *process, struct mu_verified *verified, struct mu_json *record,
                        struct mu_error *err)
{
    struct mu_sample sample = {0};
    struct sampling sampling = {.run.half_width = -1};
    sampling.values = mu_malloc(process->test.samples, sizeof *sampling.values, "samples", err);
    if (sampling.values == NULL) return err->status;
    sampling.run.values = sampling.values;
    sampling.host = mu_json_array();
    sampling.teams = mu_json_array();
    sampling.cpu = mu_json_array();
    sampling.preempted = mu_json_array();
    sampling.load = mu_load_log();
    warm_up(process, verified, &sampling.grown, err);
    sampling.start_ns = mu_now_ns();
    while (err->status == MU_OK && sampling.run.stop == NULL) take_sample(process, verified, &sampling, &sample, err);
    record_counts(process, &sample, record);
    if (process->test.app->grow != NULL) mu_json_set_number(record, "grown", sampling.grown);
    if (err->status == MU_OK) take_device_time(process, verified, sample.host_ns, record, err);
    if (err->status == MU_OK) record_summary(process, record);
    record_samples(process, &sampling, record);
    if (has_load(process)) mu_load_record(&sampling.load, record);
    mu_free(sampling.values);
    return err->status;
}

/* Records the launches of another execution of multi-kernel behind the samples, if that is asked for. */
static int take_trace(struct mu_process *process, struct mu_verified *verified, struct mu_json *record,
                      struct mu_error *err)
{
    struct mu_trace trace;
    struct mu_sample sample;
    if (process->test.variant != MU_MULTI_KERNEL || !process->test.trace) return MU_OK;
    if (mu_trace_begin(&trace, process->execution, process->info.timer_ns != 0, err) == MU_OK)
        run_and_check(process, verified, &sample, err);
    if (mu_trace_end(&trace, err) == MU_OK) {
        struct mu_json json = mu_trace_to_json(&trace);
        mu_json_set_part(record, "trace", &json);
    }
    mu_trace_free(&trace);
    return err->status;
}

/* Takes the user's choice of a read-back, or the faster one. A host that watches a word would take a core from a CPU
 * device's own threads. Nothing is tried out before the first launch of a process. */
static int choose_readback(struct mu_process *process, struct mu_json *record, struct mu_error *err)
{
    struct mu_pinned *const pinned = &process->execution->pinned;
    if (process->test.readback != MU_READBACK_AUTO)
        pinned->kind = (enum mu_readback)process->test.readback;
    else if (!process->info.cpu && process->test.condition != MU_FIRST)
        mu_readback_choose(process->execution->target, pinned, err);
    mu_test_set(&process->test, MU_TEST_readback, pinned->kind,
                process->test.readback != MU_READBACK_AUTO ? process->test.from[MU_TEST_readback] : MU_FROM_DEVICE);
    mu_json_set_text(record, "readback", mu_readbacks[pinned->kind].name);
    return err->status;
}

/* Records the most that the app's buffers have taken of the device's memory, and this process, with its driver, of the
 * host's. */
static void record_memory(const struct mu_process *process, struct mu_json *record)
{
    struct rusage usage;
    mu_json_set_number(record, "device_bytes", process->execution->most_bytes);
    if (getrusage(RUSAGE_SELF, &usage) == 0) mu_json_set_number(record, "host_bytes", 1024 * (uint64_t)usage.ru_maxrss);
}

int mu_measure(struct mu_process *process, struct mu_json *record, struct mu_error *err)
{
    mu_child_phase("first");
    if (choose_readback(process, record, err) == MU_OK && MU_HAS_ROLL_CALL(process->test.variant) &&
        process->test.condition != MU_FIRST)
        measure_roll_calls(process, record, err);
    if (err->status == MU_OK && has_load(process)) mu_load_calibrate(process, record, err);
    if (err->status == MU_OK) take_samples(process, &process->verified, record, err);
    if (err->status == MU_OK) take_trace(process, &process->verified, record, err);
    record_memory(process, record);
    mu_json_set_text(record, "check",
                     !process->test.check      ? "skipped (--no-check)"
                     : err->status == MU_OK    ? "passed"
                     : err->status == MU_WRONG ? "failed"
                                               : "not reached");
    return err->status;
}
