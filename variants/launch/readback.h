/* Words that the host reads behind a launch: a flag of multi-kernel, the report of a team. Either the read is waited
 * for, or the host watches the pinned words in which it lands. */
#ifndef MU_VARIANTS_LAUNCH_READBACK_H
#define MU_VARIANTS_LAUNCH_READBACK_H

#include "records/implementations.h"
#include "variants/launch/opencl.h"

#include <stddef.h>
#include <stdint.h>

/* Words that are read together, at most. */
#define MU_READBACK_WORDS 64

/* How the host reads. MU_READBACK_WORD is to watch mapped memory that the device writes directly. */
struct mu_pinned {
    enum mu_readback kind;
    cl_mem buffer;
    volatile cl_uint *words; /* MU_READBACK_WORDS; NULL: there is none, and the host waits */
};

/* Words of a buffer: at least one. */
struct mu_flags {
    cl_mem buffer;
    size_t first;
    uint32_t count;
};

/* Makes pinned memory. MU_NO_MEMORY, MU_DEVICE. */
int mu_pinned_open(const struct mu_target *target, struct mu_pinned *pinned, struct mu_error *err);
void mu_pinned_close(const struct mu_target *target, struct mu_pinned *pinned);

/* Copies the words behind everything that is in the queue, and returns when they are there. MU_DEVICE. */
int mu_read_back(const struct mu_target *target, const struct mu_pinned *pinned, const struct mu_flags *flags,
                 cl_uint *words, struct mu_error *err);

/* Does the same, but where the host waits, it waits for all that is in the queue, once. The words must stay the
 * driver's to write after a failure. */
int mu_read_last(const struct mu_target *target, const struct mu_pinned *pinned, const struct mu_flags *flags,
                 cl_uint *words, struct mu_error *err);

/* Sets pinned->kind: times both on this device and keeps the faster. MU_NO_MEMORY, MU_DEVICE. */
int mu_readback_choose(const struct mu_target *target, struct mu_pinned *pinned, struct mu_error *err);

#endif
