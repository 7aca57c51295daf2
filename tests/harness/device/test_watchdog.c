/* harness/device/host/watchdog: the time after which the system ends a kernel, from parameters of drivers in a folder
 * as /sys has them; and the bound of waits that follows. */
#include "harness/device/host/watchdog.h"

#include "tests/tap.h"

#include <unistd.h>

#define XE   "class/drm/card0/device/tile0/gt0/engines/ccs"
#define I915 "class/drm/card1/engine/rcs0"
#define AMD  "module/amdgpu/parameters"

static const struct {
    const char *what, *vendor, *folder, *file, *text;
    bool nvidia;
    uint32_t ms;
} rows[] = {
    {"nothing is told", "Intel(R) Corporation", AMD, "other", "1\n", false, 0},
    {"xe's", "Intel(R) Corporation", XE, "job_timeout_ms", "5000\n", false, 5000},
    {"i915's", "Intel(R) Corporation", I915, "heartbeat_interval_ms", "2500\n", false, 2500},
    {"i915's is off", "Intel(R) Corporation", I915, "heartbeat_interval_ms", "0\n", false, 0},
    {"amdgpu's, one for all", "Advanced Micro Devices, Inc.", AMD, "lockup_timeout", "10000\n", false, 10000},
    {"amdgpu's, of compute", "AMD", AMD, "lockup_timeout", "10000,60000,10000,10000\n", false, 60000},
    {"amdgpu's default is not told", "AMD", AMD, "lockup_timeout", "\n", false, 0},
    {"amdgpu's is off", "AMD", AMD, "lockup_timeout", "-1\n", false, 0},
    {"amdgpu's is no number", "AMD", AMD, "lockup_timeout", "soon,later\n", false, 0},
    {"another vendor's", "NVIDIA Corporation", I915, "heartbeat_interval_ms", "2500\n", false, 0},
    {"Nvidia's", "NVIDIA Corporation", AMD, "lockup_timeout", "10\n", true, 5000},
    {"a file is a folder", "AMD", AMD "/lockup_timeout", "x", "1\n", false, 0},
};

static void run(const char *command)
{
    if (system(command) != 0) printf("# failed: %s\n", command);
}

static void make_file(const char *sys, const char *folder, const char *file, const char *text)
{
    char name[256];
    snprintf(name, sizeof name, "mkdir -p %s/%s", sys, folder);
    run(name);
    snprintf(name, sizeof name, "%s/%s/%s", sys, folder, file);
    FILE *to = fopen(name, "w");
    if (to == NULL) return;
    fputs(text, to);
    fclose(to);
}

static void test_find(const char *sys, const char *remove)
{
    char from[160];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct mu_watched_device device = {rows[i].vendor, rows[i].nvidia};
        make_file(sys, rows[i].folder, rows[i].file, rows[i].text);
        const uint32_t ms = mu_watchdog_find(sys, &device, from, sizeof from);
        CHECK(ms == rows[i].ms && (from[0] != '\0') == (ms != 0), "%s: %u ms (%s)", rows[i].what, ms, from);
        run(remove);
    }
    const struct mu_watched_device intel = {"Intel(R) Corporation", false};
    make_file(sys, XE, "job_timeout_ms", "5000\n");
    make_file(sys, "class/drm/card2/device/tile0/gt0/engines/bcs", "job_timeout_ms", "3000\n");
    CHECK(mu_watchdog_find(sys, &intel, from, sizeof from) == 3000, "of several the shortest: %s", from);
    run(remove);
}

/* A wait ends before the watchdog, and its bound is a power of two, since it is part of programs. */
static void test_polls(void)
{
    static const double polls_ns[] = {0.5, 1.5, 5, 15, 50, 150, 500, 1500};
    CHECK(mu_watchdog_polls(4, 4, 0) == UINT32_C(1) << 30,
          "without a watchdog the first power of four seconds or more");
    for (size_t i = 0; i < sizeof polls_ns / sizeof polls_ns[0]; i++)
        for (uint32_t ms = 500; ms < 100000; ms *= 3) {
            const double poll_ns = polls_ns[i];
            const uint32_t free = mu_watchdog_polls(poll_ns, 4, 0), polls = mu_watchdog_polls(poll_ns, 4, ms);
            CHECK((polls & (polls - 1)) == 0 && polls <= free && polls * poll_ns <= ms * 1e6 / 2 &&
                      (polls == free || polls * 2 * poll_ns > ms * 1e6 / 2),
                  "%g ns, %u ms: %u polls of %u", poll_ns, ms, polls, free);
        }
}

int main(void)
{
    char sys[] = "/tmp/muster-sys-XXXXXX", command[80];
    if (mkdtemp(sys) == NULL) return 99;
    snprintf(command, sizeof command, "rm -rf %s/class %s/module", sys, sys);
    test_find(sys, command);
    test_polls();
    CHECK(rmdir(sys) == 0, "nothing is left");
    return tap_done();
}
