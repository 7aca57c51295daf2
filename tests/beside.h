/* Tests that mostly wait, side by side: each in a process of its own, whose TAP lines are told in the order of the
 * tests. */
#ifndef MU_TESTS_BESIDE_H
#define MU_TESTS_BESIDE_H

#include "tests/tap.h"

#include <sys/wait.h>
#include <unistd.h>

struct beside {
    pid_t process;
    FILE *lines; /* what it writes */
};

/* Starts the test in a process of its own. Returns whether there is one. */
static inline bool beside_begin(void (*test)(void), struct beside *beside)
{
    int ends[2];
    fflush(stdout);
    if (pipe(ends) != 0) return false;
    beside->process = fork();
    if (beside->process == 0) {
        close(ends[0]);
        if (dup2(ends[1], STDOUT_FILENO) < 0) exit(99);
        close(ends[1]);
        test();
        exit(0);
    }
    close(ends[1]);
    beside->lines = fdopen(ends[0], "r");
    return beside->process > 0 && beside->lines != NULL;
}

/* Prints the test's lines, with numbers that go on from those before, and waits for its end. */
static inline void beside_end(struct beside *beside)
{
    char line[1024];
    int status = 0;
    while (fgets(line, sizeof line, beside->lines) != NULL) {
        const char *title = strstr(line, " - ");
        const bool passed = strncmp(line, "ok ", 3) == 0, failed = strncmp(line, "not ok ", 7) == 0;
        tap_failures += failed;
        if ((passed || failed) && title != NULL)
            printf("%sok %d%s", failed ? "not " : "", ++tap_count, title);
        else
            fputs(line, stdout);
    }
    fclose(beside->lines);
    if (waitpid(beside->process, &status, 0) != beside->process || status != 0)
        CHECK(false, "a test ended with status %d", status);
}

/* Runs all tests side by side. Returns the exit code of main. */
static inline int beside_run(void (*const tests[])(void), size_t count)
{
    struct beside *all = calloc(count, sizeof *all);
    for (size_t i = 0; i < count; i++)
        if (all == NULL || !beside_begin(tests[i], &all[i])) {
            puts("Bail out! no process for a test");
            free(all);
            return 99;
        }
    for (size_t i = 0; i < count; i++) beside_end(&all[i]);
    free(all);
    return tap_done();
}

#endif
