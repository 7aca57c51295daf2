/* How much of its time a program loses whose threads do nothing but read the clock: core_gaps THREADS SECONDS
 *
 * Each thread is bound to a core of its own, of those that the process may use. A gap is a time of more than 50 us
 * between two readings, in which the thread did not run: the system gave its core to another one, or the host of a
 * virtual machine gave it to another machine. Prints a line; exits with 2 for a bad call and 3 where there are too few
 * cores or no threads. */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MOST_THREADS = CPU_SETSIZE, GAP_NS = 50000 };

struct watcher {
    pthread_t id;
    uint64_t until_ns;
    uint64_t gaps, lost_ns, longest_ns;
};

static uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void *watch(void *argument)
{
    struct watcher *watcher = argument;
    for (uint64_t last = now_ns(), now; last < watcher->until_ns; last = now) {
        now = now_ns();
        if (now - last <= GAP_NS) continue;
        watcher->gaps++;
        watcher->lost_ns += now - last;
        if (now - last > watcher->longest_ns) watcher->longest_ns = now - last;
    }
    return NULL;
}

static int start(struct watcher *watcher, size_t core)
{
    cpu_set_t own;
    pthread_attr_t attributes;
    CPU_ZERO(&own);
    CPU_SET(core, &own);
    int failure = pthread_attr_init(&attributes);
    if (failure != 0) return failure;
    failure = pthread_attr_setaffinity_np(&attributes, sizeof own, &own);
    if (failure == 0) failure = pthread_create(&watcher->id, &attributes, watch, watcher);
    pthread_attr_destroy(&attributes);
    return failure;
}

static void report(const struct watcher *watchers, unsigned threads, double seconds)
{
    uint64_t gaps = 0, lost_ns = 0, longest_ns = 0;
    unsigned with = 0;
    for (unsigned i = 0; i < threads; i++) {
        gaps += watchers[i].gaps;
        lost_ns += watchers[i].lost_ns;
        with += watchers[i].gaps > 0;
        if (watchers[i].longest_ns > longest_ns) longest_ns = watchers[i].longest_ns;
    }
    printf("%u threads: %llu gaps above 50 us in %u of them; %.2f %% of %g s lost; the longest %.1f ms\n", threads,
           (unsigned long long)gaps, with, (double)lost_ns / (1e7 * seconds * threads), seconds,
           (double)longest_ns / 1e6);
}

int main(int count, char **arguments)
{
    static struct watcher watchers[MOST_THREADS];
    char *end_of_threads = NULL, *end_of_seconds = NULL;
    cpu_set_t allowed;
    const long threads = count == 3 ? strtol(arguments[1], &end_of_threads, 10) : 0;
    const double seconds = count == 3 ? strtod(arguments[2], &end_of_seconds) : 0;
    if (threads < 1 || threads > MOST_THREADS || *end_of_threads != '\0' || !(seconds > 0 && seconds <= 3600) ||
        *end_of_seconds != '\0') {
        fprintf(stderr, "core_gaps: usage: core_gaps THREADS SECONDS, 1 to %d and up to 3600\n", (int)MOST_THREADS);
        return 2;
    }
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0 || CPU_COUNT(&allowed) < threads) {
        fprintf(stderr, "core_gaps: this process may not use %ld cores\n", threads);
        return 3;
    }
    const uint64_t until_ns = now_ns() + (uint64_t)(seconds * 1e9);
    size_t core = 0;
    for (long i = 0; i < threads; i++, core++) {
        while (!CPU_ISSET(core, &allowed)) core++;
        watchers[i].until_ns = until_ns;
        errno = start(&watchers[i], core);
        if (errno == 0) continue;
        perror("core_gaps: a thread");
        return 3;
    }
    for (long i = 0; i < threads; i++) pthread_join(watchers[i].id, NULL);
    report(watchers, (unsigned)threads, seconds);
    return 0;
}
