/* The experiments of conformance, and the parent's side, which runs them in rounds until the budget is used up. */
#include "harness/conform/conform.h"

#include "harness/conform/synthesised.h"
#include "harness/device/launch_defaults.h"
#include "harness/device/trust/forward_progress.h"
#include "harness/engine/survey.h"
#include "harness/litmus/litmus.h"
#include "harness/probe/probe.h"
#include "records/measurements.h"
#include "records/results.h"

#include <string.h>

#define LEAST_DEADLINE_S 60.0 /* a process that takes longer has hung, even where compilers are slow … */
#define MOST_DEADLINE_S  180.0
#define FIRST_MS         6  /* for each litmus test in the first round, which tries everything once … */
#define LATER_MS         60 /* … and in later ones */
#define MOST_ROUNDS      1000
#define PARTS_OF_SEARCH  30 /* one part of the budget goes to the search for stress */
#define MOST_SEARCH_S    30
#define SHARED           16
#define PROGRAM_RUNS     5 /* largest number of runs of a small program that can block */

/* ---- Points ---- */

static const struct mu_conform_options *options_of(const struct mu_circumstances *of)
{
    return of->options;
}

static void rounds(const struct mu_circumstances *of, struct mu_json *values)
{
    mu_json_append_number(values, options_of(of)->round);
}

static void milliseconds(const struct mu_circumstances *of, struct mu_json *values)
{
    mu_json_append_number(values, options_of(of)->round == 1 ? FIRST_MS : LATER_MS);
}

static void paths(const struct mu_circumstances *of, struct mu_json *values)
{
    for (int i = 0; mu_atomics_paths[i].name != NULL; i++)
        if (of->info->available[i]) mu_json_append_text(values, mu_atomics_paths[i].name);
}

static void own_path(const struct mu_circumstances *of, struct mu_json *values)
{
    mu_json_append_text(values, mu_atomics_paths[of->info->atomics].name);
}

static void ordered(const struct mu_circumstances *of, struct mu_json *values)
{
    (void)of;
    mu_json_append_text(values, mu_litmus_forms[MU_LITMUS_ORDERED].name);
}

static void mutants(const struct mu_circumstances *of, struct mu_json *values)
{
    (void)of;
    for (int i = MU_LITMUS_RELAXED; mu_litmus_form_names[i] != NULL; i++)
        mu_json_append_text(values, mu_litmus_form_names[i]);
}

static void all_forms(const struct mu_circumstances *of, struct mu_json *values)
{
    ordered(of, values);
    mutants(of, values);
}

static void relaxed(const struct mu_circumstances *of, struct mu_json *values)
{
    (void)of;
    mu_json_append_text(values, mu_litmus_forms[MU_LITMUS_RELAXED].name);
}

/* Sets the duration of the search for stress, which is part of the second round. */
static void search_seconds(const struct mu_circumstances *of, struct mu_json *values)
{
    const double seconds = options_of(of)->budget_s / PARTS_OF_SEARCH;
    mu_json_append_number(values, seconds < 1 ? 1 : seconds > MOST_SEARCH_S ? MOST_SEARCH_S : (uint64_t)seconds);
}

static void barriers(const struct mu_circumstances *of, struct mu_json *values)
{
    for (int i = MU_BARRIER_COUNTER; mu_barriers[i].name != NULL; i++)
        if (mu_device_has_barrier(of->info, (enum mu_barrier)i)) mu_json_append_text(values, mu_barriers[i].name);
}

static void rollcalls(const struct mu_circumstances *of, struct mu_json *values)
{
    (void)of;
    for (int i = MU_ROLLCALL_ATOMIC; mu_rollcalls[i].name != NULL; i++)
        mu_json_append_text(values, mu_rollcalls[i].name);
}

static void locks(const struct mu_circumstances *of, struct mu_json *values)
{
    (void)of;
    mu_json_append_text(values, mu_rollcalls[MU_ROLLCALL_TICKET].name);
    mu_json_append_text(values, mu_rollcalls[MU_ROLLCALL_SPIN].name);
}

static void programs(const struct mu_circumstances *of, struct mu_json *values)
{
    struct mu_synthesised chosen[MU_LTS_SCHEDULERS];
    struct mu_error err = {0};
    size_t count = 0;
    (void)of;
    values->lost = values->lost || mu_synthesis_choose(chosen, &count, &err) != MU_OK;
    for (size_t i = 0; i < count; i++) mu_json_append_text(values, chosen[i].text);
}

static void placements(const struct mu_circumstances *of, struct mu_json *values)
{
    (void)of;
    for (size_t i = 0; mu_synthesised_placements[i] != NULL; i++)
        mu_json_append_text(values, mu_synthesised_placements[i]);
}

static void program_runs(const struct mu_circumstances *of, struct mu_json *values)
{
    (void)of;
    mu_json_append_number(values, PROGRAM_RUNS);
}

static void workgroup(const struct mu_circumstances *of, struct mu_json *values)
{
    mu_json_append_number(values, mu_default_workgroup(of->info));
}

static void least_local(const struct mu_circumstances *of, struct mu_json *values)
{
    (void)of;
    mu_json_append_number(values, 1);
}

/* Returns true if kernels whose workgroups wait may run on the device. */
static bool is_trusted(const struct mu_circumstances *of)
{
    return of->selftest->trust != MU_REFUSED && !of->info->simulator;
}

static bool is_hardware(const struct mu_circumstances *of)
{
    return !of->info->simulator;
}

static bool is_second(const struct mu_circumstances *of)
{
    return is_hardware(of) && options_of(of)->round == 2;
}

static bool is_later(const struct mu_circumstances *of)
{
    return is_hardware(of) && options_of(of)->round > 1;
}

#define ROUND        "round", "from 1", rounds
#define PATHS        "atomics", "the path", paths
#define OWN_PATH     "atomics", "the device's path", own_path
#define ORDERED      "form", "as the program uses the path", ordered
#define MILLISECONDS "milliseconds", "of each test", milliseconds
#define FAMILY(...)  ((const struct mu_axis *const[]){(const struct mu_axis[]){{ROUND}, __VA_ARGS__, {0}}, NULL})

const struct mu_experiment mu_conform_experiments[] = {
    {.name = "progress",
     .purpose = "idioms that wait, among more workgroups than fit",
     .families = (const struct mu_axis *const[]){(const struct mu_axis[]){{ROUND}, {0}}, NULL},
     .applies = is_trusted,
     .has = mu_conform_needs,
     .measure = mu_probe_forward_progress},
    {.name = "barriers",
     .purpose = "what is written before a barrier, and read behind it",
     .families = FAMILY({PATHS}, {ORDERED}, {MILLISECONDS}, {"barrier", "which", barriers}),
     .applies = is_trusted,
     .has = mu_conform_needs,
     .together = SHARED,
     .measure = mu_litmus_barriers},
    {.name = "rollcalls",
     .purpose = "the same in the team that a roll call finds",
     .families = FAMILY({OWN_PATH}, {ORDERED}, {MILLISECONDS}, {"rollcall", "which", rollcalls}),
     .applies = is_trusted,
     .has = mu_conform_needs,
     .together = SHARED,
     .measure = mu_litmus_rollcalls},
    {.name = "locks",
     .purpose = "additions under a mutex",
     .families = FAMILY({PATHS}, {ORDERED}, {MILLISECONDS}, {"lock", "of which roll call", locks}),
     .applies = is_trusted,
     .has = mu_conform_needs,
     .together = SHARED,
     .measure = mu_litmus_locks},
    {.name = "shapes",
     .purpose = "a few accesses, near and far, with and without stress",
     .families = FAMILY({PATHS}, {ORDERED}, {MILLISECONDS}),
     .applies = is_hardware,
     .has = mu_conform_needs,
     .together = SHARED,
     .measure = mu_litmus_shapes},
    {.name = "mutants",
     .purpose = "the same accesses without their order, or a part of it",
     .families = FAMILY({OWN_PATH}, {"form", "what they lack", mutants}, {MILLISECONDS}),
     .applies = is_hardware,
     .has = mu_conform_needs,
     .together = SHARED,
     .measure = mu_litmus_shapes},
    {.name = "search",
     .purpose = "which stress brings out most",
     .families = FAMILY({OWN_PATH}, {"form", "relaxed", relaxed}, {"seconds", "of the search", search_seconds}),
     .applies = is_second,
     .has = mu_conform_needs,
     .measure = mu_litmus_search},
    {.name = "stressed",
     .purpose = "the accesses, and their mutants, under that stress",
     .families = FAMILY({OWN_PATH}, {"form", "what they lack", all_forms}, {MILLISECONDS}),
     .applies = is_later,
     .has = mu_conform_needs,
     .together = SHARED,
     .measure = mu_litmus_stressed},
    {.name = "programs",
     .purpose = "the smallest programs that tell scheduler models apart",
     .families = FAMILY({"program", "of few threads", programs}, {"placement", "of its threads", placements},
                        {"runs", "at most", program_runs}),
     .applies = is_trusted,
     .has = mu_conform_needs,
     .together = SHARED,
     .measure = mu_synthesised_measure},
    {.name = "bound",
     .purpose = "the occupancy bound",
     .families = FAMILY({"workgroup", "work-items in a workgroup", workgroup},
                        {"local_bytes", "local memory of each workgroup", least_local}),
     .applies = is_trusted,
     .has = mu_conform_needs,
     .event_times = true,
     .measure = mu_probe_bound},
    {0},
};

int mu_conform_serve(const json_t *request, struct mu_json *response, struct mu_error *err)
{
    return mu_experiment_serve(mu_conform_experiments, request, response, err);
}

/* ---- The budget: an environment in which time runs out, too ---- */

struct clock {
    struct mu_engine_environment real;
    uint64_t end_ns;
    bool is_over;
};

static int call(void *context, struct mu_call *to, json_t **response, struct mu_error *err)
{
    const struct clock *clock = context;
    return clock->real.call(clock->real.context, to, response, err);
}

static int check(void *context, bool fresh, struct mu_selftest *selftest, struct mu_error *err)
{
    const struct clock *clock = context;
    return clock->real.check(clock->real.context, fresh, selftest, err);
}

static int resolve(void *context, const struct mu_asked *asked, struct mu_test *test, struct mu_error *err)
{
    const struct clock *clock = context;
    return clock->real.resolve(clock->real.context, asked, test, err);
}

static uint64_t now_ns(void *context)
{
    const struct clock *clock = context;
    return clock->real.now_ns(clock->real.context);
}

static bool processors(void *context, struct mu_processor_times *times)
{
    const struct clock *clock = context;
    return clock->real.processors(clock->real.context, times);
}

/* Ends the engine's run when the budget is used up, as a signal would. */
static bool interrupted(void *context)
{
    struct clock *clock = context;
    if (clock->real.interrupted(clock->real.context)) return true;
    clock->is_over = clock->is_over || now_ns(clock) >= clock->end_ns;
    return clock->is_over;
}

/* ---- Rounds ---- */

/* Returns what a point needs of earlier measurements: the stress that the search found, and whether roll call lobe may
 * run. That roll call is safe only where the forward-progress tests have not refuted LOBE. */
static json_t *known(const json_t *measurements, const json_t *point)
{
    struct mu_json told = mu_json_object();
    json_t *measurement, *stress = mu_litmus_known(measurements, point);
    size_t i;
    bool lobe = false;
    mu_json_update(&told, stress);
    json_decref(stress);
    json_array_foreach ((json_t *)measurements, i, measurement)
        if (mu_json_is(json_object_get(measurement, "parameters"), "experiment", "progress"))
            lobe = mu_json_flag(json_object_get(measurement, "consistent"), mu_scheduler_name(MU_SCHEDULER_LOBE));
    mu_json_set_number(&told, "lobe", lobe || !mu_json_is(point, "rollcall", mu_rollcalls[MU_ROLLCALL_LOBE].name));
    return mu_json_take(&told, "what is known", NULL);
}

/* Returns a child's deadline for a point: half the budget, within bounds. */
static double deadline_of(double budget_s)
{
    const double half = budget_s / 2;
    return half < LEAST_DEADLINE_S ? LEAST_DEADLINE_S : half > MOST_DEADLINE_S ? MOST_DEADLINE_S : half;
}

/* Returns the seconds that the processes of these measurements took. All parts of a process have its time, so only the
 * first part counts. */
static double spent(const json_t *measurements)
{
    double seconds = 0;
    json_t *measurement;
    size_t i;
    json_array_foreach ((json_t *)measurements, i, measurement)
        if (mu_json_number(measurement, "part") == 0) seconds += mu_json_real(measurement, "seconds");
    return seconds;
}

/* Runs one round, then replaces conform->measurements by all measurements of the file. Returns false if the round had
 * no points. */
static bool run_round(struct mu_conform *conform, const char *path, struct clock *clock, struct mu_error *err)
{
    const struct mu_survey_kind kind = {.kind = "conform",
                                        .experiments = mu_conform_experiments,
                                        .deadline_s = deadline_of(conform->options.budget_s),
                                        .known = known};
    const struct mu_engine_environment environment = {.context = clock,
                                                      .call = call,
                                                      .check = check,
                                                      .resolve = resolve,
                                                      .interrupted = interrupted,
                                                      .now_ns = now_ns,
                                                      .end_ns = clock->end_ns,
                                                      .processors = processors,
                                                      .verbosity = MU_USUAL};
    struct mu_survey survey = {
        .kind = &kind, .of = {.info = conform->info, .selftest = &conform->selftest, .options = &conform->options}};
    if (mu_survey_open(&survey, &environment, path, err) == MU_OK) mu_survey_run(&survey, err);
    const bool any = json_array_size(survey.points) != 0;
    if (survey.measurements != NULL) {
        json_decref(conform->measurements);
        conform->measurements = json_incref(survey.measurements);
    }
    mu_survey_close(&survey);
    return any;
}

static void run_rounds(struct mu_conform *conform, const char *path, struct clock *clock, struct mu_error *err)
{
    const uint32_t most = conform->options.rounds != 0 ? conform->options.rounds : MOST_ROUNDS;
    bool any = true;
    for (uint32_t round = 1; round <= most && any && err->status == MU_OK && !interrupted(clock); round++) {
        conform->options.round = round;
        any = run_round(conform, path, clock, err);
    }
    conform->out_of_time = clock->is_over;
    if (err->status == MU_INTERRUPTED && clock->is_over) *err = (struct mu_error){0};
}

int mu_conform_run(struct mu_conform *conform, struct mu_error *late, struct mu_error *err)
{
    char path[PATH_MAX];
    struct clock clock = {.real = mu_engine_environment_of(conform->info)};
    const uint64_t start = now_ns(&clock);
    if (mu_results_make(conform->info->chip, err) != MU_OK ||
        mu_results_path(conform->info->chip, MU_CONFORM_FILE, path, sizeof path, err) != MU_OK ||
        (conform->options.restart && mu_survey_set_aside(path, err) != MU_OK) ||
        mu_survey_load(path, conform->info, &conform->measurements, err) != MU_OK)
        return err->status;
    const double left_s = conform->options.budget_s - spent(conform->measurements);
    const bool begun = json_array_size(conform->measurements) != 0;
    clock.end_ns = start + (left_s > 0 ? (uint64_t)(left_s * 1e9) : 0);
    if (check(&clock, !begun, &conform->selftest, err) != MU_OK) return err->status;
    run_rounds(conform, path, &clock, late);
    if (late->status == MU_INTERRUPTED || late->status == MU_IO || late->status == MU_NO_MEMORY)
        return mu_fail(err, late->status, "%s", late->message);
    conform->spent_s = spent(conform->measurements);
    return mu_conform_judge(conform, err);
}
