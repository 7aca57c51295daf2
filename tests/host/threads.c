/* The machine of threads: each work-item is a thread, each access an atomic operation of C11. */
#include "tests/host/machine.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

_Thread_local const struct host_item *host_item;
const struct host_machine *host_machine = &host_threads;

/* ---- Accesses ---- */

typedef volatile _Atomic(uint) word_t;

static uint load(word_t *word, enum host_order order)
{
    return order == HOST_RELAXED ? atomic_load_explicit(word, memory_order_relaxed)
                                 : atomic_load_explicit(word, memory_order_acquire);
}

static uint store(word_t *word, uint value, enum host_order order)
{
    if (order == HOST_RELAXED)
        atomic_store_explicit(word, value, memory_order_relaxed);
    else
        atomic_store_explicit(word, value, memory_order_release);
    return 0;
}

/* One exchange with the order that the access asks for. The order must be a constant, so that compiler and thread
 * sanitizer see it. A failure has what is left of the order for a load. */
static bool exchange(word_t *word, uint *seen, uint desired, enum host_order order)
{
    switch (order) {
    case HOST_RELAXED:
        return atomic_compare_exchange_strong_explicit(word, seen, desired, memory_order_relaxed, memory_order_relaxed);
    case HOST_ACQUIRE:
        return atomic_compare_exchange_strong_explicit(word, seen, desired, memory_order_acquire, memory_order_acquire);
    case HOST_RELEASE:
        return atomic_compare_exchange_strong_explicit(word, seen, desired, memory_order_release, memory_order_relaxed);
    default:
        return atomic_compare_exchange_strong_explicit(word, seen, desired, memory_order_acq_rel, memory_order_acquire);
    }
}

static uint read_modify_write(const struct host_access *access)
{
    word_t *word = (word_t *)access->word;
    uint seen = access->expected;
    if (access->operation == HOST_COMPARE_EXCHANGE) {
        exchange(word, &seen, access->operand, access->order);
        return seen;
    }
    seen = load(word, HOST_RELAXED);
    while (!exchange(word, &seen, host_modified(access, seen), access->order)) continue;
    return seen;
}

/* There may be many more threads than processors. */
static void threads_pause(void)
{
    sched_yield();
}

static ulong threads_ticks(void)
{
    return 1;
}

static uint threads_access(const struct host_access *access)
{
    word_t *word = (word_t *)access->word;
    if (access->operation == HOST_FENCE) {
        atomic_thread_fence(memory_order_acq_rel);
        return 0;
    }
    if (access->operation == HOST_STORE) return store(word, access->operand, access->order);
    return access->operation == HOST_LOAD ? load(word, access->order) : read_modify_write(access);
}

/* ---- The workgroup's barrier ---- */

/* Crossings take turns at two of these. With a single one, a work-item that is slow to leave would take the mutex after
 * a quick one has arrived at the next barrier; what that did in between would then count as ordered before what the
 * slow one does, and the thread sanitizer would be blind to races between the two. */
struct crossing {
    pthread_mutex_t mutex;
    pthread_cond_t opened;
    uint arrived;  /* so far, since it opened last */
    uint openings; /* how often it has opened */
};

struct group_barrier {
    uint members;
    struct crossing crossings[2];
};

/* The barrier that this work-item has arrived at last: its number, counted from 1 in each launch. */
static _Thread_local uint my_barrier;

static struct crossing *my_crossing(void)
{
    struct group_barrier *barrier = host_item->group->barrier;
    return &barrier->crossings[my_barrier % 2];
}

static void threads_arrive(void)
{
    const struct group_barrier *barrier = host_item->group->barrier;
    my_barrier++;
    struct crossing *crossing = my_crossing();
    pthread_mutex_lock(&crossing->mutex);
    if (++crossing->arrived == barrier->members) {
        crossing->arrived = 0;
        crossing->openings++;
        pthread_cond_broadcast(&crossing->opened);
    }
    pthread_mutex_unlock(&crossing->mutex);
}

static void threads_wait(void)
{
    struct crossing *crossing = my_crossing();
    pthread_mutex_lock(&crossing->mutex);
    while (crossing->openings < (my_barrier + 1) / 2) pthread_cond_wait(&crossing->opened, &crossing->mutex);
    pthread_mutex_unlock(&crossing->mutex);
}

/* ---- Launches ---- */

/* Work-items begin together, or not at all: a roll call that begins while threads are still being made would find small
 * teams only. */
struct gate {
    pthread_mutex_t mutex;
    pthread_cond_t moved;
    enum { GATE_CLOSED, GATE_OPEN, GATE_CANCELLED } state;
};

struct thread {
    pthread_t id;
    struct host_item item;
    struct gate *gate;
};

struct run {
    const struct host_launch *launch;
    struct host_group *groups;
    struct group_barrier *barriers;
    struct thread *threads;
    uint started;
    struct gate gate;
};

static void *run_item(void *argument)
{
    struct thread *thread = argument;
    pthread_mutex_lock(&thread->gate->mutex);
    while (thread->gate->state == GATE_CLOSED) pthread_cond_wait(&thread->gate->moved, &thread->gate->mutex);
    const bool cancelled = thread->gate->state == GATE_CANCELLED;
    pthread_mutex_unlock(&thread->gate->mutex);
    if (cancelled) return NULL;
    host_item = &thread->item;
    thread->item.launch->kernel(thread->item.launch->argument);
    return NULL;
}

static bool prepare(struct run *run)
{
    const struct host_launch *launch = run->launch;
    run->groups = calloc(launch->groups, sizeof *run->groups);
    run->barriers = calloc(launch->groups, sizeof *run->barriers);
    run->threads = calloc((size_t)launch->groups * launch->workgroup, sizeof *run->threads);
    if (run->groups == NULL || run->barriers == NULL || run->threads == NULL) return false;
    for (uint g = 0; g < launch->groups; g++) {
        for (uint i = 0; i < 2; i++) {
            pthread_mutex_init(&run->barriers[g].crossings[i].mutex, NULL);
            pthread_cond_init(&run->barriers[g].crossings[i].opened, NULL);
        }
        run->barriers[g].members = launch->workgroup;
        run->groups[g].barrier = &run->barriers[g];
        run->groups[g].local = calloc(1, launch->local_bytes + 1);
        if (run->groups[g].local == NULL) return false;
    }
    pthread_mutex_init(&run->gate.mutex, NULL);
    pthread_cond_init(&run->gate.moved, NULL);
    return true;
}

/* False when a thread could not be made: those before it are waiting at the gate. */
static bool start(struct run *run)
{
    const uint workgroup = run->launch->workgroup, items = run->launch->groups * workgroup;
    for (run->started = 0; run->started < items; run->started++) {
        struct thread *thread = &run->threads[run->started];
        const uint group = run->started / workgroup;
        thread->item = (struct host_item){run->started % workgroup, group, run->launch, &run->groups[group]};
        thread->gate = &run->gate;
        if (pthread_create(&thread->id, NULL, run_item, thread) != 0) return false;
    }
    return true;
}

static void finish(struct run *run, bool go)
{
    pthread_mutex_lock(&run->gate.mutex);
    run->gate.state = go ? GATE_OPEN : GATE_CANCELLED;
    pthread_cond_broadcast(&run->gate.moved);
    pthread_mutex_unlock(&run->gate.mutex);
    for (uint i = 0; i < run->started; i++) pthread_join(run->threads[i].id, NULL);
}

static int threads_launch(const struct host_launch *launch)
{
    struct run run = {.launch = launch};
    bool ran = false;
    if (launch->begin != NULL) launch->begin(launch->argument);
    if (prepare(&run)) {
        ran = start(&run);
        finish(&run, ran);
    }
    if (ran && launch->end != NULL) launch->end(launch->argument);
    for (uint g = 0; run.groups != NULL && g < launch->groups; g++) free(run.groups[g].local);
    free(run.groups);
    free(run.barriers);
    free(run.threads);
    return ran ? 0 : -1;
}

const struct host_machine host_threads = {threads_access, threads_arrive, threads_wait,
                                          threads_pause,  threads_ticks,  threads_launch};
