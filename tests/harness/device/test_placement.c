/* harness/device/host/placement and handover: who may place the threads of a CPU device's driver, where they go, and
 * what is said of it; and how long a word takes between two cores. */
#include "harness/device/host/core_latency.h"
#include "harness/device/host/placement.h"
#include "tests/tap.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct mu_device_info gpu = {.compute_units = 1};
static const struct mu_device_info cpu = {.cpu = true, .compute_units = 1};

static void check_allowed(uint32_t asked, const struct mu_device_info *info, bool allowed, const char *said)
{
    char text[MU_PLACEMENT_BYTES];
    const bool answer = mu_placement_allow(asked, info, text);
    CHECK(answer == allowed && strcmp(text, said) == 0, "asked %d: %s %s", (int)asked, answer ? "yes" : "no", text);
}

/* In another process, so that this one is not the first. */
static void check_as_second(void)
{
    int ready[2], done[2];
    char byte = 0;
    if (pipe(ready) != 0 || pipe(done) != 0) return;
    const pid_t first = fork();
    if (first == 0) {
        char text[MU_PLACEMENT_BYTES];
        const bool allowed = mu_placement_allow(MU_PLACEMENT_AUTO, &cpu, text);
        if (write(ready[1], &byte, 1) != 1 || close(done[1]) != 0) _exit(2);
        _exit(read(done[0], &byte, 1) == 0 && allowed ? 0 : 1);
    }
    const bool began = read(ready[0], &byte, 1) == 1;
    CHECK(began, "another process places its threads");
    check_allowed(MU_PLACEMENT_AUTO, &cpu, false, "none: another process of muster places its threads");
    check_allowed(MU_PLACEMENT_CORES, &cpu, true, "");
    close(done[1]);
    int status = 0;
    waitpid(first, &status, 0);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the other process was the first");
}

static void check_rights(void)
{
    check_allowed(MU_PLACEMENT_AUTO, &gpu, false, "none: no threads of the host");
    check_allowed(MU_PLACEMENT_NONE, &cpu, false, "none: asked for");
    check_allowed(MU_PLACEMENT_CORES, &cpu, true, "");
    setenv("POCL_AFFINITY", "0", 1);
    check_allowed(MU_PLACEMENT_CORES, &cpu, false, "none: the user has set it");
    unsetenv("POCL_AFFINITY");
    /* Where a campaign runs beside this test, neither process is the first. */
    const pid_t probe = fork();
    if (probe == 0) {
        char text[MU_PLACEMENT_BYTES];
        _exit(!mu_placement_allow(MU_PLACEMENT_AUTO, &cpu, text));
    }
    int status = 1;
    waitpid(probe, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        check_as_second();
    else
        tap_skip("two processes at once", "another process of muster places its threads");
}

static void check_decisions(void)
{
    static const struct {
        uint32_t workers, threads, idle, cores;
        bool one_each, share;
        const char *said;
    } table[] = {
        {2, 2, 2, 2, true, false, "cores"},
        {4, 4, 5, 16, true, false, "cores"},
        {2, 2, 1, 2, false, true, "shared: 1 of 2 cores, which other programs leave idle"},
        {16, 16, 15, 16, false, true, "shared: 15 of 16 cores, which other programs leave idle"},
        {16, 16, 1, 2, false, true, "shared: 1 of 2 cores, which other programs leave idle"},
        {2, 0, 3, 4, false, true, "shared: 3 of 4 cores, which other programs leave idle"},
        {2, 2, 0, 2, false, false, "none: other programs keep all cores busy"},
        {16, 16, 2, 2, false, false, "none: more workers than cores"},
        {2, 5, 2, 2, false, false, "none: the driver has 5 threads for 2 compute units"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        bool share = false;
        char text[MU_PLACEMENT_BYTES] = "";
        const bool one_each =
            mu_placement_decide(table[i].workers, table[i].threads, table[i].idle, table[i].cores, &share, text);
        CHECK(one_each == table[i].one_each && share == table[i].share && strcmp(text, table[i].said) == 0,
              "%u workers, %u threads, %u of %u cores idle: %s", table[i].workers, table[i].threads, table[i].idle,
              table[i].cores, text);
    }
}

/* ---- Real threads ---- */

static int done[2];

static void *wait_for_the_end(void *mask)
{
    char byte;
    while (read(done[0], &byte, 1) > 0) continue;
    sched_getaffinity(0, sizeof(cpu_set_t), mask);
    return NULL;
}

/* As many threads as there are cores. On a machine where another program runs, some of the cores are not idle: then the
 * threads share the others, or none is placed; but never is one left outside what the text says. */
static void check_threads(void)
{
    enum { MOST = 64 };
    static cpu_set_t masks[MOST];
    pthread_t threads[MOST];
    cpu_set_t all, together;
    char text[MU_PLACEMENT_BYTES] = "";
    sched_getaffinity(0, sizeof all, &all);
    const unsigned cores = (unsigned)CPU_COUNT(&all);
    if (cores > MOST || pipe(done) != 0) {
        tap_skip("threads", "there are too many cores for this test");
        return;
    }
    for (unsigned i = 0; i < cores; i++) pthread_create(&threads[i], NULL, wait_for_the_end, &masks[i]);
    const bool one_each = mu_placement_place(cores, text);
    close(done[1]);
    CPU_ZERO(&together);
    unsigned alone = 0, free_to_move = 0;
    for (unsigned i = 0; i < cores; i++) {
        pthread_join(threads[i], NULL);
        CPU_OR(&together, &together, &masks[i]);
        alone += CPU_COUNT(&masks[i]) == 1;
        free_to_move += CPU_EQUAL(&masks[i], &all);
    }
    const unsigned used = (unsigned)CPU_COUNT(&together);
    CHECK(one_each == (strcmp(text, "cores") == 0), "a core each, or not: %s", text);
    if (strcmp(text, "cores") == 0)
        CHECK(alone == cores && used == cores, "%u threads alone on %u cores: %s", alone, used, text);
    else if (strncmp(text, "shared", 6) == 0)
        CHECK(used < cores && free_to_move == 0, "%u threads on %u cores: %s", cores, used, text);
    else
        CHECK(free_to_move == cores, "%u of %u threads may run anywhere: %s", free_to_move, cores, text);
}

/* ---- From core to core ---- */

/* Another program may have one of the cores: then there is no number, and a later try may give one. */
static void check_core_latency(void)
{
    enum { TRIES = 50 };
    cpu_set_t all, one, after;
    double ns = 0;
    bool measured = false;
    sched_getaffinity(0, sizeof all, &all);
    if (CPU_COUNT(&all) > 1) {
        for (int i = 0; i < TRIES && !measured; i++) measured = mu_core_latency(&ns);
        CHECK(measured && ns > 5 && ns < 1e6, "a word goes to another core and back in %.0f ns", ns);
    } else
        tap_skip("a word between cores", "there is one core");
    sched_getaffinity(0, sizeof after, &after);
    CHECK(CPU_EQUAL(&all, &after), "the thread may run where it might before");
    CPU_ZERO(&one);
    for (size_t core = 0; core < CPU_SETSIZE && CPU_COUNT(&one) == 0; core++)
        if (CPU_ISSET(core, &all)) CPU_SET(core, &one);
    sched_setaffinity(0, sizeof one, &one);
    ns = 0;
    CHECK(!mu_core_latency(&ns) && ns == 0, "a single core has no other");
    sched_setaffinity(0, sizeof all, &all);
}

int main(void)
{
    unsetenv("POCL_AFFINITY");
    unsetenv("DPCPP_CPU_CU_AFFINITY");
    unsetenv("DPCPP_CPU_PLACES");
    check_rights();
    check_decisions();
    check_core_latency();
    check_threads();
    return tap_done();
}
