/* Use case 1, CPU-GPU synchronisation: the consumer's launch waits for what the host reads, or the consumer is in the
 * queue already. */
#include "harness/persistent/persistent.h"

#include "base/memory.h"
#include "harness/device/launch_defaults.h"
#include "harness/engine/workbench.h"
#include "variants/launch/report.h"

#include <string.h>

#define LIMIT_WORDS 128 /* HANDOVER_… */
#define PRODUCERS   16u
#define SERVE_OWN   7
#define UNTOUCHED   0xffffffffu
#define GAP_TURNS   9

struct handover {
    struct mu_workbench bench;
    cl_kernel produce, consume, serve;
    cl_mem from, to, words;
    cl_uint room, fmas, memory, each;
    cl_float one;
    uint32_t blocks, team;
    uint32_t *host;
};

static int set_kernels(struct handover *h, struct mu_error *err)
{
    const struct mu_workbench_argument produce[] = {MU_WORKBENCH_ARGUMENT(h->words), MU_WORKBENCH_ARGUMENT(h->each)};
    const struct mu_workbench_argument serve[] = {MU_WORKBENCH_ARGUMENT(h->from),   MU_WORKBENCH_ARGUMENT(h->to),
                                                  MU_WORKBENCH_ARGUMENT(h->room),   MU_WORKBENCH_ARGUMENT(h->fmas),
                                                  MU_WORKBENCH_ARGUMENT(h->memory), MU_WORKBENCH_ARGUMENT(h->one),
                                                  MU_WORKBENCH_ARGUMENT(h->words)};
    if (mu_workbench_kernel(&h->bench, "handover_produce", &h->produce, err) != MU_OK ||
        mu_workbench_kernel(&h->bench, "handover_consume", &h->consume, err) != MU_OK ||
        mu_workbench_kernel(&h->bench, "handover_serve", &h->serve, err) != MU_OK ||
        mu_workbench_set(h->produce, produce, 2, err) != MU_OK ||
        mu_workbench_set(h->consume, serve, SERVE_OWN - 1, err) != MU_OK)
        return err->status;
    return mu_workbench_set(h->serve, serve, SERVE_OWN, err);
}

static int open_handover(struct handover *h, struct mu_trial *trial, struct mu_error *err)
{
    const char *kind = mu_trial_text(trial, "kind");
    *h = (struct handover){.fmas = mu_trial_number(trial, "fmas"),
                           .memory = kind != NULL && strcmp(kind, "memory") == 0,
                           .blocks = mu_trial_number(trial, "blocks"),
                           .team = mu_trial_number(trial, "team"),
                           .one = 1};
    if (h->blocks < PRODUCERS || (h->blocks & (h->blocks - 1)) != 0)
        return mu_fail(err, MU_USAGE, "%u blocks of a consumer are not a power of two from %u on", h->blocks,
                       PRODUCERS);
    h->each = h->blocks / PRODUCERS;
    h->room = h->blocks * MU_WORKBENCH_BLOCK;
    const struct mu_workbench_program program = {"harness/persistent/handover.cl", -1, h->team, NULL, false};
    if (mu_workbench_open(&h->bench, trial, &program, err) != MU_OK) return err->status;
    h->host = mu_malloc(h->room, sizeof *h->host, "a result of the study", err);
    if (err->status == MU_OK) mu_workbench_buffer(&h->bench, h->room, &h->from, err);
    if (err->status == MU_OK) mu_workbench_buffer(&h->bench, h->room, &h->to, err);
    if (err->status == MU_OK) mu_workbench_buffer(&h->bench, LIMIT_WORDS, &h->words, err);
    if (err->status != MU_OK) return err->status;
    for (uint32_t i = 0; i < h->room; i++) h->host[i] = UINT32_C(0x3f800000); /* 1.0f */
    if (mu_workbench_write(&h->bench, h->from, h->host, h->room, err) != MU_OK) return err->status;
    return set_kernels(h, err);
}

static void close_handover(struct handover *h)
{
    mu_workbench_release_kernel(h->produce);
    mu_workbench_release_kernel(h->consume);
    mu_workbench_release_kernel(h->serve);
    mu_workbench_release_buffer(h->from);
    mu_workbench_release_buffer(h->to);
    mu_workbench_release_buffer(h->words);
    mu_free(h->host);
    mu_workbench_close(&h->bench);
}

static int prepare(struct handover *h, struct mu_error *err)
{
    static const cl_uint untouched = UNTOUCHED;
    mu_workbench_zero(&h->bench, h->words, LIMIT_WORDS, err);
    if (err->status == MU_OK)
        mu_cl_check(clEnqueueFillBuffer(h->bench.trial->target.queue, h->to, &untouched, sizeof untouched, 0,
                                        h->room * sizeof untouched, 0, NULL, NULL),
                    "clearing a result", err);
    return err->status == MU_OK ? mu_workbench_finish(&h->bench, err) : err->status;
}

static int check(struct handover *h, struct mu_error *err)
{
    if (mu_workbench_read(&h->bench, h->to, h->host, h->room, err) != MU_OK) return err->status;
    for (uint32_t item = 0; item < h->room; item++)
        if (h->host[item] != h->fmas)
            return mu_fail(err, MU_WRONG, "item %u came to %u, and not to %u", item, h->host[item], h->fmas);
    return MU_OK;
}

/* Launches the consumer once the host has read how many blocks there are. */
static int run_launches(const struct mu_workbench_implementation *implementation, double *ns, struct mu_error *err)
{
    struct handover *h = implementation->context;
    uint32_t limit = 0;
    if (prepare(h, err) != MU_OK) return err->status;
    const uint64_t start = mu_now_ns();
    if (mu_workbench_launch(&h->bench, h->produce, PRODUCERS, err) == MU_OK &&
        mu_workbench_read(&h->bench, h->words, &limit, 1, err) == MU_OK && limit != 0 && limit <= h->blocks)
        mu_workbench_launch(&h->bench, h->consume, limit, err);
    mu_workbench_finish(&h->bench, err);
    *ns = (double)(mu_now_ns() - start);
    if (err->status == MU_OK && limit != h->blocks)
        mu_fail(err, MU_WRONG, "the producer found %u blocks, and not %u", limit, h->blocks);
    return err->status == MU_OK ? check(h, err) : err->status;
}

/* Launches the producer and behind it the team, whose other words are cleared before the clock starts. */
static int run_team(const struct mu_workbench_implementation *implementation, double *ns, struct mu_error *err)
{
    struct handover *h = implementation->context;
    const struct mu_team_kernel kernel = {h->serve, SERVE_OWN, "handover_serve"};
    const struct mu_workbench_first first = {h->produce, PRODUCERS};
    if (prepare(h, err) != MU_OK ||
        mu_workbench_run_behind(&h->bench, &first, &kernel, implementation->count, ns, err) != MU_OK)
        return err->status;
    return check(h, err);
}

int mu_persistent_handover(struct mu_trial *trial, struct mu_error *err)
{
    struct handover h;
    if (open_handover(&h, trial, err) == MU_OK) {
        const uint32_t units = mu_device_units(&trial->info);
        const struct mu_workbench_implementation implementations[] = {{"launches", NULL, 0, run_launches, &h},
                                                                      {"serve", "groups", h.team, run_team, &h},
                                                                      {"serve", "groups", units, run_team, &h}};
        mu_workbench_measure(trial, implementations, units < h.team ? 3 : 2, err);
    }
    close_handover(&h);
    return err->status;
}

/* ---- The gap between the producer's end and the consumer's start, by event times ---- */

static int event_ns(cl_event event, cl_profiling_info which, cl_ulong *ns, struct mu_error *err)
{
    return mu_cl_check(clGetEventProfilingInfo(event, which, sizeof *ns, ns, NULL), "event times", err);
}

/* The three parts of the gap with a read-back, and the gap without. */
enum { GAP_READ, GAP_HOST, GAP_LAUNCH, GAP_BEHIND, GAPS };
static const char *const gap_names[GAPS] = {"readback_ns", "host_ns", "launch_ns", "behind_ns"};

static double apart(cl_ulong from, cl_ulong to, struct mu_error *err)
{
    uint64_t ns = 0;
    mu_times_apart(from, to, &ns, err);
    return (double)ns;
}

static int take_gaps(struct handover *h, double gaps[GAPS], struct mu_error *err)
{
    cl_command_queue queue = h->bench.trial->target.queue;
    const size_t block = MU_WORKBENCH_BLOCK, producers = (size_t)PRODUCERS * MU_WORKBENCH_BLOCK, consumers = h->room;
    cl_event events[4] = {NULL}; /* producer, read, consumer, and a consumer behind it without a read */
    cl_uint limit = 0;
    cl_ulong produced = 0, read = 0, queued = 0, started = 0, consumed = 0, behind = 0;
    cl_int status = clEnqueueNDRangeKernel(queue, h->produce, 1, NULL, &producers, &block, 0, NULL, &events[0]);
    if (status == CL_SUCCESS)
        status = clEnqueueReadBuffer(queue, h->words, CL_TRUE, 0, sizeof limit, &limit, 0, NULL, &events[1]);
    for (int i = 2; i < 4 && status == CL_SUCCESS; i++)
        status = clEnqueueNDRangeKernel(queue, h->consume, 1, NULL, &consumers, &block, 0, NULL, &events[i]);
    if (status == CL_SUCCESS) status = clFinish(queue);
    mu_cl_check(status, "a producer and its consumers", err);
    if (err->status == MU_OK && event_ns(events[0], CL_PROFILING_COMMAND_END, &produced, err) == MU_OK &&
        event_ns(events[1], CL_PROFILING_COMMAND_END, &read, err) == MU_OK &&
        event_ns(events[2], CL_PROFILING_COMMAND_QUEUED, &queued, err) == MU_OK &&
        event_ns(events[2], CL_PROFILING_COMMAND_START, &started, err) == MU_OK &&
        event_ns(events[2], CL_PROFILING_COMMAND_END, &consumed, err) == MU_OK)
        event_ns(events[3], CL_PROFILING_COMMAND_START, &behind, err);
    gaps[GAP_READ] = apart(produced, read, err);
    gaps[GAP_HOST] = apart(read, queued, err);
    gaps[GAP_LAUNCH] = apart(queued, started, err);
    gaps[GAP_BEHIND] = apart(consumed, behind, err);
    for (int i = 0; i < 4; i++)
        if (events[i] != NULL) clReleaseEvent(events[i]);
    return err->status;
}

int mu_persistent_gap(struct mu_trial *trial, struct mu_error *err)
{
    struct handover h;
    struct mu_json samples[GAPS], object = mu_json_object();
    for (int i = 0; i < GAPS; i++) samples[i] = mu_json_array();
    if (trial->info.timer_ns == 0)
        mu_fail(err, MU_UNSUPPORTED, "device '%s' has no event times", trial->info.name);
    else
        open_handover(&h, trial, err);
    for (int turn = 0; turn <= GAP_TURNS && err->status == MU_OK; turn++) {
        double gaps[GAPS] = {0};
        if (prepare(&h, err) == MU_OK && take_gaps(&h, gaps, err) == MU_OK && turn > 0)
            for (int i = 0; i < GAPS; i++) mu_json_append_real(&samples[i], gaps[i]);
    }
    if (trial->info.timer_ns != 0) close_handover(&h);
    for (int i = 0; i < GAPS; i++) mu_json_set_part(&object, gap_names[i], &samples[i]);
    if (err->status == MU_OK) return mu_trial_add(trial, mu_json_take(&object, "gaps", NULL), err);
    mu_json_release(&object);
    return err->status;
}
