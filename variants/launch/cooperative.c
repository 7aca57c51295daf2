#include "variants/launch/cooperative.h"

#include "variants/teams/sync_layout.clh"

#include "variants/cooperative/layout.clh"

size_t mu_cooperative_words(uint32_t groups)
{
    return MU_COOP_WORDS(groups);
}

/* The record is read only where it was written. */
size_t mu_cooperative_cleared(uint32_t groups)
{
    return MU_COOP_RECORD(groups);
}

int mu_cooperative_tell(const struct mu_team_launch *team, struct mu_error *err)
{
    const struct mu_launch *launch = &team->launch;
    const cl_uint told[] = {launch->stress, launch->resizing == MU_RESIZING_PLAIN};
    if (launch->stress == 0 && told[1] == 0) return MU_OK;
    const cl_int status =
        clEnqueueWriteBuffer(team->target->queue, team->sync, CL_TRUE, MU_COOP_SEED(launch->groups) * sizeof told[0],
                             sizeof told, told, 0, NULL, NULL);
    return mu_cl_check(status, "what a cooperative kernel is told", err);
}

int mu_cooperative_read(const struct mu_team_launch *team, struct mu_resized *resized, struct mu_error *err)
{
    cl_uint counts[MU_COOP_COUNT_WORDS] = {0};
    const cl_int status = clEnqueueReadBuffer(team->target->queue, team->sync, CL_TRUE,
                                              MU_COOP_COUNTS(team->launch.groups) * sizeof counts[0], sizeof counts,
                                              counts, 0, NULL, NULL);
    if (mu_cl_check(status, "what became of a cooperative team", err) != MU_OK) return err->status;
    resized->barriers += counts[MU_COOP_RESIZED];
    resized->left += counts[MU_COOP_LEFT];
    resized->came += counts[MU_COOP_CAME];
    const uint32_t least = counts[MU_COOP_LEAST];
    if (least != 0 && (resized->least == 0 || least < resized->least)) resized->least = least;
    return MU_OK;
}
