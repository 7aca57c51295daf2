/* Experiment bound: of the laboratory's kernel, for a workgroup size and an amount of local memory. */
#include "harness/probe/bound_search.h"
#include "harness/probe/probe.h"

#include "variants/launch/opencl.h"

#define REPEATS    3
#define ROUNDS     4 /* barriers that a try crosses */
#define MAX_GROUPS 65536
#define MAX_ITEMS  (UINT32_C(1) << 24)

struct context {
    struct mu_lab *lab;
    uint32_t local_bytes;
};

static int attempt(void *context, uint32_t groups, bool *completed, struct mu_error *err)
{
    const struct context *of = context;
    const struct mu_lab_run run = {.groups = groups, .rounds = ROUNDS, .local_bytes = of->local_bytes};
    struct mu_lab_result result;
    if (mu_lab_run(of->lab, &run, &result, err) != MU_OK) return err->status;
    *completed = result.verdict == MU_LAB_COMPLETED;
    return MU_OK;
}

/* Returns the verdicts as [groups, completed, tries]. */
static json_t *to_json(const struct mu_bound *bound, uint64_t elapsed_ns)
{
    struct mu_json verdicts = mu_json_array();
    for (uint32_t i = 0; i < bound->verdict_count; i++)
        mu_json_append(&verdicts,
                       json_pack("[I,I,I]", (json_int_t)bound->verdicts[i].groups,
                                 (json_int_t)bound->verdicts[i].completed, (json_int_t)bound->verdicts[i].tries));
    return json_pack("{s:I, s:b, s:I, s:o, s:I}", "bound", (json_int_t)bound->bound, "open", (int)bound->open,
                     "disagreements", (json_int_t)bound->disagreements, "verdicts",
                     mu_json_take(&verdicts, "verdicts", NULL), "elapsed_ns", (json_int_t)elapsed_ns);
}

int mu_probe_bound(struct mu_trial *trial, struct mu_error *err)
{
    struct context context = {.local_bytes = mu_trial_number(trial, "local_bytes")};
    const uint32_t workgroup = mu_trial_number(trial, "workgroup");
    const struct mu_bound_search search = {.attempt = attempt,
                                           .context = &context,
                                           .limit =
                                               MAX_ITEMS / workgroup < MAX_GROUPS ? MAX_ITEMS / workgroup : MAX_GROUPS,
                                           .repeats = REPEATS};
    struct mu_bound bound;
    if (mu_probe_lab(trial, -1, MU_BARRIER_COUNTER, mu_probe_deadlock_s(trial), &context.lab, err) != MU_OK)
        return err->status;
    const uint64_t start = mu_now_ns();
    if (mu_bound_find(&search, &bound, err) == MU_OK) mu_trial_add(trial, to_json(&bound, mu_now_ns() - start), err);
    mu_lab_close(context.lab);
    return err->status;
}
