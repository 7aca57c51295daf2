#include "harness/device/host/watchdog.h"

#include "base/number.h"

#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

/* The assumed time limit of kernels on an Nvidia GPU with a display. The driver tells that there is one, but not how
 * long it is. */
#define NVIDIA_MS 5000u

#define LEAST_POLLS UINT32_C(1024)
#define MOST_POLLS  (UINT32_C(1) << 31)

/* Drivers' parameters in milliseconds; 0 is none. In a list the second place is the time of compute queues; a single
 * number is for all. */
static const struct {
    const char *vendor, *files, *name;
} parameters[] = {
    {"Intel", "class/drm/card*/device/tile*/gt*/engines/*/job_timeout_ms", "xe's job_timeout_ms"},
    {"Intel", "class/drm/card*/engine/*/heartbeat_interval_ms", "i915's heartbeat_interval_ms"},
    {"Advanced Micro Devices", "module/amdgpu/parameters/lockup_timeout", "amdgpu's lockup_timeout"},
    {"AMD", "module/amdgpu/parameters/lockup_timeout", "amdgpu's lockup_timeout"},
};

/* Reads the milliseconds in a file; 0 for none. */
static uint32_t read_ms(const char *path)
{
    char text[256] = "", *word = text;
    uint64_t ms = 0;
    FILE *file = fopen(path, "re");
    if (file == NULL) return 0;
    if (fgets(text, sizeof text, file) == NULL) text[0] = '\0';
    fclose(file);
    text[strcspn(text, "\n")] = '\0';
    char *comma = strchr(text, ',');
    if (comma != NULL) word = comma + 1;
    word[strcspn(word, ",")] = '\0';
    return mu_number_whole(word, 0, UINT32_MAX, &ms) ? (uint32_t)ms : 0;
}

/* Returns the shortest time in the files of a pattern; 0 for none. */
static uint32_t shortest(const char *sys, const char *files)
{
    char pattern[PATH_MAX];
    glob_t found = {0};
    uint32_t least = 0;
    const int length = snprintf(pattern, sizeof pattern, "%s/%s", sys, files);
    if (length < 0 || (size_t)length >= sizeof pattern || glob(pattern, 0, NULL, &found) != 0) return 0;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        const uint32_t ms = read_ms(found.gl_pathv[i]);
        if (ms != 0 && (least == 0 || ms < least)) least = ms;
    }
    globfree(&found);
    return least;
}

uint32_t mu_watchdog_find(const char *sys, const struct mu_watched_device *device, char *from, size_t bytes)
{
    uint32_t least = 0;
    from[0] = '\0';
    if (device->nvidia_timeout) {
        least = NVIDIA_MS;
        snprintf(from, bytes, "the driver says that kernels have a time limit, which is some seconds");
    }
    for (size_t i = 0; i < sizeof parameters / sizeof parameters[0]; i++) {
        if (strstr(device->vendor, parameters[i].vendor) == NULL) continue;
        const uint32_t ms = shortest(sys, parameters[i].files);
        if (ms == 0 || (least != 0 && ms >= least)) continue;
        least = ms;
        snprintf(from, bytes, "%s", parameters[i].name);
    }
    return least;
}

uint32_t mu_watchdog_polls(double poll_ns, double seconds, uint32_t watchdog_ms)
{
    const double poll = poll_ns > 0.1 ? poll_ns : 0.1, polls = seconds * 1e9 / poll;
    uint32_t limit = UINT32_C(1) << 16;
    while (limit < polls && limit < MOST_POLLS) limit *= 2;
    if (watchdog_ms == 0) return limit;
    while (limit > LEAST_POLLS && limit * poll > watchdog_ms * 1e6 / 2) limit /= 2;
    return limit;
}
