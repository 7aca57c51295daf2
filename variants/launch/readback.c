/* Reading flags back between two steps, the price of every round of the multi-kernel variant; and reports of teams. */
#include "variants/launch/readback.h"

#include <stdbool.h>

#define ROUNDS 30 /* of each kind, to choose */

/* What pinned words hold while their values are on the way. A value that equals it is waited for by its event. */
#define ON_THE_WAY 0x9e3779b9u

/* Looks at the words between two looks at the event. */
#define LOOKS 256

int mu_pinned_open(const struct mu_target *target, struct mu_pinned *pinned, struct mu_error *err)
{
    const size_t bytes = MU_READBACK_WORDS * sizeof(cl_uint);
    cl_int status;
    pinned->buffer = clCreateBuffer(target->context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, bytes, NULL, &status);
    if (mu_cl_check(status, "pinned memory", err) != MU_OK) return err->status;
    pinned->words = clEnqueueMapBuffer(target->queue, pinned->buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, bytes, 0,
                                       NULL, NULL, &status);
    return mu_cl_check(status, "mapping pinned memory", err);
}

void mu_pinned_close(const struct mu_target *target, struct mu_pinned *pinned)
{
    if (pinned->words != NULL)
        clEnqueueUnmapMemObject(target->queue, pinned->buffer, (void *)pinned->words, 0, NULL, NULL);
    if (pinned->words != NULL) clFinish(target->queue);
    if (pinned->buffer != NULL) clReleaseMemObject(pinned->buffer);
    *pinned = (struct mu_pinned){0};
}

static bool have_arrived(const struct mu_pinned *pinned, uint32_t count)
{
    for (uint32_t i = count; i > 0; i--)
        if (pinned->words[i - 1] == ON_THE_WAY) return false;
    return true;
}

/* Watches the words, and now and then the event, so that no value is missed. */
static int watch(const struct mu_pinned *pinned, uint32_t count, cl_event event, struct mu_error *err)
{
    for (;;) {
        cl_int state = CL_QUEUED;
        for (int look = 0; look < LOOKS; look++)
            if (have_arrived(pinned, count)) return MU_OK;
        const cl_int status = clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL);
        if (mu_cl_check(status, "the state of a read", err) != MU_OK) return err->status;
        if (state < 0) return mu_cl_check(state, "reading a flag back", err);
        if (state == CL_COMPLETE) return MU_OK;
    }
}

static int enqueue_read(const struct mu_target *target, const struct mu_flags *flags, bool blocking, void *words,
                        cl_event *event, struct mu_error *err)
{
    const cl_int status =
        clEnqueueReadBuffer(target->queue, flags->buffer, blocking ? CL_TRUE : CL_FALSE, flags->first * sizeof(cl_uint),
                            flags->count * sizeof(cl_uint), words, 0, NULL, event);
    return mu_cl_check(status, "reading a flag back", err);
}

static void take_pinned(const struct mu_pinned *pinned, uint32_t count, cl_uint *words)
{
    for (uint32_t i = 0; i < count; i++) words[i] = pinned->words[i];
}

static int watch_read(const struct mu_target *target, const struct mu_pinned *pinned, const struct mu_flags *flags,
                      cl_uint *words, struct mu_error *err)
{
    cl_event event = NULL;
    for (uint32_t i = 0; i < flags->count; i++) pinned->words[i] = ON_THE_WAY;
    if (enqueue_read(target, flags, false, (void *)pinned->words, &event, err) != MU_OK) return err->status;
    if (mu_cl_check(clFlush(target->queue), "clFlush", err) == MU_OK) watch(pinned, flags->count, event, err);
    clReleaseEvent(event);
    take_pinned(pinned, flags->count, words);
    return err->status;
}

int mu_read_back(const struct mu_target *target, const struct mu_pinned *pinned, const struct mu_flags *flags,
                 cl_uint *words, struct mu_error *err)
{
    if (pinned->kind == MU_READBACK_WORD && pinned->words != NULL) return watch_read(target, pinned, flags, words, err);
    return enqueue_read(target, flags, true, words, NULL, err);
}

int mu_read_last(const struct mu_target *target, const struct mu_pinned *pinned, const struct mu_flags *flags,
                 cl_uint *words, struct mu_error *err)
{
    const bool lands = pinned->words != NULL;
    if (pinned->kind == MU_READBACK_WORD && lands) return watch_read(target, pinned, flags, words, err);
    if (enqueue_read(target, flags, false, lands ? (void *)pinned->words : words, NULL, err) != MU_OK)
        return err->status;
    if (mu_cl_check(clFinish(target->queue), "clFinish after a run", err) == MU_OK && lands)
        take_pinned(pinned, flags->count, words);
    return err->status;
}

/* Rounds of a 4-byte fill and a read-back, in ns; UINT64_MAX when a value came back wrong. */
static uint64_t time_rounds(const struct mu_target *target, const struct mu_pinned *pinned, cl_mem buffer,
                            struct mu_error *err)
{
    bool right = true;
    const uint64_t start = mu_now_ns();
    for (cl_uint round = 0; round < ROUNDS && err->status == MU_OK; round++) {
        cl_uint word = 0;
        if (mu_cl_check(
                clEnqueueFillBuffer(target->queue, buffer, &round, sizeof round, 0, sizeof round, 0, NULL, NULL),
                "clEnqueueFillBuffer", err) == MU_OK)
            mu_read_back(target, pinned, &(struct mu_flags){buffer, 0, 1}, &word, err);
        right = right && word == round;
    }
    return right ? mu_now_ns() - start : UINT64_MAX;
}

int mu_readback_choose(const struct mu_target *target, struct mu_pinned *pinned, struct mu_error *err)
{
    cl_int status;
    uint64_t best = UINT64_MAX;
    enum mu_readback fastest = MU_READBACK_BLOCKING;
    cl_mem buffer = clCreateBuffer(target->context, CL_MEM_READ_WRITE, sizeof(cl_uint), NULL, &status);
    if (mu_cl_check(status, "a word to read back", err) != MU_OK) return err->status;
    for (int turn = 0; turn < 4 && err->status == MU_OK; turn++) { /* each kind twice: the first turns warm up */
        pinned->kind = turn % 2 == 0 ? MU_READBACK_BLOCKING : MU_READBACK_WORD;
        const uint64_t elapsed = time_rounds(target, pinned, buffer, err);
        if (turn < 2 || elapsed >= best) continue;
        best = elapsed;
        fastest = pinned->kind;
    }
    pinned->kind = fastest;
    clReleaseMemObject(buffer);
    return err->status;
}
