#include "variants/launch/asker.h"

#include "base/memory.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#define LOOK_NS 500000 /* the longest that the thread sleeps before it looks whether it is to end */

const char *const mu_asking_names[] = {"svm", "pinned", "copied", "schedule"};

struct mu_asker {
    const struct mu_target *target;
    enum mu_asking asking;
    cl_mem word;
    void *shared;               /* svm: what was allocated */
    _Atomic cl_uint *seen;      /* svm, pinned: the word as the host sees it */
    cl_command_queue own_queue; /* copied */
    pthread_t thread;
    bool runs;
    atomic_bool stop;
    uint64_t delay_ns, period_ns, first_ns;
    cl_int status; /* the thread's first error */
};

/* ---- The word ---- */

static cl_int make_shared(struct mu_asker *asker)
{
    cl_device_svm_capabilities has = 0;
    cl_int status = clGetDeviceInfo(asker->target->device, CL_DEVICE_SVM_CAPABILITIES, sizeof has, &has, NULL);
    if (status != CL_SUCCESS || (has & CL_DEVICE_SVM_FINE_GRAIN_BUFFER) == 0) return CL_INVALID_OPERATION;
    asker->shared = clSVMAlloc(asker->target->context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER,
                               sizeof(cl_uint), sizeof(cl_uint));
    if (asker->shared == NULL) return CL_OUT_OF_RESOURCES;
    asker->seen = asker->shared;
    asker->word = clCreateBuffer(asker->target->context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, sizeof(cl_uint),
                                 asker->shared, &status);
    return status;
}

static cl_int make_pinned(struct mu_asker *asker)
{
    cl_int status;
    asker->word = clCreateBuffer(asker->target->context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, sizeof(cl_uint),
                                 NULL, &status);
    if (status == CL_SUCCESS)
        asker->seen = clEnqueueMapBuffer(asker->target->queue, asker->word, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                                         sizeof(cl_uint), 0, NULL, NULL, &status);
    return status;
}

static cl_int make_copied(struct mu_asker *asker)
{
    cl_int status;
    asker->word = clCreateBuffer(asker->target->context, CL_MEM_READ_WRITE, sizeof(cl_uint), NULL, &status);
    if (status == CL_SUCCESS && asker->asking == MU_ASKING_COPIED)
        asker->own_queue = clCreateCommandQueue(asker->target->context, asker->target->device, 0, &status);
    return status;
}

int mu_asker_new(const struct mu_target *target, enum mu_asking asking, struct mu_asker **made, struct mu_error *err)
{
    static cl_int (*const make[])(struct mu_asker *) = {make_shared, make_pinned, make_copied, make_copied};
    struct mu_asker *asker = *made = mu_calloc(1, sizeof *asker, "the asker", err);
    if (asker == NULL) return err->status;
    asker->target = target;
    asker->asking = asking;
    const cl_int status = make[asking](asker);
    if (status == CL_INVALID_OPERATION) return mu_fail(err, MU_UNSUPPORTED, "no memory of fine grain");
    return mu_cl_check(status, "the word by which the host asks", err);
}

void mu_asker_free(struct mu_asker *asker)
{
    if (asker == NULL) return;
    if (asker->asking == MU_ASKING_PINNED && asker->seen != NULL) {
        clEnqueueUnmapMemObject(asker->target->queue, asker->word, (void *)asker->seen, 0, NULL, NULL);
        clFinish(asker->target->queue);
    }
    if (asker->word != NULL) clReleaseMemObject(asker->word);
    if (asker->shared != NULL) clSVMFree(asker->target->context, asker->shared);
    if (asker->own_queue != NULL) clReleaseCommandQueue(asker->own_queue);
    mu_free(asker);
}

cl_mem mu_asker_word(const struct mu_asker *asker)
{
    return asker->word;
}

/* ---- The thread ---- */

static void write_word(struct mu_asker *asker, cl_uint value)
{
    if (asker->seen != NULL) {
        atomic_store_explicit(asker->seen, value, memory_order_release);
        return;
    }
    cl_command_queue queue = asker->own_queue != NULL ? asker->own_queue : asker->target->queue;
    const cl_int status = clEnqueueWriteBuffer(queue, asker->word, CL_TRUE, 0, sizeof value, &value, 0, NULL, NULL);
    if (asker->status == CL_SUCCESS) asker->status = status;
}

/* Sleeps until then; false when it is to end. */
static bool sleep_until(struct mu_asker *asker, uint64_t then_ns)
{
    for (uint64_t now = mu_now_ns(); !atomic_load(&asker->stop); now = mu_now_ns()) {
        if (now >= then_ns) return true;
        const uint64_t left_ns = then_ns - now;
        const struct timespec nap = {0, (long)(left_ns < LOOK_NS ? left_ns : LOOK_NS)};
        nanosleep(&nap, NULL);
    }
    return false;
}

static void *ask(void *context)
{
    struct mu_asker *asker = context;
    uint64_t due_ns = mu_now_ns() + asker->delay_ns;
    for (cl_uint count = 1; asker->status == CL_SUCCESS && sleep_until(asker, due_ns); count++) {
        if (count == 1) asker->first_ns = mu_now_ns();
        write_word(asker, count);
        due_ns += asker->period_ns;
    }
    return NULL;
}

int mu_asker_start(struct mu_asker *asker, uint64_t delay_ns, uint64_t period_ns, struct mu_error *err)
{
    asker->delay_ns = delay_ns;
    asker->period_ns = period_ns;
    asker->first_ns = 0;
    atomic_store(&asker->stop, false);
    write_word(asker, 0);
    if (asker->asking == MU_ASKING_SCHEDULE || asker->status != CL_SUCCESS)
        return mu_cl_check(asker->status, "the word by which the host asks", err);
    if (pthread_create(&asker->thread, NULL, ask, asker) != 0)
        return mu_fail(err, MU_NO_MEMORY, "no thread by which the host asks");
    asker->runs = true;
    return MU_OK;
}

int mu_asker_stop(struct mu_asker *asker, uint64_t *first_ns, struct mu_error *err)
{
    atomic_store(&asker->stop, true);
    if (asker->runs) pthread_join(asker->thread, NULL);
    asker->runs = false;
    *first_ns = asker->first_ns;
    return mu_cl_check(asker->status, "the word by which the host asks", err);
}
