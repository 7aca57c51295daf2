#include "variants/launch/cooperative.h"

#include "variants/teams/sync_layout.clh"

#include "variants/cooperative/layout.clh"

size_t mu_cooperative_words(uint32_t groups)
{
    return MU_COOP_WORDS(groups);
}

/* Leaves out the record, which is read only where it was written. */
size_t mu_cooperative_cleared(uint32_t groups)
{
    return MU_COOP_RECORD(groups);
}

int mu_cooperative_tell(struct mu_team_launch *team, struct mu_error *err)
{
    const struct mu_launch *launch = &team->launch;
    team->tells[0] = launch->stress;
    team->tells[1] = launch->resizing == MU_RESIZING_PLAIN;
    if (team->tells[0] == 0 && team->tells[1] == 0) return MU_OK;
    const size_t at = mu_team_launch_set(team) + MU_COOP_SEED(launch->groups);
    const cl_int status = clEnqueueWriteBuffer(team->target->queue, team->sync, CL_FALSE, at * sizeof team->tells[0],
                                               2 * sizeof team->tells[0], team->tells, 0, NULL, NULL);
    return mu_cl_check(status, "what a cooperative kernel is told", err);
}

int mu_cooperative_read(const struct mu_team_launch *team, struct mu_resized *resized, struct mu_error *err)
{
    cl_uint counts[MU_COOP_COUNT_WORDS] = {0};
    const size_t at = mu_team_launch_set(team) + MU_COOP_COUNTS(team->launch.groups);
    const cl_int status = clEnqueueReadBuffer(team->target->queue, team->sync, CL_TRUE, at * sizeof counts[0],
                                              sizeof counts, counts, 0, NULL, NULL);
    if (mu_cl_check(status, "what became of a cooperative team", err) != MU_OK) return err->status;
    resized->barriers += counts[MU_COOP_RESIZED];
    resized->left += counts[MU_COOP_LEFT];
    resized->came += counts[MU_COOP_CAME];
    const uint32_t least = counts[MU_COOP_LEAST];
    if (least != 0 && (resized->least == 0 || least < resized->least)) resized->least = least;
    return MU_OK;
}
