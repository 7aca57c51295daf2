#include "inputs/parallel.h"

#include <pthread.h>
#include <stdbool.h>
#include <unistd.h>

static unsigned threads_of_a_test;

struct worker {
    pthread_t id;
    bool started;
    mu_parallel_body *body;
    void *context;
    unsigned thread, threads;
};

unsigned mu_parallel_threads(void)
{
    if (threads_of_a_test != 0) return threads_of_a_test;
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    if (online < 1) return 1;
    return online < MU_PARALLEL_MAX ? (unsigned)online : MU_PARALLEL_MAX;
}

void mu_parallel_set_threads(unsigned threads)
{
    threads_of_a_test = threads < MU_PARALLEL_MAX ? threads : MU_PARALLEL_MAX;
}

static void *work(void *argument)
{
    struct worker *worker = argument;
    worker->body(worker->context, worker->thread, worker->threads);
    return NULL;
}

void mu_parallel(unsigned threads, mu_parallel_body *body, void *context)
{
    struct worker workers[MU_PARALLEL_MAX];
    for (unsigned i = 1; i < threads; i++) {
        workers[i] = (struct worker){.body = body, .context = context, .thread = i, .threads = threads};
        workers[i].started = pthread_create(&workers[i].id, NULL, work, &workers[i]) == 0;
    }
    body(context, 0, threads);
    for (unsigned i = 1; i < threads; i++) {
        if (workers[i].started)
            pthread_join(workers[i].id, NULL);
        else
            work(&workers[i]);
    }
}
