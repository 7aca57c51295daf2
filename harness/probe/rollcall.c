/* Experiments on roll calls: recall, cost, and what patience and delay do for them (OOPSLA 2016, sections 5.1 and 5.4).
 */
#include "harness/device/launch_defaults.h"
#include "harness/probe/probe.h"

#include "variants/variant.h"

#define SECONDS       2.0 /* a wait in a roll call that takes longer is a deadlock; fair mutexes are slow */
#define SERIES_NS     UINT64_C(60000000000) /* a series that has taken longer has no more runs: a simulator is slow */
#define DELAY_NS      UINT64_C(10000000000) /* the same with a delay … */
#define SLOW_NS       UINT64_C(200000000)   /* … and a roll call that takes longer has no ten times longer delay */
#define MAX_DEADLOCKS 2                     /* after so many in a series the rest is not tried */
#define PATIENCE_RUNS 50                    /* of each patience, on the way */

/* The longest delay where workers share cores. There a mutex that is handed to a worker without a core costs
 * milliseconds each time, and a single launch with a delay of 10000 takes minutes. */
#define LONGEST_SHARED 100

/* A series of roll calls: how it is made, and what it found. */
struct series {
    const struct mu_lab_run *run;
    uint32_t bound;    /* 0: not known; else `full` counts teams of that size */
    uint64_t limit_ns; /* after which there are no more runs */
    struct mu_json teams, times;
    uint32_t full, runs, deadlocks;
};

static void end_series(struct series *series)
{
    mu_json_release(&series->teams);
    mu_json_release(&series->times);
}

static void begin_series(struct series *series, const struct mu_lab_run *run, uint32_t bound)
{
    *series = (struct series){
        .run = run, .bound = bound, .limit_ns = SERIES_NS, .teams = mu_json_array(), .times = mu_json_array()};
}

/* Makes up to `runs` more roll calls. */
static int take(struct mu_trial *trial, struct mu_lab *lab, struct series *series, uint32_t runs, struct mu_error *err)
{
    const uint64_t start = mu_now_ns();
    for (uint32_t i = 0; i < runs && series->deadlocks < MAX_DEADLOCKS && mu_now_ns() - start < series->limit_ns; i++) {
        struct mu_lab_result result;
        if (mu_lab_run(lab, series->run, &result, err) != MU_OK) return err->status;
        const uint32_t team = result.verdict == MU_LAB_COMPLETED ? result.team : 0;
        series->runs++;
        series->deadlocks += result.verdict == MU_LAB_DEADLOCKED;
        series->full += series->bound != 0 && team >= series->bound;
        mu_json_append_number(&series->teams, team);
        mu_json_append_number(&series->times, mu_probe_ns(trial, result.device_ns, result.host_ns));
    }
    return MU_OK;
}

/* Adds the series as a measurement and ends it. `more`, whose reference is taken, says what was asked (NULL: memory ran
 * out). */
static int add_series(struct mu_trial *trial, const char *rollcall, json_t *more, struct series *series,
                      struct mu_error *err)
{
    struct mu_json object = mu_json_object();
    mu_json_set_text(&object, "rollcall", rollcall);
    mu_json_set_number(&object, "deadlocks", series->deadlocks);
    mu_json_set_part(&object, "teams", &series->teams);
    mu_json_set_part(&object, "ns", &series->times);
    mu_json_update(&object, more);
    object.lost = object.lost || more == NULL;
    json_decref(more);
    end_series(series);
    return mu_trial_add(trial, mu_json_take(&object, "a series", NULL), err);
}

/* Returns whether a roll call may be tried: lobe is safe only where the forward-progress tests say so. */
static bool is_offered(const struct mu_trial *trial, int rollcall)
{
    return rollcall != MU_ROLLCALL_LOBE || mu_trial_known(trial, "lobe") != 0;
}

static struct mu_lab_run usual_run(const struct mu_trial *trial)
{
    const uint32_t patience = mu_trial_known(trial, "patience");
    return (struct mu_lab_run){.groups = mu_default_groups(&trial->info, mu_trial_number(trial, "workgroup")),
                               .patience = patience != 0 ? patience : mu_default_patience(&trial->info),
                               .local_bytes = mu_trial_number(trial, "local_bytes")};
}

/* Makes every roll call `runs` times, with nothing expected. */
int mu_probe_recall(struct mu_trial *trial, struct mu_error *err)
{
    const struct mu_lab_run run = usual_run(trial);
    for (int rollcall = 0; mu_rollcalls[rollcall].name != NULL && err->status == MU_OK; rollcall++) {
        struct mu_lab *lab = NULL;
        if (!is_offered(trial, rollcall)) continue;
        struct series series;
        if (mu_probe_lab(trial, rollcall, MU_BARRIER_COUNTER, SECONDS, &lab, err) != MU_OK) return err->status;
        begin_series(&series, &run, 0);
        if (take(trial, lab, &series, mu_trial_number(trial, "runs"), err) == MU_OK)
            add_series(trial, mu_rollcalls[rollcall].name,
                       json_pack("{s:I}", "patience", (json_int_t)(rollcall == MU_ROLLCALL_ATOMIC ? run.patience : 0)),
                       &series, err);
        else
            end_series(&series);
        mu_lab_close(lab);
    }
    return err->status;
}

/* Measures the cost of one roll call; the first run warms up. */
static int take_cost(struct mu_trial *trial, struct mu_lab *lab, int rollcall, const struct mu_lab_run *run,
                     struct mu_error *err)
{
    struct series warm_up, series;
    begin_series(&warm_up, run, 0);
    begin_series(&series, run, 0);
    take(trial, lab, &warm_up, 1, err);
    end_series(&warm_up);
    if (err->status == MU_OK && take(trial, lab, &series, mu_trial_number(trial, "runs"), err) == MU_OK)
        return add_series(trial, mu_rollcalls[rollcall].name,
                          json_pack("{s:I, s:I, s:I}", "patience",
                                    (json_int_t)(rollcall == MU_ROLLCALL_ATOMIC ? run->patience : 0), "expected",
                                    (json_int_t)run->expected, "launched", (json_int_t)run->groups),
                          &series, err);
    end_series(&series);
    return err->status;
}

/* Measures the cost of every roll call. `atomic` is measured with patience, and as runs use it once they know the size:
 * they launch exactly the expected number of groups (measure_roll_calls in harness/run/measure.c). */
int mu_probe_cost(struct mu_trial *trial, struct mu_error *err)
{
    const uint32_t bound = mu_trial_known(trial, "bound");
    for (int rollcall = 0; mu_rollcalls[rollcall].name != NULL && err->status == MU_OK; rollcall++) {
        struct mu_lab *lab = NULL;
        struct mu_lab_run run = usual_run(trial);
        if (!is_offered(trial, rollcall)) continue;
        if (mu_probe_lab(trial, rollcall, MU_BARRIER_COUNTER, SECONDS, &lab, err) != MU_OK) return err->status;
        take_cost(trial, lab, rollcall, &run, err);
        run.expected = run.groups = bound;
        if (rollcall == MU_ROLLCALL_ATOMIC && bound != 0 && err->status == MU_OK)
            take_cost(trial, lab, rollcall, &run, err);
        mu_lab_close(lab);
    }
    return err->status;
}

/* Tries powers of four, from 1, until one finds the whole bound in every run. Each is run 50 times, and one that seems
 * enough as often as `runs` says. */
int mu_probe_patience(struct mu_trial *trial, struct mu_error *err)
{
    const uint32_t runs = mu_trial_number(trial, "runs"), bound = mu_trial_known(trial, "bound");
    struct mu_lab *lab = NULL;
    struct mu_lab_run run = usual_run(trial);
    bool full = false;
    if (bound == 0) return mu_fail(err, MU_UNSUPPORTED, "the occupancy bound is not known: no recall to measure");
    if (mu_probe_lab(trial, MU_ROLLCALL_ATOMIC, MU_BARRIER_COUNTER, SECONDS, &lab, err) != MU_OK) return err->status;
    const uint32_t most = trial->info.cpu ? UINT32_C(1) << 26 : UINT32_C(1) << 20;
    for (uint32_t patience = 1; patience <= most && !full && err->status == MU_OK; patience *= MU_PATIENCE_STEP) {
        struct series series;
        run.patience = patience;
        begin_series(&series, &run, bound);
        const uint32_t first = runs < PATIENCE_RUNS ? runs : PATIENCE_RUNS;
        take(trial, lab, &series, first, err);
        if (err->status == MU_OK && series.full == first) take(trial, lab, &series, runs - first, err);
        full = series.full == runs && series.runs == runs;
        if (err->status == MU_OK)
            add_series(trial, mu_rollcalls[MU_ROLLCALL_ATOMIC].name,
                       json_pack("{s:I, s:b, s:I}", "patience", (json_int_t)patience, "full", (int)full, "bound",
                                 (json_int_t)bound),
                       &series, err);
        else
            end_series(&series);
    }
    mu_lab_close(lab);
    return err->status;
}

/* Measures recall with the patience that was chosen, from a process's first launch on, which is the slowest to start on
 * some drivers. A patience that is not enough is followed by a larger one in another process. */
int mu_probe_verify(struct mu_trial *trial, struct mu_error *err)
{
    const uint32_t runs = mu_trial_number(trial, "runs"), bound = mu_trial_known(trial, "bound");
    const struct mu_lab_run run = usual_run(trial);
    struct mu_lab *lab = NULL;
    struct series series;
    if (bound == 0) return mu_fail(err, MU_UNSUPPORTED, "the occupancy bound is not known: no recall to measure");
    if (mu_probe_lab(trial, MU_ROLLCALL_ATOMIC, MU_BARRIER_COUNTER, SECONDS, &lab, err) != MU_OK) return err->status;
    begin_series(&series, &run, bound);
    if (take(trial, lab, &series, runs, err) == MU_OK)
        add_series(trial, mu_rollcalls[MU_ROLLCALL_ATOMIC].name,
                   json_pack("{s:I, s:b, s:I}", "patience", (json_int_t)run.patience, "full",
                             (int)(series.full == runs && series.runs == runs), "bound", (json_int_t)bound),
                   &series, err);
    else
        end_series(&series);
    mu_lab_close(lab);
    return err->status;
}

/* Makes roll calls with one delay. *slow: a longer one would take too long. */
static int take_delay(struct mu_trial *trial, struct mu_lab *lab, int rollcall, uint32_t delay, bool *slow,
                      struct mu_error *err)
{
    struct mu_lab_run run = usual_run(trial);
    struct series series;
    run.delay = delay;
    begin_series(&series, &run, 0);
    series.limit_ns = DELAY_NS;
    const uint64_t start = mu_now_ns();
    if (take(trial, lab, &series, mu_trial_number(trial, "runs"), err) != MU_OK) {
        end_series(&series);
        return err->status;
    }
    *slow = mu_now_ns() - start > series.runs * SLOW_NS;
    return add_series(trial, mu_rollcalls[rollcall].name, json_pack("{s:I}", "delay", (json_int_t)delay), &series, err);
}

/* Makes the roll calls under a mutex, with delays of 0, 10, 100, … times the mutex. */
int mu_probe_delay(struct mu_trial *trial, struct mu_error *err)
{
    const uint32_t delays[] = {0, 10, 100, 1000, 10000, 100000};
    const uint32_t longest = mu_device_core_share(&trial->info) < 1 ? LONGEST_SHARED : UINT32_MAX;
    for (int rollcall = 0; mu_rollcalls[rollcall].name != NULL && err->status == MU_OK; rollcall++) {
        struct mu_lab *lab = NULL;
        bool slow = false;
        if (rollcall == MU_ROLLCALL_ATOMIC || !is_offered(trial, rollcall)) continue;
        if (mu_probe_lab(trial, rollcall, MU_BARRIER_COUNTER, SECONDS, &lab, err) != MU_OK) return err->status;
        for (size_t i = 0; i < sizeof delays / sizeof delays[0] && !slow && err->status == MU_OK; i++)
            if (delays[i] <= longest) take_delay(trial, lab, rollcall, delays[i], &slow, err);
        mu_lab_close(lab);
    }
    return err->status;
}
