/* What an OpenCL C compiler knows by itself, for the host's compiler: types, address spaces, functions of work-items,
 * barriers, and the relaxed atomic functions of OpenCL C 1.2. To be included before any kernel source, and after the
 * system's headers. */
#ifndef MU_TESTS_HOST_OPENCL_H
#define MU_TESTS_HOST_OPENCL_H

#include "tests/host/machine.h"

#include <stdbool.h>

_Static_assert(sizeof(uint) == 4 && sizeof(ulong) == 8, "OpenCL's uint and ulong");

typedef struct {
    ulong x, y;
} ulong2;

/* Sources are compiled file by file into many programs: what one does not call is not a mistake. */
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-parameter"

/* NOLINTBEGIN(clang-diagnostic-reserved-macro-identifier): OpenCL C reserves them for itself. */
#define __kernel
#define __global
#define __local
#define __constant const
/* NOLINTEND(clang-diagnostic-reserved-macro-identifier) */

#define CLK_LOCAL_MEM_FENCE  1
#define CLK_GLOBAL_MEM_FENCE 2

/* Launches have one dimension. */
static inline size_t get_local_id(uint dimension)
{
    return dimension == 0 ? host_item->local_id : 0;
}

static inline size_t get_local_size(uint dimension)
{
    return dimension == 0 ? host_item->launch->workgroup : 1;
}

static inline size_t get_group_id(uint dimension)
{
    return dimension == 0 ? host_item->group_id : 0;
}

static inline size_t get_num_groups(uint dimension)
{
    return dimension == 0 ? host_item->launch->groups : 1;
}

static inline size_t get_global_id(uint dimension)
{
    return get_group_id(dimension) * get_local_size(dimension) + get_local_id(dimension);
}

/* Flags and scopes are not told apart: the host's barriers order everything. */
static inline void barrier(uint flags)
{
    (void)flags;
    host_machine->arrive();
    host_machine->wait();
}

static inline void intel_work_group_barrier_arrive(uint flags)
{
    (void)flags;
    host_machine->arrive();
}

static inline void intel_work_group_barrier_wait(uint flags)
{
    (void)flags;
    host_machine->wait();
}

/* For uint and ulong, the types of which the sources that are compiled here use them. */
static inline uint host_min_uint(uint a, uint b)
{
    return a < b ? a : b;
}

static inline ulong host_min_ulong(ulong a, ulong b)
{
    return a < b ? a : b;
}

static inline uint host_max_uint(uint a, uint b)
{
    return a > b ? a : b;
}

static inline ulong host_max_ulong(ulong a, ulong b)
{
    return a > b ? a : b;
}

#define min(a, b) _Generic((a) + (b), uint : host_min_uint, ulong : host_min_ulong)((a), (b))
#define max(a, b) _Generic((a) + (b), uint : host_max_uint, ulong : host_max_ulong)((a), (b))

/* An access at the place where the macro stands. */
#define HOST_ACCESS(operation, order, word, operand, expected)                                                         \
    host_machine->access(&(const struct host_access){(operation), (order), __FILE__, __func__, __LINE__, (word),       \
                                                     (operand), (expected)})

#define atomic_add(word, value)  HOST_ACCESS(HOST_ADD, HOST_RELAXED, (word), (value), 0)
#define atomic_sub(word, value)  HOST_ACCESS(HOST_ADD, HOST_RELAXED, (word), 0u - (value), 0)
#define atomic_inc(word)         HOST_ACCESS(HOST_ADD, HOST_RELAXED, (word), 1u, 0)
#define atomic_dec(word)         HOST_ACCESS(HOST_ADD, HOST_RELAXED, (word), 0u - 1u, 0)
#define atomic_or(word, value)   HOST_ACCESS(HOST_OR, HOST_RELAXED, (word), (value), 0)
#define atomic_min(word, value)  HOST_ACCESS(HOST_MIN, HOST_RELAXED, (word), (value), 0)
#define atomic_max(word, value)  HOST_ACCESS(HOST_MAX, HOST_RELAXED, (word), (value), 0)
#define atomic_xchg(word, value) HOST_ACCESS(HOST_EXCHANGE, HOST_RELAXED, (word), (value), 0)
#define atomic_cmpxchg(word, expected, desired)                                                                        \
    HOST_ACCESS(HOST_COMPARE_EXCHANGE, HOST_RELAXED, (word), (desired), (expected))

#endif
