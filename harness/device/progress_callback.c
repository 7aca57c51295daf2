#include "harness/device/progress_callback.h"

#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

static void show_line(void *nothing, const char *doing, double seconds)
{
    (void)nothing;
    if (!isatty(STDERR_FILENO)) return;
    fputs("\r\033[K", stderr);
    if (doing != NULL) fprintf(stderr, "muster: %.0f s of %s", seconds, doing);
    fflush(stderr);
}

const struct mu_progress_callback mu_progress_callback_line = {show_line, NULL};
