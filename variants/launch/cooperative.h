/* The host's side of variant cooperative: the words of variants/cooperative/layout.clh. */
#ifndef MU_VARIANTS_LAUNCH_COOPERATIVE_H
#define MU_VARIANTS_LAUNCH_COOPERATIVE_H

#include "variants/launch/team_launch.h"

#include <stddef.h>

/* What became of the team in a launch. */
struct mu_resized {
    uint32_t barriers; /* that changed its size */
    uint32_t left, came;
    uint32_t least; /* the smallest team; 0 where the size never changed */
};

/* Return the words of the synchronisation buffer for a launch of so many groups, those of all variants included; and
 * how many of them must be cleared before it. */
size_t mu_cooperative_words(uint32_t groups);
size_t mu_cooperative_cleared(uint32_t groups);

/* Enqueues what the kernel is told, behind the clearing. MU_DEVICE. */
int mu_cooperative_tell(struct mu_team_launch *team, struct mu_error *err);

/* Reads what became of the team, and adds to *resized. MU_DEVICE. */
int mu_cooperative_read(const struct mu_team_launch *team, struct mu_resized *resized, struct mu_error *err);

#endif
