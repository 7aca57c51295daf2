#include "harness/device/placement.h"

#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

/* What drivers of CPUs read, whatever they are called: a driver ignores the variables of another. */
static const struct {
    const char *name, *value;
} pinning[] = {
    {"POCL_AFFINITY", "1"},
    {"DPCPP_CPU_CU_AFFINITY", "spread"},
};

/* Looks at the system within some milliseconds; a stranger is somebody who runs in most of them. */
#define LOOKS        5
#define LOOK_WAIT_NS 1000000

/* A name that one process of the machine can hold, and that is free again when it ends, however that happens: an
 * address in Linux's abstract name space of sockets. */
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

/* How many threads of the whole system are running or ready to, this one among them; 0 where nobody knows. */
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

static bool is_quiet(void)
{
    unsigned busy = 0;
    for (int look = 0; look < LOOKS; look++) {
        const struct timespec wait = {.tv_nsec = LOOK_WAIT_NS};
        busy += running_threads() > 1;
        nanosleep(&wait, NULL);
    }
    return busy <= LOOKS / 2;
}

/* Drivers count cores from the first of the machine, whichever this process may use. */
static bool may_use_all_cores(uint32_t workers)
{
    cpu_set_t cores;
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    if (sched_getaffinity(0, sizeof cores, &cores) != 0) return false;
    return CPU_COUNT(&cores) == online && workers <= (uint32_t)online;
}

void mu_placement_choose(uint32_t asked, const struct mu_device_info *info, struct mu_settings *settings,
                         char text[MU_PLACEMENT_BYTES])
{
    const char *reason = NULL;
    bool set = false;
    if (!info->cpu || info->simulator)
        reason = "no threads of the host";
    else if (asked == MU_PLACEMENT_NONE)
        reason = "asked for";
    else if (!may_use_all_cores(info->compute_units))
        reason = "more workers than cores, or cores that this process may not use";
    else if (asked == MU_PLACEMENT_AUTO && !is_first_here())
        reason = "another process of muster places its threads";
    else if (asked == MU_PLACEMENT_AUTO && !is_quiet())
        reason = "other programs are running";
    for (size_t i = 0; reason == NULL && i < sizeof pinning / sizeof pinning[0]; i++)
        set = mu_settings_add(settings, pinning[i].name, pinning[i].value) || set;
    if (reason == NULL && !set) reason = "the user has set it";
    snprintf(text, MU_PLACEMENT_BYTES, "%s%s", reason != NULL ? "none: " : "cores", reason != NULL ? reason : "");
}
