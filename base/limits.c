#include "base/limits.h"

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

static uint64_t limit_of_a_test;

static uint64_t limit_of_environment(void)
{
    const char *text = getenv("MUSTER_MEMORY_LIMIT");
    if (text == NULL || *text < '0' || *text > '9') return 0;
    char *end;
    unsigned long long mebibytes = strtoull(text, &end, 10);
    if (*end != '\0') return 0;
    return mebibytes > UINT64_MAX >> 20 ? UINT64_MAX : (uint64_t)mebibytes << 20;
}

static uint64_t limit_of_machine(void)
{
    long pages = sysconf(_SC_PHYS_PAGES);
    long page_bytes = sysconf(_SC_PAGESIZE);
    if (pages <= 0 || page_bytes <= 0) return UINT64_C(1) << 32;
    return (uint64_t)pages * (uint64_t)page_bytes / 2;
}

uint64_t mu_memory_limit(void)
{
    if (limit_of_a_test != 0) return limit_of_a_test;
    uint64_t limit = limit_of_environment();
    return limit != 0 ? limit : limit_of_machine();
}

void mu_memory_limit_set(uint64_t bytes)
{
    limit_of_a_test = bytes;
}

int mu_memory_check(uint64_t count, uint64_t element_bytes, const char *what, struct mu_error *err)
{
    uint64_t limit = mu_memory_limit(), bytes;
    if (__builtin_mul_overflow(count, element_bytes, &bytes)) bytes = UINT64_MAX;
    if (bytes <= limit) return MU_OK;
    return mu_fail(err, MU_LIMIT,
                   "%s would take %" PRIu64 " MiB, more than the limit of %" PRIu64
                   " MiB for one input (MUSTER_MEMORY_LIMIT, in MiB, sets another)",
                   what, bytes >> 20, limit >> 20);
}
