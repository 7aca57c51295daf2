/* Experiment yield: how often a workgroup that waits on a CPU should give its core away.
 *
 * A barrier round is timed for several numbers of polls between two yields, in two extremes: with the driver's threads
 * on cores of their own, where a yield is a detour, and with all of them on one core, where every poll before the yield
 * keeps the core from the workgroup that is waited for. Machines with other programs on them are somewhere between. */
#include "harness/probe/probe.h"

#include "harness/device/host/placement.h"

static int measure(struct mu_trial *trial, const char *threads, uint32_t polls, uint32_t team, struct mu_error *err)
{
    struct mu_lab *lab = NULL;
    struct mu_json samples = mu_json_array();
    uint32_t rounds = 0;
    if (mu_probe_lab_yielding(trial, polls, &lab, err) == MU_OK)
        mu_probe_time_rounds(trial, lab, team, &rounds, &samples, err);
    mu_lab_close(lab);
    json_t *object =
        json_pack("{s:s, s:I, s:I, s:I, s:o}", "threads", threads, "polls", (json_int_t)polls, "team", (json_int_t)team,
                  "rounds", (json_int_t)rounds, "ns", mu_json_take(&samples, "samples", NULL));
    if (err->status == MU_OK) return mu_trial_add(trial, object, err);
    json_decref(object);
    return err->status;
}

int mu_probe_yield(struct mu_trial *trial, struct mu_error *err)
{
    const uint32_t team = mu_trial_known(trial, "bound"), wide = mu_trial_number(trial, "step");
    const uint32_t step = wide > 1 ? wide : MU_YIELD_STEP;
    if (team < 2) return mu_fail(err, MU_UNSUPPORTED, "a team of %u has nobody to wait for", team);
    for (uint32_t polls = MU_YIELD_LEAST; polls <= MU_YIELD_MOST && err->status == MU_OK; polls *= step)
        measure(trial, "apart", polls, team, err);
    if (err->status != MU_OK || !mu_placement_gather()) return err->status;
    for (uint32_t polls = MU_YIELD_LEAST; polls <= MU_YIELD_MOST && err->status == MU_OK; polls *= step)
        measure(trial, "together", polls, team, err);
    return err->status;
}
