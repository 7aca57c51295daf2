/* Variants portable, specialised and cooperative: one launch, and afterwards what the team says of it. */
#include "variants/launch/execution.h"

#include "variants/teams/sync_layout.clh"

/* Returns true if the team's ranks are the numbers that the device gave to its workgroups. */
static bool keeps_ids(const struct mu_build *build, const struct mu_report *report)
{
    if (build->ids == MU_IDS_REMAPPED || build->perturb) return false;
    if (build->variant == MU_SPECIALISED || build->rollcall == MU_ROLLCALL_LOBE) return true;
    return build->rollcall == MU_ROLLCALL_ATOMIC && report->native;
}

int mu_run_persistent(struct mu_execution *execution, uint32_t mode, struct mu_sample *sample, struct mu_error *err)
{
    const struct mu_team_kernel kernel = {execution->kernels[0], execution->argument_count, "the persistent kernel"};
    struct mu_team_launch *team = &execution->team;
    struct mu_team_times times = {0};
    struct mu_report report = {0};
    mu_place_note_persistent(execution->place, sample->launches + 1, team->launch.groups);
    mu_team_launch_go(team, &kernel, mode, &times, &report, err);
    mu_place_leave(execution->place);
    sample->host_ns += times.host_ns;
    sample->device_ns += times.device_ns;
    sample->launches++;
    sample->team = report.team;
    sample->barriers += report.crossed;
    if (execution->build.variant == MU_COOPERATIVE && err->status == MU_OK)
        mu_cooperative_read(team, &sample->resized, err);
    sample->native = keeps_ids(&execution->build, &report);
    if (err->status == MU_OK && mu_team_launch_judge_team(team, &report, err) == MU_OK && mode == 0)
        mu_team_launch_judge_ends(team, &report, err);
    if (err->status == MU_OK && mode == 0 && execution->build.ids == MU_IDS_NATIVE && !sample->native)
        mu_fail(err, MU_UNSUPPORTED,
                "--ids=native: the team of %u was not the groups 0 to %u, so that it could not keep their numbers",
                report.team, report.team - 1);
    if (err->status != MU_OK) mu_team_launch_forget(team);
    return err->status;
}

int mu_execution_check_barriers(const struct mu_execution *execution, const struct mu_sample *sample, uint64_t steps,
                                struct mu_error *err)
{
    if (execution->build.variant == MU_MULTI_KERNEL || steps == 0 || sample->barriers == steps) return MU_OK;
    return mu_fail(err, MU_WRONG,
                   "the result is right, but every rank crossed %llu barriers, and the plan has %llu steps",
                   (unsigned long long)sample->barriers, (unsigned long long)steps);
}
