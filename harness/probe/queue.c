/* Experiment queue: what work queues cost, by their kind, by the workgroups that share them, and by whether these have
 * one queue together or one each. */
#include "harness/device/launch_defaults.h"
#include "harness/probe/flow.h"
#include "harness/probe/probe.h"

#define REPEATS     7
#define FIRST_ITEMS 1024u
#define MOST_ITEMS  (UINT32_C(1) << 18)
#define SAMPLE_NS   UINT64_C(5000000) /* a sample should take about so long */
#define MAX_TEAMS   8

/* Returns a run. Where there are many rings, each has room for many times its share. */
static struct mu_flow_run run_of(uint32_t team, uint32_t rings, uint32_t items)
{
    const uint64_t share = 16 * (uint64_t)items / rings + 2048;
    return (struct mu_flow_run){
        .flows = 1, .groups = team, .shape = {rings, mu_queue_slots(share < items ? share : items)}, .items = items};
}

/* Chooses so many items that a sample takes about SAMPLE_NS, at most MOST_ITEMS. */
static int choose_items(struct mu_flow *flow, uint32_t team, uint32_t rings, uint32_t *items, struct mu_error *err)
{
    for (*items = FIRST_ITEMS; *items < MOST_ITEMS && err->status == MU_OK; *items *= 2) {
        const struct mu_flow_run run = run_of(team, rings, *items);
        uint64_t ns = 0;
        if (mu_flow_run(flow, &run, &ns, err) == MU_OK && ns >= SAMPLE_NS / 2) break;
    }
    return err->status;
}

static int measure(struct mu_trial *trial, struct mu_flow *flow, int kind, uint32_t team, uint32_t rings,
                   struct mu_error *err)
{
    uint32_t items = 0;
    struct mu_json samples = mu_json_array();
    choose_items(flow, team, rings, &items, err);
    for (int i = 0; i < REPEATS && err->status == MU_OK; i++) {
        const struct mu_flow_run run = run_of(team, rings, items);
        uint64_t ns = 0;
        if (mu_flow_run(flow, &run, &ns, err) == MU_OK) mu_json_append_real(&samples, (double)ns / items);
    }
    json_t *object =
        json_pack("{s:s, s:I, s:I, s:I, s:o}", "queue", mu_queue_kinds[kind].name, "team", (json_int_t)team, "rings",
                  (json_int_t)rings, "items", (json_int_t)items, "ns", mu_json_take(&samples, "samples", NULL));
    if (err->status == MU_OK) return mu_trial_add(trial, object, err);
    json_decref(object);
    return err->status;
}

/* Lists teams: one group; one, two, four … for each compute unit; and as many as fit. */
static uint32_t list_teams(const struct mu_trial *trial, uint32_t bound, uint32_t teams[MAX_TEAMS])
{
    uint32_t count = 0;
    const uint32_t units = mu_device_units(&trial->info);
    teams[count++] = 1;
    for (uint32_t team = units; team < bound && count + 1 < MAX_TEAMS; team *= 2)
        if (team > 1) teams[count++] = team;
    if (bound > 1) teams[count++] = bound;
    return count;
}

int mu_probe_queue(struct mu_trial *trial, struct mu_error *err)
{
    uint32_t teams[MAX_TEAMS];
    const uint32_t bound = mu_trial_known(trial, "bound"), polls = mu_trial_known(trial, "yield_polls");
    if (bound == 0) return mu_fail(err, MU_UNSUPPORTED, "the occupancy bound is not known: no team to measure");
    const uint32_t count = list_teams(trial, bound, teams);
    for (int kind = 0; mu_queue_kinds[kind].name != NULL && err->status == MU_OK; kind++) {
        const struct mu_flow_spec spec = {.kind = (enum mu_queue_kind)kind,
                                          .yield = (enum mu_yield)trial->info.yield,
                                          .yield_polls = polls != 0 ? polls : MU_YIELD_POLLS_DEFAULT,
                                          .workgroup = mu_trial_number(trial, "workgroup"),
                                          .spin_limit = trial->selftest.spin_limit};
        struct mu_flow *flow = NULL;
        if (mu_flow_open(&trial->target, &trial->info, &spec, &flow, err) == MU_OK)
            for (uint32_t i = 0; i < count && err->status == MU_OK; i++) {
                if (kind != MU_QUEUE_STEAL) measure(trial, flow, kind, teams[i], 1, err);
                if (err->status == MU_OK && (kind == MU_QUEUE_STEAL || teams[i] > 1))
                    measure(trial, flow, kind, teams[i], teams[i], err);
            }
        mu_flow_close(flow);
    }
    return err->status;
}
