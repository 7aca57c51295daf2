/* Results of tests as JUnit's XML, which continuous integration reads.
 *
 *     struct mu_junit junit = {0};
 *     mu_junit_add(&junit, &(struct mu_junit_case){.suite = "h200.lonestar.bfs", .name = "road:300 portable", …});
 *     mu_junit_write(&junit, "muster bench", "report.xml", &err);
 *     mu_junit_release(&junit);
 */
#ifndef MU_BASE_USER_JUNIT_H
#define MU_BASE_USER_JUNIT_H

#include "base/error.h"

#include <stddef.h>

enum mu_junit_result {
    MU_JUNIT_PASSED,
    MU_JUNIT_FAILURE, /* what was tested is not as it should be */
    MU_JUNIT_ERROR,   /* it could not be tested to its end */
    MU_JUNIT_SKIPPED, /* it could not be tested here at all */
    MU_JUNIT_RESULTS
};

struct mu_junit_case {
    const char *suite, *name; /* JUnit's class and test */
    double seconds;           /* 0: not known */
    enum mu_junit_result result;
    const char *message; /* why it did not pass; may be NULL */
};

struct mu_junit {
    char *cases; /* XML so far */
    size_t bytes, room, counts[MU_JUNIT_RESULTS];
    struct mu_error err; /* out of memory */
};

/* Adds a test. Characters that XML cannot hold become '?'. */
void mu_junit_add(struct mu_junit *junit, const struct mu_junit_case *test);

/* Writes the file at `path`. Fails with MU_IO or MU_NO_MEMORY. */
int mu_junit_write(const struct mu_junit *junit, const char *title, const char *path, struct mu_error *err);

/* Releases the report; accepts zeros. */
void mu_junit_release(struct mu_junit *junit);

#endif
