#include "harness/device/host/placement.h"

#include <dirent.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

/* Variables by which users tell drivers of CPUs where their threads belong. */
static const char *const told_by_user[] = {"POCL_AFFINITY", "DPCPP_CPU_CU_AFFINITY", "DPCPP_CPU_PLACES"};

/* The number of looks. The machine is quiet when no other thread runs in most of them. */
#define LOOKS        5
#define LOOK_WAIT_NS 1000000

/* The time for which cores are watched if it is not: a core is idle when it was so for most of it. /proc/stat counts in
 * hundredths of a second. If one core is busy, the cores are watched again, so that a program that was about to end
 * does not count. */
#define WINDOW_NS 60000000
#define WINDOWS   2

#define MAX_THREADS 4096

/* Takes a name that only one process of the machine can hold, and that is free again however the process ends: an
 * address in Linux's abstract name space of sockets. Returns true if this process holds it. */
static bool is_first_here(void)
{
    static const char name[] = "muster-placement";
    static int held = -1;
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (held >= 0) return true;
    memcpy(address.sun_path + 1, name, sizeof name - 1);
    const int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return false;
    if (bind(fd, (const struct sockaddr *)&address,
             (socklen_t)(offsetof(struct sockaddr_un, sun_path) + sizeof name)) == 0)
        held = fd;
    else
        close(fd);
    return held >= 0;
}

static bool is_told_by_user(void)
{
    for (size_t i = 0; i < sizeof told_by_user / sizeof told_by_user[0]; i++)
        if (getenv(told_by_user[i]) != NULL) return true;
    return false;
}

bool mu_placement_allow(uint32_t asked, const struct mu_device_info *info, char text[MU_PLACEMENT_BYTES])
{
    const char *reason = NULL;
    if (!info->cpu || info->simulator)
        reason = "no threads of the host";
    else if (asked == MU_PLACEMENT_NONE)
        reason = "asked for";
    else if (is_told_by_user())
        reason = "the user has set it";
    else if (asked == MU_PLACEMENT_AUTO && !is_first_here())
        reason = MU_PLACEMENT_TAKEN;
    snprintf(text, MU_PLACEMENT_BYTES, "%s%s", reason != NULL ? "none: " : "", reason != NULL ? reason : "");
    return reason == NULL;
}

/* ---- Which cores are idle ---- */

/* Counts the threads of the whole system that run or are ready to, this one among them; 0 if the system does not
 * tell. */
static unsigned running_threads(void)
{
    char line[256];
    unsigned running = 0;
    FILE *file = fopen("/proc/stat", "re");
    while (file != NULL && running == 0 && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, "procs_running ", 14) == 0) running = (unsigned)strtoul(line + 14, NULL, 10);
    if (file != NULL) fclose(file);
    return running;
}

static void wait_ns(long ns)
{
    const struct timespec wait = {.tv_nsec = ns};
    nanosleep(&wait, NULL);
}

static bool is_quiet(void)
{
    unsigned busy = 0;
    for (int look = 0; look < LOOKS; look++) {
        busy += running_threads() > 1;
        wait_ns(LOOK_WAIT_NS);
    }
    return busy <= LOOKS / 2;
}

/* The time of each core since the system started: all of it, and that without work. */
struct core_times {
    unsigned long long all[CPU_SETSIZE], idle[CPU_SETSIZE];
};

static void read_core_times(struct core_times *times)
{
    char line[512];
    FILE *file = fopen("/proc/stat", "re");
    memset(times, 0, sizeof *times);
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        char *at = line + 3, *end;
        if (strncmp(line, "cpu", 3) != 0 || *at < '0' || *at > '9') continue;
        const unsigned long core = strtoul(at, &at, 10);
        if (core >= CPU_SETSIZE) continue;
        for (int column = 0; column < 8; column++, at = end) { /* user nice system idle iowait irq softirq steal */
            const unsigned long long ticks = strtoull(at, &end, 10);
            times->all[core] += ticks;
            if (column == 3 || column == 4) times->idle[core] += ticks;
        }
    }
    if (file != NULL) fclose(file);
}

/* Finds the allowed cores that are idle for most of the time from now on. */
static void watch_cores(const cpu_set_t *allowed, cpu_set_t *idle)
{
    struct core_times before, after;
    *idle = *allowed;
    read_core_times(&before);
    wait_ns(WINDOW_NS);
    read_core_times(&after);
    for (size_t core = 0; core < CPU_SETSIZE; core++)
        if (2 * (after.idle[core] - before.idle[core]) < after.all[core] - before.all[core]) CPU_CLR(core, idle);
}

/* Finds the cores, of those that this process may use, on which little else runs. */
static void find_idle(const cpu_set_t *allowed, cpu_set_t *idle)
{
    *idle = *allowed;
    if (is_quiet()) return;
    for (int window = 0; window < WINDOWS; window++) {
        watch_cores(allowed, idle);
        if (CPU_EQUAL(idle, allowed)) return;
    }
}

/* ---- Placing ---- */

/* Lists the threads of this process but the calling one, in the order in which they were made. */
static uint32_t list_threads(pid_t threads[MAX_THREADS])
{
    uint32_t count = 0;
    const struct dirent *entry;
    DIR *folder = opendir("/proc/self/task");
    while (folder != NULL && count < MAX_THREADS && (entry = readdir(folder)) != NULL) {
        const long thread = strtol(entry->d_name, NULL, 10);
        if (thread > 0 && thread != getpid()) threads[count++] = (pid_t)thread;
    }
    if (folder != NULL) closedir(folder);
    return count;
}

bool mu_placement_decide(uint32_t workers, uint32_t threads, uint32_t idle, uint32_t cores, bool *share,
                         char text[MU_PLACEMENT_BYTES])
{
    *share = false;
    if (idle == 0)
        snprintf(text, MU_PLACEMENT_BYTES, "none: other programs keep all cores busy");
    else if (idle < cores && (idle < workers || threads != workers)) {
        *share = true;
        snprintf(text, MU_PLACEMENT_BYTES, "shared: %u of %u cores, which other programs leave idle", idle, cores);
    } else if (workers > cores)
        snprintf(text, MU_PLACEMENT_BYTES, "none: more workers than cores");
    else if (threads != workers)
        snprintf(text, MU_PLACEMENT_BYTES, "none: the driver has %u threads for %u compute units", threads, workers);
    else {
        snprintf(text, MU_PLACEMENT_BYTES, "cores");
        return true;
    }
    return false;
}

bool mu_placement_place(uint32_t workers, char text[MU_PLACEMENT_BYTES])
{
    static pid_t threads[MAX_THREADS];
    cpu_set_t allowed, idle;
    bool share = false;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) {
        snprintf(text, MU_PLACEMENT_BYTES, "none: the system does not tell which cores there are");
        return false;
    }
    find_idle(&allowed, &idle);
    const uint32_t count = list_threads(threads);
    const bool one_each =
        mu_placement_decide(workers, count, (uint32_t)CPU_COUNT(&idle), (uint32_t)CPU_COUNT(&allowed), &share, text);
    if (!one_each && !share) return false;
    size_t core = 0;
    bool placed = sched_setaffinity(0, sizeof idle, &idle) == 0;
    for (uint32_t i = 0; i < count; i++) {
        cpu_set_t own = idle;
        if (one_each) {
            while (!CPU_ISSET(core, &idle)) core++;
            CPU_ZERO(&own);
            CPU_SET(core++, &own);
        }
        placed = sched_setaffinity(threads[i], sizeof own, &own) == 0 && placed;
    }
    if (!placed) snprintf(text, MU_PLACEMENT_BYTES, "none: the system refuses");
    return one_each && placed;
}

bool mu_placement_gather(void)
{
    static pid_t threads[MAX_THREADS];
    cpu_set_t allowed, first;
    size_t core = 0;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return false;
    while (core < CPU_SETSIZE - 1 && !CPU_ISSET(core, &allowed)) core++;
    CPU_ZERO(&first);
    CPU_SET(core, &first);
    bool gathered = sched_setaffinity(0, sizeof first, &first) == 0;
    const uint32_t count = list_threads(threads);
    for (uint32_t i = 0; i < count; i++)
        gathered = sched_setaffinity(threads[i], sizeof first, &first) == 0 && gathered;
    return gathered;
}
