/* Atomics path of the host: the interface that variants/atomics/c11.clh describes, handed to the machine. Macros, so
 * that an access knows where in the kernel source it stands. */
#ifndef MU_TESTS_HOST_ATOMICS_H
#define MU_TESTS_HOST_ATOMICS_H

#include "tests/host/opencl.h"

#define mu_load_relaxed(p)         HOST_ACCESS(HOST_LOAD, HOST_RELAXED, (p), 0, 0)
#define mu_load_acquire(p)         HOST_ACCESS(HOST_LOAD, HOST_ACQUIRE, (p), 0, 0)
#define mu_store_relaxed(p, value) ((void)HOST_ACCESS(HOST_STORE, HOST_RELAXED, (p), (value), 0))
#define mu_store_release(p, value) ((void)HOST_ACCESS(HOST_STORE, HOST_RELEASE, (p), (value), 0))
#define mu_add_relaxed(p, value)   HOST_ACCESS(HOST_ADD, HOST_RELAXED, (p), (value), 0)
#define mu_add_release(p, value)   HOST_ACCESS(HOST_ADD, HOST_RELEASE, (p), (value), 0)
#define mu_add_acq_rel(p, value)   HOST_ACCESS(HOST_ADD, HOST_ACQ_REL, (p), (value), 0)
#define mu_or_relaxed(p, value)    ((void)HOST_ACCESS(HOST_OR, HOST_RELAXED, (p), (value), 0))
#define mu_compare_exchange(p, expected, desired)                                                                      \
    HOST_ACCESS(HOST_COMPARE_EXCHANGE, HOST_ACQ_REL, (p), (desired), (expected))
#define MU_YIELD_POLLS 1u
#define mu_yield()     host_machine->pause()
#define mu_ticks()     host_machine->ticks()

#endif
