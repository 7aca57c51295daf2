/* The full bound of specialised, proven: the largest team whose barriers complete, while one workgroup more deadlocks.
 */
#include "harness/run/process.h"

/* A deadlock in this search ends after so much of the time that a test's own would take. */
#define SPIN_SHARE 64
#define LEAST_SPIN 4096u

/* Barriers that complete prove that all groups were there together. Those that do not may have had one group late: only
 * so many tries in a row are believed. */
#define TRIES 3

static int completes(struct mu_process *process, uint32_t groups, bool *completed, struct mu_error *err)
{
    struct mu_launch launch = mu_process_launch(process);
    launch.groups = launch.expected = groups;
    *completed = false;
    for (int i = 0; i < TRIES && !*completed; i++) {
        struct mu_sample sample;
        struct mu_error failure = {0};
        *completed = mu_execution_run(process->execution, &launch, &sample, &failure) == MU_OK;
        if (failure.status != MU_OK && failure.status != MU_DEADLOCK)
            return mu_fail(err, failure.status, "%s", failure.message);
    }
    return MU_OK;
}

/* What is known of the bound: so many groups complete, so many deadlock; 0: none found yet. */
struct bracket {
    uint32_t completed, deadlocked, step;
};

/* Returns what to try next: further and further away in the one direction that is open, then in the middle. */
static uint32_t next_try(struct bracket *bracket)
{
    const uint32_t step = bracket->step;
    if (bracket->completed != 0 && bracket->deadlocked != 0)
        return bracket->completed + (bracket->deadlocked - bracket->completed) / 2;
    bracket->step *= 2;
    if (bracket->deadlocked == 0) return bracket->completed + step;
    return bracket->deadlocked > step ? bracket->deadlocked - step : 1;
}

static int search(struct mu_process *process, uint32_t first, struct bracket *bracket, struct mu_error *err)
{
    for (uint32_t groups = first; err->status == MU_OK; groups = next_try(bracket)) {
        bool completed = false;
        if (completes(process, groups, &completed, err) != MU_OK) break;
        if (completed)
            bracket->completed = groups;
        else
            bracket->deadlocked = groups;
        if (bracket->deadlocked == bracket->completed + 1) break;
    }
    if (err->status == MU_OK && bracket->completed == 0)
        mu_fail(err, MU_UNSUPPORTED, "--team=bound: not even one workgroup crosses its barriers");
    return err->status;
}

int mu_prove_bound(struct mu_process *process, uint32_t *team, struct mu_json *record, struct mu_error *err)
{
    const uint32_t spin_limit = process->test.spin_limit;
    struct bracket bracket = {.step = 1};
    process->test.spin_limit = spin_limit / SPIN_SHARE > LEAST_SPIN ? spin_limit / SPIN_SHARE : LEAST_SPIN;
    if (mu_process_build(process, MU_SPECIALISED, err) == MU_OK) search(process, *team, &bracket, err);
    process->test.spin_limit = spin_limit;
    if (err->status != MU_OK) return err->status;
    struct mu_json bound = mu_json_object();
    mu_json_set_number(&bound, "completed", bracket.completed);
    mu_json_set_number(&bound, "deadlocked", bracket.deadlocked);
    mu_json_set_part(record, "bound", &bound);
    *team = bracket.completed;
    return MU_OK;
}
