/* Work queues, the host's side: their kinds, the sources of a kind, and the words that a launch begins with. The
 * kernel's side is variants/queues/queue.clh. */
#ifndef MU_VARIANTS_LAUNCH_QUEUE_H
#define MU_VARIANTS_LAUNCH_QUEUE_H

#include "base/choice.h"
#include "base/error.h"
#include "variants/launch/opencl.h"
#include "variants/variant.h"

#include <stddef.h>
#include <stdint.h>

enum mu_queue_kind { MU_QUEUE_LOCKED, MU_QUEUE_RING, MU_QUEUE_STEAL };
extern const struct mu_choice mu_queue_kinds[]; /* by the enum; ended by a row without a name */

/* A queue of a launch. steal has a ring for each group that is launched. */
struct mu_queue_shape {
    uint32_t rings;
    uint32_t slots; /* of each ring: a power of two, 2 at least */
};

/* Adds the sources of a kind of queue, behind variants/teams/spin.clh. MU_IO, MU_NO_MEMORY. */
int mu_sources_add_queue(struct mu_sources *sources, enum mu_queue_kind kind, const char *kernel_dir,
                         struct mu_error *err);

/* Fails with MU_LIMIT for a queue without rings or of more than 2^30 words. */
int mu_queue_check(const struct mu_queue_shape *shape, struct mu_error *err);

/* Makes the words of a queue in which `count` items lie already, dealt to the rings in turn; mu_free. *words gets how
 * many they are. MU_LIMIT as of mu_queue_check, and for items for which the rings have no room; MU_NO_MEMORY. */
uint32_t *mu_queue_words(const struct mu_queue_shape *shape, const uint32_t *items, uint32_t count, size_t *words,
                         struct mu_error *err);

/* Returns the least power of two that is not below `items`; 2 at least, 2^31 at most. */
uint32_t mu_queue_slots(uint64_t items);

#endif
