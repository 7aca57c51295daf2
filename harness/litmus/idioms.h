/* Idioms in use, as programs whose result is checked: what each works on, and its right result. Nothing here needs a
 * device. The kernels are in harness/litmus/idioms.cl. */
#ifndef MU_HARNESS_LITMUS_IDIOMS_H
#define MU_HARNESS_LITMUS_IDIOMS_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The buffers of a kernel, in the order of its arguments. */
enum { MU_IDIOM_IN, MU_IDIOM_FIRST, MU_IDIOM_STATE, MU_IDIOM_OUT, MU_IDIOM_BUFFERS };

/* One of many launches in which no group waits: its step, and its number of groups. */
struct mu_idiom_launch {
    uint32_t step, groups;
};

struct mu_idiom_work {
    uint32_t parts, workgroup;         /* a group for each part */
    uint32_t *words[MU_IDIOM_BUFFERS]; /* what the buffers hold before */
    size_t counts[MU_IDIOM_BUFFERS];
    uint32_t *expected; /* what MU_IDIOM_OUT holds behind */
    struct mu_idiom_launch *launches;
    size_t launch_count; /* 0: there is no form without waits */
};

struct mu_used_idiom {
    const char *name, *kernel;
    int (*make)(struct mu_idiom_work *work, struct mu_error *err);
    bool of_ids; /* nobody waits: what matters is how near to each other the numbers of groups are */
};
extern const struct mu_used_idiom mu_used_idioms[]; /* ends in a row without a name */

/* Returns the idiom of that name, or NULL. */
const struct mu_used_idiom *mu_idiom_find(const char *name);

/* Makes the work of an idiom for so many groups, fewer than 2^24. It is the caller's to free, also after a failure.
 * MU_NO_MEMORY, MU_LIMIT. */
int mu_idiom_make(const struct mu_used_idiom *idiom, uint32_t parts, uint32_t workgroup, struct mu_idiom_work *work,
                  struct mu_error *err);
void mu_idiom_free(struct mu_idiom_work *work);

#endif
