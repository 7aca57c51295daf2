#include "harness/run/reading_progress.h"

#include <stdbool.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define FROM_SECONDS  1.0
#define EVERY_SECONDS 0.5

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

void mu_show_reading(uint64_t bytes, uint64_t all)
{
    static double begun, shown;
    static uint64_t before;
    static bool open;
    const double time = now();
    if (all == 0) {
        if (open) fputc('\n', stderr);
        begun = 0;
        open = false;
        return;
    }
    if (begun == 0 || bytes < before) begun = shown = time;
    before = bytes;
    if (time - begun < FROM_SECONDS || time - shown < EVERY_SECONDS) return;
    shown = time;
    open = isatty(STDERR_FILENO);
    fprintf(stderr, "%smuster: reading: %.0f %% of %.0f MB, %.0f MB/s%s", open ? "\r" : "",
            100 * (double)bytes / (double)all, 1e-6 * (double)all, 1e-6 * (double)bytes / (time - begun),
            open ? " " : "\n");
    fflush(stderr);
}
