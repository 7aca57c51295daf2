/* An OpenCL driver that is no good, for tests/deadlock.sh: with ABORT or HANG it takes down or holds up the loader that
 * asks it for platforms; with CRASH_LATER it shows a platform, and crashes when asked for its devices; with COUNTED it
 * has no platform, and each process that loads it adds a byte to the file $LOADS. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef int (*function)(void);

static struct platform {
    function *functions;
} platform;

static int crash(void)
{
    abort();
}

static int get_platform_info(void *of, unsigned what, size_t bytes, void *value, size_t *length)
{
    static const char text[] = "OpenCL 1.2 cl_khr_icd";
    (void)of;
    (void)what;
    if (value != NULL && bytes >= sizeof text) memcpy(value, text, sizeof text);
    if (length != NULL) *length = sizeof text;
    return 0;
}

static int get_platforms(unsigned room, struct platform **platforms, unsigned *count)
{
#ifdef ABORT
    abort();
#endif
#ifdef HANG
    for (;;) pause();
#endif
#ifdef COUNTED
    if (count != NULL) *count = 0;
    return -1001;
#endif
    if (room > 0 && platforms != NULL) *platforms = &platform;
    if (count != NULL) *count = 1;
    return 0;
}

/* The dispatch table of cl_khr_icd: its second entry is clGetPlatformInfo. */
__attribute__((constructor)) static void fill_table(void)
{
    static function functions[256];
    for (int i = 0; i < 256; i++) functions[i] = crash;
    functions[1] = (function)get_platform_info;
    platform.functions = functions;
#ifdef COUNTED
    FILE *file = fopen(getenv("LOADS"), "a");
    if (file == NULL || fputc('.', file) == EOF || fclose(file) != 0) abort();
#endif
}

void *clGetExtensionFunctionAddress(const char *name)
{
    if (strcmp(name, "clIcdGetPlatformIDsKHR") == 0) return (void *)get_platforms;
    if (strcmp(name, "clGetPlatformInfo") == 0) return (void *)get_platform_info;
    return NULL;
}
