/* Reading flags back between two steps, the price of every round of the multi-kernel variant. */
#include "variants/launch/execution.h"

#include <string.h>

#define ROUNDS 30 /* of each way, to choose */

/* What pinned words hold while their values are on the way. A value that equals it is waited for by its event. */
#define ON_THE_WAY 0x9e3779b9u

/* Looks at the words between two looks at the event. */
#define LOOKS 256

int mu_readback_open(struct mu_execution *execution, struct mu_error *err)
{
    const size_t bytes = MU_READBACK_WORDS * sizeof(cl_uint);
    cl_int status;
    execution->pinned =
        clCreateBuffer(execution->target->context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, bytes, NULL, &status);
    if (mu_cl_check(status, "pinned memory", err) != MU_OK) return err->status;
    execution->pinned_words = clEnqueueMapBuffer(execution->target->queue, execution->pinned, CL_TRUE,
                                                 CL_MAP_READ | CL_MAP_WRITE, 0, bytes, 0, NULL, NULL, &status);
    return mu_cl_check(status, "mapping pinned memory", err);
}

void mu_readback_close(struct mu_execution *execution)
{
    if (execution->pinned_words != NULL)
        clEnqueueUnmapMemObject(execution->target->queue, execution->pinned, (void *)execution->pinned_words, 0, NULL,
                                NULL);
    if (execution->pinned_words != NULL) clFinish(execution->target->queue);
    if (execution->pinned != NULL) clReleaseMemObject(execution->pinned);
}

static bool have_arrived(const struct mu_execution *execution, uint32_t count)
{
    for (uint32_t i = count; i > 0; i--)
        if (execution->pinned_words[i - 1] == ON_THE_WAY) return false;
    return true;
}

/* Watches the words, and now and then the event, so that no value is missed. */
static int watch(struct mu_execution *execution, uint32_t count, cl_event event, struct mu_error *err)
{
    for (;;) {
        cl_int state = CL_QUEUED;
        for (int look = 0; look < LOOKS; look++)
            if (have_arrived(execution, count)) return MU_OK;
        const cl_int status = clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL);
        if (mu_cl_check(status, "the state of a read", err) != MU_OK) return err->status;
        if (state < 0) return mu_cl_check(state, "reading a flag back", err);
        if (state == CL_COMPLETE) return MU_OK;
    }
}

static int read_words(struct mu_execution *execution, const struct mu_flags *flags, cl_uint *words,
                      struct mu_error *err)
{
    cl_event event = NULL;
    cl_command_queue queue = execution->target->queue;
    for (uint32_t i = 0; i < flags->count; i++) execution->pinned_words[i] = ON_THE_WAY;
    cl_int status = clEnqueueReadBuffer(queue, flags->buffer, CL_FALSE, flags->first * sizeof *words,
                                        flags->count * sizeof *words, (void *)execution->pinned_words, 0, NULL, &event);
    if (mu_cl_check(status, "reading a flag back", err) != MU_OK) return err->status;
    if (mu_cl_check(clFlush(queue), "clFlush", err) == MU_OK) watch(execution, flags->count, event, err);
    clReleaseEvent(event);
    for (uint32_t i = 0; i < flags->count; i++) words[i] = execution->pinned_words[i];
    return err->status;
}

int mu_readback(struct mu_execution *execution, const struct mu_flags *flags, cl_uint *words, struct mu_error *err)
{
    if (execution->readback == MU_READBACK_WORD) return read_words(execution, flags, words, err);
    return mu_cl_check(clEnqueueReadBuffer(execution->target->queue, flags->buffer, CL_TRUE,
                                           flags->first * sizeof *words, flags->count * sizeof *words, words, 0, NULL,
                                           NULL),
                       "reading a flag back", err);
}

/* Rounds of a 4-byte fill and a read-back, in ns; UINT64_MAX when a value came back wrong. */
static uint64_t time_rounds(struct mu_execution *execution, cl_mem buffer, struct mu_error *err)
{
    bool right = true;
    const uint64_t start = mu_now_ns();
    for (cl_uint round = 0; round < ROUNDS && err->status == MU_OK; round++) {
        cl_uint word = 0;
        if (mu_cl_check(clEnqueueFillBuffer(execution->target->queue, buffer, &round, sizeof round, 0, sizeof round, 0,
                                            NULL, NULL),
                        "clEnqueueFillBuffer", err) == MU_OK)
            mu_readback(execution, &(struct mu_flags){buffer, 0, 1}, &word, err);
        right = right && word == round;
    }
    return right ? mu_now_ns() - start : UINT64_MAX;
}

int mu_execution_choose_readback(struct mu_execution *execution, struct mu_error *err)
{
    cl_int status;
    uint64_t best = UINT64_MAX;
    enum mu_readback fastest = MU_READBACK_BLOCKING;
    cl_mem buffer = clCreateBuffer(execution->target->context, CL_MEM_READ_WRITE, sizeof(cl_uint), NULL, &status);
    if (mu_cl_check(status, "a word to read back", err) != MU_OK) return err->status;
    for (int turn = 0; turn < 4 && err->status == MU_OK; turn++) { /* each way twice: the first turns warm up */
        execution->readback = turn % 2 == 0 ? MU_READBACK_BLOCKING : MU_READBACK_WORD;
        const uint64_t elapsed = time_rounds(execution, buffer, err);
        if (turn < 2 || elapsed >= best) continue;
        best = elapsed;
        fastest = execution->readback;
    }
    execution->readback = fastest;
    clReleaseMemObject(buffer);
    return err->status;
}
