/* The child's side of several tests: their programs, which processes of their own build, side by side. A driver's
 * compiler is often serial within a process. What they build reaches the tests by way of the cache. PoCL is left out,
 * which compiles when a kernel is launched, and keeps that itself. */
#include "harness/run/process.h"

#include "harness/device/child.h"
#include "harness/device/program.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_BUILDERS = 128 };

/* What the builders share: the next test that none of them has taken. */
struct queue {
    atomic_size_t next;
    const json_t *tests;
    int done; /* a byte for each test that is dealt with */
};

/* Builds a program that the cache lacks. The device is opened for the first of them only: a driver may make a second's
 * work of that, and do it for one process after another. */
static void build_missing(struct mu_process *process, enum mu_variant variant)
{
    struct mu_error unbuilt = {0};
    if (mu_process_is_cached(process, variant)) return;
    if (process->target.context == NULL && mu_device_open(&process->info, false, &process->target, &unbuilt) != MU_OK)
        _exit(0);
    mu_process_compile(process, variant, &unbuilt);
}

/* Builds the programs of a test, as far as they are known before the device has said anything. */
static void build_one(struct mu_process *process, const json_t *wanted)
{
    struct mu_error unbuilt = {0};
    struct mu_json aside = mu_json_object();
    if (mu_process_next(wanted, process, &aside, &unbuilt) == MU_OK) {
        const enum mu_variant variant = process->test.variant;
        enum mu_barrier small = process->test.barrier, likely = small;
        if (variant == MU_PORTABLE) likely = mu_process_likely_barrier(process, &small);
        process->barrier = likely;
        /* Specialised finds its team before it knows its barrier. */
        if (variant != MU_SPECIALISED || likely != MU_BARRIER_AUTO) build_missing(process, variant);
        process->barrier = small;
        if (small != likely) build_missing(process, variant);
    }
    mu_process_unbuild(process);
    mu_json_release(&aside);
}

/* Takes tests and builds their programs until there are none, in a process of its own. Leaves by _exit, since a
 * driver's destructors belong to the parent. */
static void build_some(struct mu_process *process, struct queue *queue)
{
    const size_t count = json_array_size(queue->tests);
    for (size_t i; (i = atomic_fetch_add(&queue->next, 1)) < count;) {
        build_one(process, json_array_get(queue->tests, i));
        if (write(queue->done, "", 1) != 1) break;
    }
    _exit(0);
}

static size_t start_builders(struct mu_process *process, struct queue *queue, size_t wanted, pid_t *builders)
{
    size_t count = 0;
    const pid_t parent = getpid();
    for (; count < wanted; count++) {
        builders[count] = fork();
        if (builders[count] < 0) break;
        if (builders[count] > 0) continue;
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() == parent) build_some(process, queue);
        _exit(0);
    }
    return count;
}

/* Waits for the builders. Every program that is built puts the deadline off; a builder that hangs meets it. */
static void await_builders(int done, const pid_t *builders, size_t count)
{
    char bytes[64];
    ssize_t got;
    while ((got = read(done, bytes, sizeof bytes)) > 0 || (got < 0 && errno == EINTR))
        if (got > 0) mu_child_part(NULL);
    for (size_t i = 0; i < count; i++)
        while (waitpid(builders[i], NULL, 0) < 0 && errno == EINTR) continue;
}

/* Returns as many as there are cores that this process may use, as long as each has a test. */
static size_t count_builders(const json_t *tests)
{
    cpu_set_t allowed;
    const int cores = sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed) : 1;
    const size_t most = cores < MOST_BUILDERS ? (size_t)cores : MOST_BUILDERS;
    return json_array_size(tests) < most ? json_array_size(tests) : most;
}

void mu_process_build_ahead(struct mu_process *process, const json_t *tests)
{
    int ends[2];
    pid_t builders[MOST_BUILDERS];
    const size_t wanted = count_builders(tests);
    if (wanted < 2 || !process->test.cache || !mu_program_is_kept(&process->info) || pipe(ends) != 0) return;
    struct queue *queue = mmap(NULL, sizeof *queue, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (queue != MAP_FAILED) {
        *queue = (struct queue){.tests = tests, .done = ends[1]};
        mu_child_phase("build");
        const size_t count = start_builders(process, queue, wanted, builders);
        close(ends[1]);
        await_builders(ends[0], builders, count);
        munmap(queue, sizeof *queue);
    } else {
        close(ends[1]);
    }
    close(ends[0]);
}
