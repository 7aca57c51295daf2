/* harness/device/placement: when the threads of a CPU device's driver are pinned, and what is said of it. */
#include "harness/device/placement.h"
#include "tests/tap.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct mu_device_info gpu = {.compute_units = 1};
static const struct mu_device_info cpu = {.cpu = true, .compute_units = 1};
static const struct mu_device_info crowd = {.cpu = true, .compute_units = 1u << 20};

static void check(uint32_t asked, const struct mu_device_info *info, uint32_t settings, const char *said)
{
    struct mu_settings made = {0};
    char text[MU_PLACEMENT_BYTES];
    mu_placement_choose(asked, info, &made, text);
    CHECK(made.count == settings && strstr(text, said) != NULL, "%u settings: %s", made.count, text);
}

/* In another process, so that this one is not the first. */
static void check_as_second(void)
{
    int ready[2], done[2];
    char byte = 0;
    if (pipe(ready) != 0 || pipe(done) != 0) return;
    const pid_t first = fork();
    if (first == 0) {
        struct mu_settings made = {0};
        char text[MU_PLACEMENT_BYTES];
        mu_placement_choose(MU_PLACEMENT_AUTO, &cpu, &made, text);
        const bool refused = strstr(text, "another process") != NULL;
        if (write(ready[1], &byte, 1) != 1 || close(done[1]) != 0) _exit(2);
        _exit(read(done[0], &byte, 1) == 0 && !refused ? 0 : 1);
    }
    const bool began = read(ready[0], &byte, 1) == 1;
    CHECK(began, "another process places its threads");
    check(MU_PLACEMENT_AUTO, &cpu, 0, "none: another process of muster");
    close(done[1]);
    int status = 0;
    waitpid(first, &status, 0);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the other process was the first");
}

int main(void)
{
    unsetenv("POCL_AFFINITY");
    unsetenv("DPCPP_CPU_CU_AFFINITY");
    check(MU_PLACEMENT_AUTO, &gpu, 0, "none: no threads of the host");
    check(MU_PLACEMENT_NONE, &cpu, 0, "none: asked for");
    check(MU_PLACEMENT_CORES, &crowd, 0, "none: more workers than cores");
    check(MU_PLACEMENT_CORES, &cpu, 2, "cores");
    setenv("POCL_AFFINITY", "0", 1);
    check(MU_PLACEMENT_CORES, &cpu, 1, "cores");
    setenv("DPCPP_CPU_CU_AFFINITY", "close", 1);
    check(MU_PLACEMENT_CORES, &cpu, 0, "none: the user has set it");
    /* Where a campaign runs beside this test, neither process is the first. */
    struct mu_settings made = {0};
    char text[MU_PLACEMENT_BYTES];
    const pid_t probe = fork();
    if (probe == 0) {
        mu_placement_choose(MU_PLACEMENT_AUTO, &cpu, &made, text);
        _exit(strstr(text, "another process") != NULL);
    }
    int status = 1;
    waitpid(probe, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        check_as_second();
    else
        tap_skip("two processes at once", "another process of muster places its threads");
    return tap_done();
}
