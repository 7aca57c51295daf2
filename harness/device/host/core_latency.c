#include "harness/device/host/core_latency.h"

#include "statistics/statistics.h"
#include "variants/launch/opencl.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define BATCHES    41
#define TRIPS      32 /* of a batch */
#define LIMIT_NS   20000000
#define POLLS_EACH 1024 /* between two looks at the clock */

/* A word that goes up by one on each way. The caller answers even numbers, the other thread odd ones. */
struct court {
    _Alignas(64) _Atomic uint32_t word;
    _Alignas(64) uint64_t until_ns;
};

/* Waits for a value of the word. Returns false when time has run out. */
static bool await(struct court *court, uint32_t value)
{
    for (unsigned polls = 1; atomic_load_explicit(&court->word, memory_order_acquire) != value; polls++)
        if (polls % POLLS_EACH == 0 && mu_now_ns() > court->until_ns) return false;
    return true;
}

static void *answer(void *argument)
{
    struct court *court = argument;
    for (uint32_t value = 1; value < 2 * BATCHES * TRIPS && await(court, value); value += 2)
        atomic_store_explicit(&court->word, value + 1, memory_order_release);
    return NULL;
}

/* Plays one batch. *ns becomes the time of a round trip. */
static bool play(struct court *court, uint32_t *value, double *ns)
{
    const uint64_t begun = mu_now_ns();
    for (unsigned trip = 0; trip < TRIPS; trip++) {
        atomic_store_explicit(&court->word, *value + 1, memory_order_release);
        *value += 2;
        if (!await(court, *value)) return false;
    }
    *ns = (double)(mu_now_ns() - begun) / TRIPS;
    return true;
}

/* Finds the first and the last core of a set, each as a set. Returns false if they are one. */
static bool choose_cores(const cpu_set_t *allowed, cpu_set_t *first, cpu_set_t *last)
{
    CPU_ZERO(first);
    CPU_ZERO(last);
    for (size_t core = 0; core < CPU_SETSIZE; core++) {
        if (!CPU_ISSET(core, allowed)) continue;
        if (CPU_COUNT(first) == 0) CPU_SET(core, first);
        CPU_ZERO(last);
        CPU_SET(core, last);
    }
    return CPU_COUNT(first) == 1 && !CPU_EQUAL(first, last);
}

/* Measures from the core on which the caller is now. */
static bool measure(const cpu_set_t *last, double *ns)
{
    struct court court = {.until_ns = mu_now_ns() + LIMIT_NS};
    struct mu_summary summary;
    struct mu_error err = {0};
    double batch[BATCHES];
    uint32_t value = 0;
    pthread_attr_t attributes;
    pthread_t other;
    if (pthread_attr_init(&attributes) != 0) return false;
    const bool made = pthread_attr_setaffinity_np(&attributes, sizeof *last, last) == 0 &&
                      pthread_create(&other, &attributes, answer, &court) == 0;
    pthread_attr_destroy(&attributes);
    if (!made) return false;
    size_t played = 0;
    while (played < BATCHES && play(&court, &value, &batch[played])) played++;
    pthread_join(other, NULL);
    if (played < BATCHES) return false;
    if (mu_summarise(batch, BATCHES, &summary, &err) != MU_OK) return false;
    *ns = summary.median;
    return true;
}

bool mu_core_latency(double *ns)
{
    cpu_set_t allowed, first, last;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0 || !choose_cores(&allowed, &first, &last) ||
        sched_setaffinity(0, sizeof first, &first) != 0)
        return false;
    const bool measured = measure(&last, ns);
    return sched_setaffinity(0, sizeof allowed, &allowed) == 0 && measured;
}
