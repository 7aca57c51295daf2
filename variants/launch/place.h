/* Where an execution is, in memory that outlives its process: what the parent says of a process that it had to kill.
 * Only the host knows the step, and only in multi-kernel; a persistent kernel's steps are the device's, and the host
 * knows how many workgroups it has launched. */
#ifndef MU_VARIANTS_LAUNCH_PLACE_H
#define MU_VARIANTS_LAUNCH_PLACE_H

#include <stdint.h>
#include <string.h>

struct mu_place {
    volatile uint32_t launch; /* the last launch of the present execution, from 1; 0 outside of one */
    uint32_t groups;          /* of a persistent kernel: its workgroups; else 0 */
    char step[64];            /* its step; of a persistent kernel empty */
};

/* Notes a launch, before it and within what is timed: it costs some nanoseconds. The place may be NULL. */
static inline void mu_place_note(struct mu_place *place, uint64_t launch, const char *step)
{
    if (place == NULL) return;
    strncpy(place->step, step, sizeof place->step - 1);
    place->groups = 0;
    place->launch = (uint32_t)launch;
}

/* Does the same before each launch of a persistent kernel. */
static inline void mu_place_note_persistent(struct mu_place *place, uint64_t launch, uint32_t groups)
{
    if (place == NULL) return;
    place->step[0] = '\0';
    place->groups = groups;
    place->launch = (uint32_t)launch;
}

/* Notes that the execution has come to its end. */
static inline void mu_place_leave(struct mu_place *place)
{
    if (place != NULL) place->launch = 0;
}

#endif
