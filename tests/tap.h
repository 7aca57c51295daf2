/* Test Anything Protocol for the C tests: CHECK lines, SKIP lines with their reason, and a plan at the end.
 *
 *     int main(void) { CHECK(1 + 1 == 2, "sums"); return tap_done(); }
 */
#ifndef MU_TESTS_TAP_H
#define MU_TESTS_TAP_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int tap_count, tap_failures, tap_left_out;

__attribute__((format(printf, 4, 5))) static inline bool tap_check(bool passed, const char *file, int line,
                                                                   const char *format, ...)
{
    char name[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(name, sizeof name, format, arguments);
    va_end(arguments);
    printf("%sok %d - %s\n", passed ? "" : "not ", ++tap_count, name);
    if (!passed) {
        tap_failures++;
        printf("# failed at %s:%d\n", file, line);
    }
    fflush(stdout);
    return passed;
}

/* CHECK(condition, "what is right", …): one TAP line; the value is the condition's. */
#define CHECK(condition, ...) tap_check((condition), __FILE__, __LINE__, __VA_ARGS__)

static inline void tap_skip(const char *name, const char *reason)
{
    printf("ok %d - %s # SKIP %s\n", ++tap_count, name, reason);
    fflush(stdout);
}

/* As in_full of tests/tap.inc: true in `make check-long`; in `make check` a check is left out of the sample, and
 * counted. */
static inline bool tap_in_full(void)
{
    const char *extent = getenv("MU_EXTENT");
    const bool all = extent != NULL && strcmp(extent, "all") == 0;
    tap_left_out += !all;
    return all;
}

/* Prints the plan; the exit code of main. */
static inline int tap_done(void)
{
    if (tap_left_out > 0) printf("# left out: %d\n", tap_left_out);
    printf("1..%d\n", tap_count);
    return tap_failures == 0 ? 0 : 1;
}

#endif
