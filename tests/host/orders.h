/* What acquires and releases are needed for, by the thread sanitizer: with the sources as they are it has nothing to
 * report, and with any one of their orders made relaxed it reports a race, or a table says why none can show.
 *
 * Linked with this, a program counts what the sanitizer reports instead of failing. */
#ifndef MU_TESTS_HOST_ORDERS_H
#define MU_TESTS_HOST_ORDERS_H

#include "tests/host/machine.h"

#include <stdbool.h>

#if defined(__SANITIZE_THREAD__)
#define HAVE_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define HAVE_TSAN 1
#endif
#endif

/* Races that the sanitizer has reported so far. */
uint host_races(void);

/* For struct host_machine: an access as host_threads does it, but for the order that is weakened just now. */
uint host_weak_access(const struct host_access *access);

/* A load or a store without any atomic operation, so that the sanitizer judges whether something else orders it. */
uint host_access_plainly(const struct host_access *access);

/* Whether an order is weakened just now. */
bool host_is_weakened(void);

/* An order without which no race shows: in which function, of which subject (NULL: of any), and why that is so. */
struct host_unneeded {
    const char *of, *function;
    enum host_operation operation;
    enum host_order order; /* either half */
    const char *reason;
};

/* What is tried, and how often. */
struct host_orders_test {
    const char *title, *of;                   /* in what is told; in the table */
    uint (*count_races)(const void *subject); /* in one launch */
    const void *subject;
    void (*tell)(bool right, const char *what); /* a result, which is the program's to print */
    const struct host_unneeded *unneeded;       /* ends in a row without a function */
    uint collecting;                            /* launches in which each access is expected to be met once … */
    uint tries, few_tries;                      /* … in which a weakened order must show, or is known not to */
};

/* Weakens each order that is met, in turn, and calls test->tell for each. */
void host_test_orders(const struct host_orders_test *test);

#endif
