/* A few threads for the few loops that need them. Results never depend on how many there are. */
#ifndef MU_INPUTS_PARALLEL_H
#define MU_INPUTS_PARALLEL_H

#include <stdint.h>

#define MU_PARALLEL_MAX 8

/* Called once for each thread from 0 to threads - 1. It must not allocate and cannot fail. */
typedef void mu_parallel_body(void *context, unsigned thread, unsigned threads);

/* Returns the online processors, at most MU_PARALLEL_MAX; or what a test asked for. */
unsigned mu_parallel_threads(void);

/* For tests: the number of threads from now on, at most MU_PARALLEL_MAX; 0 goes back to the online processors. */
void mu_parallel_set_threads(unsigned threads);

/* Runs the body on that many threads, the caller's among them, and waits for all. Where the system gives fewer threads
 * the caller does their share. */
void mu_parallel(unsigned threads, mu_parallel_body *body, void *context);

/* Returns where the part-th of `parts` equal slices of 0 .. count - 1 begins; part == parts gives count. */
static inline uint64_t mu_slice(uint64_t count, unsigned part, unsigned parts)
{
    return count / parts * part + count % parts * part / parts;
}

#endif
