/* Plain accesses of the kernel sources, for the exploring machine. The compiler puts a call before each of them where
 * it is told to instrument for the thread sanitizer; here are the functions that it calls, in place of the sanitizer's.
 */
#include "tests/host/run.h"

#include <string.h>

/* NOLINTBEGIN(clang-diagnostic-reserved-identifier): the sanitizer's own names. */
#define PLAIN(name, size, writes)                                                                                      \
    void __tsan_##name(void *address);                                                                                 \
    void __tsan_##name(void *address)                                                                                  \
    {                                                                                                                  \
        run_plain(address, size, writes);                                                                              \
    }

PLAIN(read1, 1, false)
PLAIN(read2, 2, false)
PLAIN(read4, 4, false)
PLAIN(read8, 8, false)
PLAIN(read16, 16, false)
PLAIN(write1, 1, true)
PLAIN(write2, 2, true)
PLAIN(write4, 4, true)
PLAIN(write8, 8, true)
PLAIN(write16, 16, true)
PLAIN(unaligned_read2, 2, false)
PLAIN(unaligned_read4, 4, false)
PLAIN(unaligned_read8, 8, false)
PLAIN(unaligned_read16, 16, false)
PLAIN(unaligned_write2, 2, true)
PLAIN(unaligned_write4, 4, true)
PLAIN(unaligned_write8, 8, true)
PLAIN(unaligned_write16, 16, true)

void __tsan_read_range(void *address, unsigned long size);
void __tsan_read_range(void *address, unsigned long size)
{
    run_plain(address, size, false);
}

void __tsan_write_range(void *address, unsigned long size);
void __tsan_write_range(void *address, unsigned long size)
{
    run_plain(address, size, true);
}

/* Clang's, in the place of the C library's. */
void *__tsan_memset(void *to, int value, size_t size);
void *__tsan_memset(void *to, int value, size_t size)
{
    run_plain(to, size, true);
    return memset(to, value, size);
}

void *__tsan_memcpy(void *to, const void *from, size_t size);
void *__tsan_memcpy(void *to, const void *from, size_t size)
{
    run_plain(from, size, false);
    run_plain(to, size, true);
    return memcpy(to, from, size);
}

void __tsan_init(void);
void __tsan_init(void) {}

void __tsan_func_entry(void *caller);
void __tsan_func_entry(void *caller)
{
    (void)caller;
}

void __tsan_func_exit(void *unused);
void __tsan_func_exit(void *unused)
{
    (void)unused;
}
/* NOLINTEND(clang-diagnostic-reserved-identifier) */
