#include "base/limits.h"

#include "base/memory.h"
#include "base/number.h"

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

static uint64_t limit; /* 0: not known yet */

static uint64_t limit_of_machine(void)
{
    long pages = sysconf(_SC_PHYS_PAGES);
    long page_bytes = sysconf(_SC_PAGESIZE);
    if (pages <= 0 || page_bytes <= 0) return UINT64_C(1) << 32;
    return (uint64_t)pages * (uint64_t)page_bytes / 2;
}

/* Reads MUSTER_MEMORY_LIMIT. A value that cannot be read is MU_USAGE, since ignoring it would exceed the limit that the
 * user wants. */
static int limit_of_environment(uint64_t *bytes, struct mu_error *err)
{
    const char *text = getenv("MUSTER_MEMORY_LIMIT");
    uint64_t mebibytes = 0;
    if (text == NULL || text[0] == '\0') return MU_OK;
    if (!mu_number_whole(text, 1, UINT64_MAX, &mebibytes))
        return mu_fail(err, MU_USAGE, "MUSTER_MEMORY_LIMIT=%.80s: not a whole number of MiB from 1 on", text);
    *bytes = mebibytes > UINT64_MAX >> 20 ? UINT64_MAX : mebibytes << 20;
    return MU_OK;
}

uint64_t mu_memory_limit(void)
{
    if (limit == 0 && limit_of_environment(&limit, NULL) != MU_OK) limit = 0;
    if (limit == 0) limit = limit_of_machine();
    return limit;
}

void mu_memory_limit_set(uint64_t bytes)
{
    limit = bytes;
}

static int judge(uint64_t in_use, uint64_t bytes, const char *what, struct mu_error *err)
{
    if (bytes <= mu_memory_limit() && in_use <= mu_memory_limit() - bytes) return MU_OK;
    return mu_fail(err, MU_LIMIT,
                   "%s would take %" PRIu64 " MiB beside %" PRIu64 " MiB in use, more than the limit of %" PRIu64
                   " MiB for one input (MUSTER_MEMORY_LIMIT, in MiB, sets another)",
                   what, bytes >> 20, in_use >> 20, mu_memory_limit() >> 20);
}

int mu_memory_enforce(struct mu_error *err)
{
    uint64_t bytes = 0;
    if (limit_of_environment(&bytes, err) != MU_OK) return err->status;
    mu_memory_set_judge(judge);
    return MU_OK;
}

int mu_memory_check(uint64_t count, uint64_t element_bytes, const char *what, struct mu_error *err)
{
    uint64_t bytes;
    if (__builtin_mul_overflow(count, element_bytes, &bytes)) bytes = UINT64_MAX;
    return judge(mu_memory_in_use(), bytes, what, err);
}
