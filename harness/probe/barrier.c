/* What rounds of barriers cost.
 *
 * Experiment barrier: a round of each barrier, by team size.
 *
 * Experiment yield: how often a workgroup that waits on a CPU should give its core away. A round is timed for several
 * numbers of polls between two yields, in two extremes. With the driver's threads on cores of their own a yield is a
 * detour. With all of them on one core every poll before the yield keeps the core from the workgroup that is waited
 * for. Machines with other programs on them are somewhere between. */
#include "harness/probe/probe.h"

#include "harness/device/host/placement.h"
#include "harness/device/launch_defaults.h"
#include "variants/variant.h"

#define REPEATS    7
#define MIN_ROUNDS 4
#define MAX_ROUNDS 65536
#define SAMPLE_NS  UINT64_C(10000000) /* a sample should take about so long */
#define MAX_TEAMS  8

static int time_rounds(struct mu_trial *trial, struct mu_lab *lab, uint32_t team, uint32_t rounds, uint64_t *ns,
                       struct mu_error *err)
{
    const struct mu_lab_run run = {.groups = team, .rounds = rounds};
    struct mu_lab_result result;
    if (mu_lab_run(lab, &run, &result, err) != MU_OK) return err->status;
    if (result.verdict != MU_LAB_COMPLETED)
        return mu_fail(err, MU_DEADLOCK, "barriers among %u workgroups: %s", team, result.report);
    *ns = mu_probe_ns(trial, result.device_ns, result.host_ns);
    return MU_OK;
}

/* Chooses so many rounds that a sample takes about SAMPLE_NS, at most MAX_ROUNDS. The quicker of two runs decides: on a
 * busy machine a suspended thread makes four rounds as long as thousands. */
static int choose_rounds(struct mu_trial *trial, struct mu_lab *lab, uint32_t team, uint32_t *rounds,
                         struct mu_error *err)
{
    for (*rounds = MIN_ROUNDS; *rounds < MAX_ROUNDS && err->status == MU_OK; *rounds *= 2) {
        uint64_t ns = 0, again = 0;
        if (time_rounds(trial, lab, team, *rounds, &ns, err) != MU_OK) break;
        if (ns >= SAMPLE_NS / 2 && time_rounds(trial, lab, team, *rounds, &again, err) == MU_OK &&
            again >= SAMPLE_NS / 2)
            break;
    }
    return err->status;
}

int mu_probe_time_rounds(struct mu_trial *trial, struct mu_lab *lab, uint32_t team, uint32_t *rounds,
                         struct mu_json *samples, struct mu_error *err)
{
    uint64_t ns = 0, one = UINT64_MAX;
    choose_rounds(trial, lab, team, rounds, err);
    for (int i = 0; i < REPEATS && err->status == MU_OK; i++)
        if (time_rounds(trial, lab, team, 1, &ns, err) == MU_OK && ns < one) one = ns;
    for (int i = 0; i < REPEATS && err->status == MU_OK; i++)
        if (time_rounds(trial, lab, team, 1 + *rounds, &ns, err) == MU_OK)
            mu_json_append_real(samples, (double)(ns > one ? ns - one : ns) / *rounds);
    return err->status;
}

static int measure(struct mu_trial *trial, struct mu_lab *lab, int barrier, uint32_t team, struct mu_error *err)
{
    uint32_t rounds = 0;
    struct mu_json samples = mu_json_array();
    mu_probe_time_rounds(trial, lab, team, &rounds, &samples, err);
    json_t *object = json_pack("{s:s, s:I, s:I, s:o}", "barrier", mu_barriers[barrier].name, "team", (json_int_t)team,
                               "rounds", (json_int_t)rounds, "ns", mu_json_take(&samples, "samples", NULL));
    if (err->status == MU_OK) return mu_trial_add(trial, object, err);
    json_decref(object);
    return err->status;
}

/* Lists teams: full occupancy, and one, two, four … groups for each compute unit below it. */
static uint32_t list_teams(const struct mu_trial *trial, uint32_t bound, uint32_t teams[MAX_TEAMS])
{
    uint32_t count = 0;
    const uint32_t units = mu_device_units(&trial->info);
    for (uint32_t team = units; team < bound && count + 1 < MAX_TEAMS; team *= 2) teams[count++] = team;
    teams[count++] = bound;
    return count;
}

int mu_probe_barrier(struct mu_trial *trial, struct mu_error *err)
{
    uint32_t teams[MAX_TEAMS];
    const uint32_t bound = mu_trial_known(trial, "bound");
    if (bound == 0) return mu_fail(err, MU_UNSUPPORTED, "the occupancy bound is not known: no team to measure");
    const uint32_t count = list_teams(trial, bound, teams);
    for (int barrier = 0; mu_barriers[barrier].name != NULL && err->status == MU_OK; barrier++) {
        struct mu_lab *lab = NULL;
        struct mu_error refused = {0};
        if (barrier == MU_BARRIER_AUTO) continue; /* a rule that picks among the others */
        if (mu_probe_lab(trial, -1, (enum mu_barrier)barrier, 0, &lab, &refused) == MU_OK)
            for (uint32_t i = 0; i < count && err->status == MU_OK; i++) measure(trial, lab, barrier, teams[i], err);
        else if (refused.status == MU_UNSUPPORTED)
            mu_trial_add(trial,
                         json_pack("{s:s, s:s}", "barrier", mu_barriers[barrier].name, "unsupported", refused.message),
                         err);
        else
            mu_fail(err, refused.status, "%s", refused.message);
        mu_lab_close(lab);
    }
    return err->status;
}

/* ---- Yields ---- */

static int measure_yield(struct mu_trial *trial, const char *threads, uint32_t polls, uint32_t team,
                         struct mu_error *err)
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
        measure_yield(trial, "apart", polls, team, err);
    if (err->status != MU_OK || !mu_placement_gather()) return err->status;
    for (uint32_t polls = MU_YIELD_LEAST; polls <= MU_YIELD_MOST && err->status == MU_OK; polls *= step)
        measure_yield(trial, "together", polls, team, err);
    return err->status;
}
