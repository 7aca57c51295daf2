/* The experiments of the litmus tests, what their programs are made of, and the parent's side. */
#include "harness/litmus/litmus.h"

#include "harness/device/launch_defaults.h"
#include "harness/device/program.h"
#include "harness/device/trust/forward_progress.h"
#include "harness/engine/survey.h"
#include "harness/litmus/idioms.h"
#include "records/measurements.h"
#include "records/results.h"

#include <stdio.h>
#include <string.h>

#define DEADLINE_S   60.0 /* a point that takes longer has hung */
#define MILLISECONDS 60   /* of a test, and its launches */
#define QUICK        6
#define RUNS         10 /* of an idiom */
#define QUICK_RUNS   2
#define WAIT_S       2.0 /* a wait that takes longer is a deadlock */

const struct mu_choice mu_litmus_forms[] = {
    [MU_LITMUS_ORDERED] = {"ordered", "as the program uses the path"},
    [MU_LITMUS_RELAXED] = {"relaxed", "the same accesses without their order"},
    {NULL, NULL},
};

const char *const mu_litmus_form_names[] = {[MU_LITMUS_ORDERED] = "ordered",
                                            [MU_LITMUS_RELAXED] = "relaxed",
                                            [MU_LITMUS_UNRELEASED] = "unreleased",
                                            [MU_LITMUS_UNACQUIRED] = "unacquired",
                                            NULL};

/* The sources that take the order from accesses. */
static const char *const form_sources[] = {[MU_LITMUS_ORDERED] = NULL,
                                           [MU_LITMUS_RELAXED] = "harness/litmus/relaxed.clh",
                                           [MU_LITMUS_UNRELEASED] = "harness/litmus/unreleased.clh",
                                           [MU_LITMUS_UNACQUIRED] = "harness/litmus/unacquired.clh"};

/* ---- Points ---- */

static void paths(const struct mu_circumstances *of, struct mu_json *values)
{
    for (int i = 0; mu_atomics_paths[i].name != NULL; i++)
        if (of->info->available[i]) mu_json_append_text(values, mu_atomics_paths[i].name);
}

static void forms(const struct mu_circumstances *of, struct mu_json *values)
{
    (void)of;
    for (int i = 0; mu_litmus_forms[i].name != NULL; i++) mu_json_append_text(values, mu_litmus_forms[i].name);
}

static void milliseconds(const struct mu_circumstances *of, struct mu_json *values)
{
    mu_json_append_number(values, of->quick ? QUICK : MILLISECONDS);
}

static void seconds(const struct mu_circumstances *of, struct mu_json *values)
{
    const struct mu_litmus_options *options = of->options;
    mu_json_append_number(values, options->search_s);
}

static bool is_of_memory(const struct mu_circumstances *of)
{
    const struct mu_litmus_options *options = of->options;
    return !options->idioms && !of->info->simulator;
}

static bool is_searched(const struct mu_circumstances *of)
{
    const struct mu_litmus_options *options = of->options;
    return options->search_s != 0 && is_of_memory(of);
}

/* Returns true if kernels that wait may be run. */
static bool is_trusted(const struct mu_circumstances *of)
{
    return of->selftest->trust != MU_REFUSED && !of->info->simulator;
}

static bool is_trusted_memory(const struct mu_circumstances *of)
{
    return is_trusted(of) && is_of_memory(of);
}

static const struct mu_axis axes[] = {{"atomics", "the path", paths},
                                      {"form", "ordered, or relaxed as a control", forms},
                                      {"milliseconds", "of each test", milliseconds},
                                      {0}};
static const struct mu_axis *const families[] = {axes, NULL};

/* Lists the relaxed form, the only one that shows what stress brings out. */
static void relaxed_form(const struct mu_circumstances *of, struct mu_json *values)
{
    (void)of;
    mu_json_append_text(values, mu_litmus_forms[MU_LITMUS_RELAXED].name);
}

static const struct mu_axis search_axes[] = {
    {"atomics", "the path", paths}, {"form", "relaxed", relaxed_form}, {"seconds", "of the search", seconds}, {0}};
static const struct mu_axis *const search_families[] = {search_axes, NULL};

static void idioms(const struct mu_circumstances *of, struct mu_json *values)
{
    (void)of;
    for (const struct mu_used_idiom *idiom = mu_used_idioms; idiom->name != NULL; idiom++)
        mu_json_append_text(values, idiom->name);
}

static void parts_of_groups(const struct mu_circumstances *of, struct mu_json *values)
{
    mu_json_append_text(values, "work-items");
    if (of->selftest->subgroup_size > 1) mu_json_append_text(values, "subgroups");
}

static void runs(const struct mu_circumstances *of, struct mu_json *values)
{
    mu_json_append_number(values, of->quick ? QUICK_RUNS : RUNS);
}

static const struct mu_axis idiom_axes[] = {{"idiom", "what waits", idioms}, {"runs", "at most", runs}, {0}};
static const struct mu_axis *const idiom_families[] = {idiom_axes, NULL};
static const struct mu_axis within_axes[] = {
    {"among", "who waits for whom", parts_of_groups}, {"runs", "at most", runs}, {0}};
static const struct mu_axis *const within_families[] = {within_axes, NULL};

const struct mu_experiment mu_litmus_experiments[] = {
    {.name = "shapes",
     .purpose = "a few accesses, near and far, with and without stress",
     .families = families,
     .applies = is_of_memory,
     .measure = mu_litmus_shapes,
     .tables = "litmus"},
    {.name = "search",
     .purpose = "which stress brings out most",
     .families = search_families,
     .applies = is_searched,
     .measure = mu_litmus_search},
    {.name = "stressed",
     .purpose = "a few accesses under the stress that was found",
     .families = families,
     .applies = is_searched,
     .measure = mu_litmus_stressed,
     .tables = "litmus"},
    {.name = "barriers",
     .purpose = "what is written before a barrier, and read behind it",
     .families = families,
     .applies = is_trusted_memory,
     .measure = mu_litmus_barriers,
     .tables = "litmus"},
    {.name = "locks",
     .purpose = "additions under a mutex",
     .families = families,
     .applies = is_trusted_memory,
     .measure = mu_litmus_locks,
     .tables = "litmus"},
    {.name = "idioms",
     .purpose = "idioms in use, whose workgroups wait for others",
     .families = idiom_families,
     .applies = is_trusted,
     .measure = mu_litmus_idioms,
     .tables = "idioms"},
    {.name = "within",
     .purpose = "the same among work-items, and among subgroups",
     .families = within_families,
     .applies = is_trusted,
     .measure = mu_litmus_within,
     .tables = "idioms"},
    {0},
};

/* ---- The child's side ---- */

/* Finds the choice that the point names. Returns false if it names none. */
static bool find_kind(const struct mu_trial *trial, const struct mu_choice *choices, const char *name, int *kind)
{
    const char *asked = mu_trial_text(trial, name);
    return asked != NULL && mu_choice_find(choices, name, asked, kind, NULL) == MU_OK;
}

int mu_litmus_build(const struct mu_trial *trial, struct mu_build *build, enum mu_litmus_form *form,
                    struct mu_error *err)
{
    const char *const path = mu_trial_text(trial, "atomics"), *const asked = mu_trial_text(trial, "form");
    const struct mu_device_info *info = &trial->info;
    int atomics = 0, kind = 0;
    if (path == NULL || asked == NULL || mu_choice_find(mu_atomics_paths, "atomics", path, &atomics, err) != MU_OK)
        return mu_fail(err, MU_USAGE, "a litmus test without path or form");
    const uint32_t polls = mu_polls_in(trial->selftest.poll_ns, WAIT_S), limit = trial->selftest.spin_limit;
    *form = MU_LITMUS_ORDERED;
    for (int i = 0; mu_litmus_form_names[i] != NULL; i++)
        if (strcmp(mu_litmus_form_names[i], asked) == 0) *form = (enum mu_litmus_form)i;
    *build = mu_default_build(info, (enum mu_atomics)atomics, mu_default_workgroup(info),
                              info->cpu || polls > limit || polls == 0 ? limit : polls);
    build->rollcall = MU_ROLLCALL_TICKET;
    if (find_kind(trial, mu_barriers, "barrier", &kind)) build->barrier = (enum mu_barrier)kind;
    if (find_kind(trial, mu_rollcalls, "lock", &kind)) build->rollcall = (enum mu_rollcall)kind;
    if (find_kind(trial, mu_rollcalls, "rollcall", &kind)) {
        build->variant = MU_PORTABLE;
        build->rollcall = (enum mu_rollcall)kind;
    }
    if (build->spin_limit == 0) build->spin_limit = 1; /* of a device without a self-test, whose shapes do not wait */
    return MU_OK;
}

int mu_litmus_collect(const struct mu_build *build, enum mu_litmus_form form, struct mu_sources *sources,
                      struct mu_error *err)
{
    const char *const below[] = {"variants/teams/sync_layout.clh", mu_atomics_source(build->atomics),
                                 form_sources[form], "variants/teams/team.clh"};
    const bool joins = build->variant == MU_PORTABLE; /* by its roll call, which else is there for its mutex alone */
    const char *const own[] = {"harness/litmus/shapes.clh", "harness/litmus/litmus.cl"};
    mu_sources_set_options(sources, build, err);
    for (size_t i = 0; i < sizeof below / sizeof below[0]; i++)
        if (below[i] != NULL) mu_sources_add(sources, below[i], NULL, err);
    mu_sources_add_spin(sources, build, NULL, err);
    mu_sources_add(sources, "harness/litmus/linger.clh", NULL, err);
    mu_sources_add_join(sources, build, NULL, err);
    if (!joins) mu_sources_add_rollcall(sources, build->rollcall, NULL, err);
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) mu_sources_add(sources, own[i], NULL, err);
    if (!joins) mu_sources_add(sources, "harness/litmus/lock.cl", NULL, err);
    return err->status;
}

int mu_litmus_program(const struct mu_trial *trial, const struct mu_build *build, enum mu_litmus_form form,
                      cl_program *program, struct mu_error *err)
{
    struct mu_sources sources = {0};
    mu_litmus_collect(build, form, &sources, err);
    *program = mu_program_make(&trial->target, &trial->info, &sources, true, err);
    return err->status;
}

int mu_litmus_waiting_program(const struct mu_trial *trial, const char *const *own, struct mu_build *build,
                              cl_program *program, struct mu_error *err)
{
    static const char *const joins[] = {"harness/litmus/idioms_join.clh", "variants/teams/kernel.clh",
                                        "harness/device/trust/forward_progress_waits.clh"};
    const struct mu_device_info *info = &trial->info;
    struct mu_sources sources = {0};
    *build = mu_default_build(info, info->atomics, mu_default_workgroup(info),
                              mu_forward_progress_spin_limit(info, &trial->selftest));
    mu_sources_add(&sources, "harness/litmus/idioms.clh", NULL, err);
    mu_sources_start_team(&sources, build, NULL, err);
    for (size_t i = 0; i < sizeof joins / sizeof joins[0]; i++) mu_sources_add(&sources, joins[i], NULL, err);
    for (; *own != NULL; own++) mu_sources_add(&sources, *own, NULL, err);
    *program = mu_program_make(&trial->target, info, &sources, true, err);
    return err->status;
}

int mu_litmus_idioms_program(const struct mu_trial *trial, struct mu_build *build, cl_program *program,
                             struct mu_error *err)
{
    static const char *const own[] = {"harness/litmus/idioms.cl", NULL};
    return mu_litmus_waiting_program(trial, own, build, program, err);
}

int mu_litmus_clear(const struct mu_trial *trial, cl_mem buffer, size_t words, struct mu_error *err)
{
    static const cl_uint zero = 0;
    return mu_cl_check(
        clEnqueueFillBuffer(trial->target.queue, buffer, &zero, sizeof zero, 0, words * sizeof zero, 0, NULL, NULL),
        "clearing words of a litmus test", err);
}

int mu_litmus_buffer(const struct mu_trial *trial, size_t words, cl_mem *buffer, struct mu_error *err)
{
    cl_int status;
    *buffer = clCreateBuffer(trial->target.context, CL_MEM_READ_WRITE, words * sizeof(cl_uint), NULL, &status);
    if (mu_cl_check(status, "a buffer of a litmus test", err) != MU_OK) return err->status;
    return mu_litmus_clear(trial, *buffer, words, err);
}

int mu_litmus_add(struct mu_trial *trial, const struct mu_litmus_seen *seen, json_t *more, struct mu_error *err)
{
    json_t *object =
        json_pack("{s:s, s:s, s:b, s:I, s:I}", "test", seen->test, "outcome_of_interest", seen->outcome, "forbidden",
                  seen->forbidden, "instances", (json_int_t)seen->instances, "weak", (json_int_t)seen->weak);
    if (object != NULL && more != NULL && json_object_update(object, more) != 0) {
        json_decref(object);
        object = NULL;
    }
    json_decref(more);
    return mu_trial_add(trial, object, err);
}

int mu_litmus_serve(const json_t *request, struct mu_json *response, struct mu_error *err)
{
    return mu_experiment_serve(mu_litmus_experiments, request, response, err);
}

/* ---- The parent's side ---- */

const json_t *mu_litmus_found(const json_t *measurements, const char *path)
{
    const json_t *found = NULL;
    size_t i;
    json_t *measurement;
    json_array_foreach ((json_t *)measurements, i, measurement) {
        const json_t *of = json_object_get(measurement, "parameters");
        if (mu_json_is(of, "experiment", "search") && mu_json_is(measurement, "outcome", "ok") &&
            mu_json_is(of, "atomics", path))
            found = measurement;
    }
    return found;
}

json_t *mu_litmus_known(const json_t *measurements, const json_t *point)
{
    const json_t *found = mu_litmus_found(measurements, mu_json_text(point, "atomics"));
    struct mu_litmus_stress stress;
    struct mu_json told = mu_json_object();
    if (found != NULL) {
        mu_litmus_get_stress(found, &stress);
        mu_litmus_set_stress(&told, &stress);
    }
    return mu_json_take(&told, "what a search found", NULL);
}

int mu_litmus_run(const struct mu_device_info *info, const struct mu_litmus_options *options, char *path, size_t bytes,
                  struct mu_error *err)
{
    static const struct mu_survey_kind kind = {
        .kind = "litmus", .experiments = mu_litmus_experiments, .deadline_s = DEADLINE_S, .known = mu_litmus_known};
    const struct mu_engine_environment environment = mu_engine_environment_of(info);
    struct mu_selftest selftest;
    struct mu_survey survey = {
        .kind = &kind, .of = {.info = info, .selftest = &selftest, .quick = options->quick, .options = options}};
    if (environment.check(environment.context, options->restart, &selftest, err) != MU_OK ||
        mu_results_make(info->chip, err) != MU_OK ||
        mu_results_path(info->chip, MU_LITMUS_FILE, path, bytes, err) != MU_OK ||
        (options->restart && mu_survey_set_aside(path, err) != MU_OK))
        return err->status;
    if (mu_survey_open(&survey, &environment, path, err) == MU_OK && mu_survey_run(&survey, err) == MU_OK &&
        survey.engine.failed != 0)
        mu_fail(err, survey.engine.worst, "%u litmus tests did not end well", survey.engine.failed);
    mu_survey_close(&survey);
    return err->status;
}
