/* Reading one word back between two steps, the price of every round of the multi-kernel variant. */
#include "variants/launch/execution.h"

#include <string.h>

#define ROUNDS 30 /* of each way, to choose */

/* What a pinned word holds while its value is on the way. A value that equals it is waited for by its event. */
#define ON_THE_WAY 0x9e3779b9u

/* Looks at the word between two looks at the event. */
#define LOOKS 256

int mu_readback_open(struct mu_execution *execution, struct mu_error *err)
{
    cl_int status;
    execution->pinned = clCreateBuffer(execution->target->context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR,
                                       sizeof(cl_uint), NULL, &status);
    if (mu_cl_check(status, "pinned memory", err) != MU_OK) return err->status;
    execution->pinned_word = clEnqueueMapBuffer(execution->target->queue, execution->pinned, CL_TRUE,
                                                CL_MAP_READ | CL_MAP_WRITE, 0, sizeof(cl_uint), 0, NULL, NULL, &status);
    return mu_cl_check(status, "mapping pinned memory", err);
}

void mu_readback_close(struct mu_execution *execution)
{
    if (execution->pinned_word != NULL)
        clEnqueueUnmapMemObject(execution->target->queue, execution->pinned, (void *)execution->pinned_word, 0, NULL,
                                NULL);
    if (execution->pinned_word != NULL) clFinish(execution->target->queue);
    if (execution->pinned != NULL) clReleaseMemObject(execution->pinned);
}

/* Watches the word, and now and then the event, so that no value is missed. */
static int watch(struct mu_execution *execution, cl_event event, struct mu_error *err)
{
    for (;;) {
        cl_int state = CL_QUEUED;
        for (int look = 0; look < LOOKS; look++)
            if (*execution->pinned_word != ON_THE_WAY) return MU_OK;
        const cl_int status = clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL);
        if (mu_cl_check(status, "the state of a read", err) != MU_OK) return err->status;
        if (state < 0) return mu_cl_check(state, "reading a flag back", err);
        if (state == CL_COMPLETE) return MU_OK;
    }
}

static int read_word(struct mu_execution *execution, cl_mem buffer, size_t offset, cl_uint *word, struct mu_error *err)
{
    cl_event event = NULL;
    cl_command_queue queue = execution->target->queue;
    *execution->pinned_word = ON_THE_WAY;
    cl_int status = clEnqueueReadBuffer(queue, buffer, CL_FALSE, offset, sizeof *word, (void *)execution->pinned_word,
                                        0, NULL, &event);
    if (mu_cl_check(status, "reading a flag back", err) != MU_OK) return err->status;
    if (mu_cl_check(clFlush(queue), "clFlush", err) == MU_OK) watch(execution, event, err);
    clReleaseEvent(event);
    *word = *execution->pinned_word;
    return err->status;
}

int mu_readback(struct mu_execution *execution, cl_mem buffer, size_t index, cl_uint *word, struct mu_error *err)
{
    const size_t offset = index * sizeof *word;
    if (execution->readback == MU_READBACK_WORD) return read_word(execution, buffer, offset, word, err);
    return mu_cl_check(
        clEnqueueReadBuffer(execution->target->queue, buffer, CL_TRUE, offset, sizeof *word, word, 0, NULL, NULL),
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
            mu_readback(execution, buffer, 0, &word, err);
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
