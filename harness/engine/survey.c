#include "harness/engine/survey.h"

#include "base/memory.h"
#include "harness/engine/cost.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Seconds that a process is expected to take while nothing is known of the machine. */
#define GUESS_S 3.0

/* Share of all processors' time from which on steal time is reported. */
#define STEAL_WORTH_TELLING 0.01
/* A survey that takes less has too few ticks of the system's clock to measure steal time. */
#define LEAST_S 1.0

static const json_t *point_of(const struct mu_survey *survey, size_t index)
{
    return json_array_get(survey->points, index);
}

static const struct mu_experiment *experiment_of(const struct mu_survey *survey, const json_t *point)
{
    return mu_experiment_find(survey->kind->experiments, mu_json_text(point, "experiment"));
}

/* ---- A step: points that share a process ---- */

struct stage {
    struct mu_survey *survey;
    uint32_t repeat;
    size_t first, count; /* of the survey's points */
};

static struct stage stage_of(struct mu_survey *survey, const struct mu_step *step)
{
    const size_t first = survey->first[step->test];
    return (struct stage){survey, step->repeat, first, survey->first[step->test + 1] - first};
}

static uint32_t processes_of(const struct mu_experiment *experiment)
{
    return experiment->processes > 1 ? experiment->processes : 1;
}

/* Writes the first point of a step: "bound, workgroup 256, local_bytes 1", and how many others share its process. */
static void describe(const struct mu_engine *engine, const struct mu_step *step, char *text, size_t bytes)
{
    const struct mu_survey *survey = engine->context;
    const json_t *point = point_of(survey, survey->first[step->test]);
    const size_t others = survey->first[step->test + 1] - survey->first[step->test] - 1;
    const uint32_t processes = processes_of(experiment_of(survey, point));
    const char *name;
    json_t *value;
    snprintf(text, bytes, "%s", mu_json_text(point, "experiment"));
    json_object_foreach ((json_t *)point, name, value) {
        const size_t used = strlen(text);
        if (json_is_integer(value)) snprintf(text + used, bytes - used, ", %s %lld", name, json_integer_value(value));
        if (json_is_string(value) && strcmp(name, "experiment") != 0)
            snprintf(text + used, bytes - used, ", %s %s", name, json_string_value(value));
    }
    size_t used = strlen(text);
    if (others != 0) snprintf(text + used, bytes - used, ", and %zu more", others);
    used = strlen(text);
    if (processes > 1) snprintf(text + used, bytes - used, " %u/%u", step->repeat + 1, processes);
}

static double expect(const struct mu_engine *engine, const struct mu_step *step)
{
    const struct mu_survey *survey = engine->context;
    double seconds = 0;
    for (size_t i = survey->first[step->test]; i < survey->first[step->test + 1]; i++) {
        struct mu_cost cost;
        char *text = json_dumps(point_of(survey, i), JSON_COMPACT | JSON_SORT_KEYS);
        mu_cost_of(survey->kind->kind, mu_json_text(point_of(survey, i), "experiment"), text, &cost);
        seconds += mu_cost_expect(&engine->progress, &cost, GUESS_S);
        free(text);
    }
    return seconds;
}

/* Returns the last measurement of a point that is done, else NULL. For struct mu_batch. */
static const json_t *find(void *context, size_t which)
{
    const struct stage *stage = context;
    const json_t *point = point_of(stage->survey, stage->first + which), *measurements = stage->survey->measurements;
    if (!mu_survey_is_done(experiment_of(stage->survey, point), measurements, point, stage->repeat + 1)) return NULL;
    for (size_t i = json_array_size(measurements); i > 0; i--) {
        const json_t *measurement = json_array_get(measurements, i - 1);
        if (json_equal(json_object_get(measurement, "parameters"), point)) return measurement;
    }
    return NULL;
}

static int call(void *context, const size_t *which, size_t count, struct mu_call *to, struct mu_error *err)
{
    const struct stage *stage = context;
    const struct mu_survey *survey = stage->survey;
    struct mu_json points = mu_json_array(), request = mu_json_object();
    for (size_t i = 0; i < count; i++) {
        const json_t *parameters = point_of(survey, stage->first + which[i]);
        struct mu_json point = mu_json_object();
        mu_json_set(&point, "parameters", json_incref((json_t *)parameters));
        if (survey->kind->known != NULL)
            mu_json_set(&point, "known", survey->kind->known(survey->measurements, parameters));
        mu_json_append_part(&points, &point);
    }
    mu_json_set_text(&request, "kind", survey->kind->request != NULL ? survey->kind->request : survey->kind->kind);
    mu_json_set_text(&request, "kernel_dir", survey->kernel_dir);
    mu_json_set_part(&request, "points", &points);
    mu_json_set(&request, "device", mu_device_to_json(survey->of.info));
    mu_json_set(&request, "selftest", mu_selftest_to_json(survey->of.selftest));
    *to = (struct mu_call){.deadline_s = survey->kind->deadline_s,
                           .settings = survey->of.selftest->settings,
                           .placement = MU_PLACEMENT_AUTO};
    to->request = mu_json_take(&request, "the request of an experiment", err);
    return err->status;
}

static int kept(void *context, size_t which, json_t *records, struct mu_error *err)
{
    (void)which;
    const struct stage *stage = context;
    if (json_array_extend(stage->survey->measurements, records) == 0) return MU_OK;
    return mu_fail(err, MU_NO_MEMORY, "out of memory: measurements");
}

static int record(void *context, size_t which, const struct mu_answer *answer, struct mu_json *records,
                  struct mu_error *err)
{
    const struct stage *stage = context;
    struct mu_survey *survey = stage->survey;
    const json_t *point = point_of(survey, stage->first + which);
    const uint64_t own_ns = mu_json_number(answer->response, "wall_ns");
    /* The response has the time of a point that shares a process; a single point has the time of the process. */
    const bool shares = stage->count > 1 && own_ns != 0;
    const struct mu_measured measured = {.survey = survey,
                                         .point = point,
                                         .repeat = stage->repeat,
                                         .answer = answer->response,
                                         .outcome = answer->outcome,
                                         .seconds = (double)(shares ? own_ns : answer->wall_ns) / 1e9};
    const char *name = mu_json_text(point, "experiment");
    mu_json_set_number(&survey->spent, name,
                       mu_json_number(survey->spent.value, name) + (uint64_t)(measured.seconds * 1e3));
    return mu_survey_record(&measured, records, err);
}

/* Returns true if a point was measured well, but its experiment wants a further measurement. */
static bool is_unsettled(const struct mu_batch *batch)
{
    for (size_t i = 0; i < batch->count; i++)
        if (mu_point_status(&batch->points[i]) == MU_OK && batch->find(batch->context, i) == NULL) return true;
    return false;
}

static int measure(struct mu_engine *engine, const struct mu_step *step, struct mu_ending *ending, struct mu_error *err)
{
    struct mu_survey *survey = engine->context;
    struct stage stage = stage_of(survey, step);
    struct mu_batch batch = {.store = &survey->store,
                             .count = stage.count,
                             .context = &stage,
                             .call = call,
                             .record = record,
                             .find = find,
                             .kept = kept};
    batch.points = mu_calloc(batch.count, sizeof *batch.points, "points", err);
    if (batch.points == NULL) return err->status;
    for (size_t i = 0; i < batch.count; i++) survey->done_before += find(&stage, i) != NULL;
    do mu_batch_run(&batch, engine, 0, err);
    while (err->status == MU_OK && is_unsettled(&batch));
    *ending = (struct mu_ending){.fresh = batch.fresh != 0, .harm = batch.harm};
    for (size_t i = 0; i < batch.count && err->status == MU_OK; i++) {
        const int status = mu_point_status(&batch.points[i]);
        ending->status = mu_status_worse(status, ending->status);
        if (status == MU_OK) continue;
        json_decref(ending->record);
        ending->record = json_incref(batch.points[i].record);
        ending->message = mu_json_text_or(ending->record, "message", NULL);
    }
    mu_points_release(batch.points, batch.count);
    mu_free(batch.points);
    return err->status;
}

static const struct mu_work work = {
    .name = "experiment", .is_test = true, .describe = describe, .expect = expect, .run = measure};

/* ---- The plan ---- */

/* Returns true if points of two experiments may share a process. The experiments are neighbours in the table, not
 * counting those without points. */
static bool may_share(const struct mu_experiment *one, const struct mu_experiment *other)
{
    return one == other ||
           (one->process != NULL && other->process != NULL && strcmp(one->process, other->process) == 0);
}

/* Divides the points into tests: each is a run of points that share a process. Returns the number of tests. */
static uint32_t divide(struct mu_survey *survey)
{
    const size_t count = json_array_size(survey->points);
    uint32_t tests = 0;
    size_t share = 0;
    for (size_t i = 0; i < count; i++) {
        const struct mu_experiment *experiment = experiment_of(survey, point_of(survey, i));
        const size_t most = experiment->together > 1 ? experiment->together : 1;
        const bool same = i > 0 && may_share(experiment, experiment_of(survey, point_of(survey, i - 1)));
        share = same && share < most ? share + 1 : 1;
        if (share == 1) survey->first[tests++] = i;
    }
    survey->first[tests] = count;
    return tests;
}

/* Adds the steps of the tests from `first` on that belong to one experiment. Returns the first test of the next
 * experiment. */
static uint32_t add_experiment(struct mu_survey *survey, uint32_t first, uint32_t tests, struct mu_error *err)
{
    uint32_t end = first;
    const struct mu_experiment *experiment = experiment_of(survey, point_of(survey, survey->first[first]));
    while (end < tests && experiment_of(survey, point_of(survey, survey->first[end])) == experiment) end++;
    const uint32_t processes = processes_of(experiment);
    struct mu_round round = {&work, first, end - first, 0, survey->order_seed, experiment->name};
    for (uint32_t test = first; test < end; test++) survey->engine.tests[test].needed = processes;
    if (processes > 1)
        for (; round.repeat < processes && err->status == MU_OK; round.repeat++)
            mu_engine_add_round(&survey->engine, &round, err);
    else
        for (uint32_t test = first; test < end; test++) mu_engine_add(&survey->engine, &work, test, 0);
    return end;
}

static int plan(struct mu_survey *survey, struct mu_error *err)
{
    struct mu_json points = mu_json_array();
    size_t steps = 0;
    for (const struct mu_experiment *experiment = survey->kind->experiments; experiment->name != NULL; experiment++) {
        const size_t before = json_array_size(points.value);
        mu_experiment_points(experiment, &survey->of, &points);
        steps += (json_array_size(points.value) - before) * processes_of(experiment);
    }
    survey->points = mu_json_take(&points, "the points of a survey", err);
    if (survey->points == NULL) return err->status;
    survey->first = mu_calloc(json_array_size(survey->points) + 1, sizeof *survey->first, "a survey's plan", err);
    if (survey->first == NULL) return err->status;
    const uint32_t tests = divide(survey);
    if (mu_engine_make(&survey->engine, steps, tests, err) != MU_OK) return err->status;
    for (uint32_t test = 0; test < tests && err->status == MU_OK;) test = add_experiment(survey, test, tests, err);
    return err->status;
}

int mu_survey_open(struct mu_survey *survey, const struct mu_engine_environment *environment, const char *path,
                   struct mu_error *err)
{
    survey->engine.environment = *environment;
    survey->engine.device = survey->of.info->name;
    survey->engine.unit = "an experiment";
    survey->engine.context = survey;
    survey->engine.enough = (struct mu_enough){.least = 1, .most = 1};
    survey->spent = mu_json_object();
    if (!survey->only_listed && mu_store_open(path, &survey->store, err) != MU_OK) return err->status;
    survey->store.digits = 6;
    if (survey->store.note[0] != '\0') fprintf(stderr, "muster: %s\n", survey->store.note);
    if (mu_survey_load(path, survey->of.info, &survey->measurements, err) != MU_OK) return err->status;
    return plan(survey, err);
}

void mu_survey_close(struct mu_survey *survey)
{
    mu_engine_release(&survey->engine);
    mu_store_close(&survey->store);
    json_decref(survey->measurements);
    json_decref(survey->points);
    mu_free(survey->first);
    mu_json_release(&survey->spent);
    survey->measurements = survey->points = NULL;
    survey->first = NULL;
}

/* ---- Running it ---- */

/* Prints how long each experiment took, in the order of the plan: "muster: 1:05: launch 0.4 s, bound 12.1 s, …". */
static void show_times(const struct mu_survey *survey)
{
    const char *name, *between = ": ";
    char elapsed[24];
    json_t *milliseconds;
    if (json_object_size(survey->spent.value) == 0) return;
    mu_progress_duration(mu_progress_elapsed(&survey->engine.progress), elapsed, sizeof elapsed);
    fprintf(stderr, "muster: %s", elapsed);
    json_object_foreach (survey->spent.value, name, milliseconds) {
        fprintf(stderr, "%s%s %.1f s", between, name, (double)json_integer_value(milliseconds) / 1000);
        between = ", ";
    }
    fputc('\n', stderr);
}

int mu_survey_set_aside(const char *path, struct mu_error *err)
{
    char moved[PATH_MAX] = "";
    struct mu_store store = {0};
    if (mu_store_open(path, &store, err) == MU_OK) mu_store_set_aside(&store, moved, err);
    mu_store_close(&store);
    if (moved[0] != '\0') fprintf(stderr, "muster: the measurements of an earlier run are now in %s\n", moved);
    return err->status;
}

/* Warns if the host of a virtual machine took a share of its processors' time. On a CPU device, workgroups then wait
 * for the core that was away longest; with a GPU it may be the core on which the host thread waits. No list of the
 * machine's programs shows this. */
static void tell_steal(const struct mu_survey *survey, const struct mu_processor_times *before)
{
    const struct mu_engine_environment *environment = &survey->engine.environment;
    struct mu_processor_times now;
    if (mu_progress_elapsed(&survey->engine.progress) < LEAST_S || !environment->processors(environment->context, &now))
        return;
    const double share = mu_steal_share(before, &now);
    if (share < STEAL_WORTH_TELLING) return;
    fprintf(
        stderr,
        "muster: the host of this virtual machine took %.0f %% of its processors' time meanwhile: these are times of "
        "a busy machine (--restart measures again)\n",
        100 * share);
}

int mu_survey_run(struct mu_survey *survey, struct mu_error *err)
{
    struct mu_engine *engine = &survey->engine;
    struct mu_processor_times before;
    const bool is_told = engine->environment.processors(engine->environment.context, &before);
    mu_progress_start(&engine->progress, &engine->environment, engine->step_count);
    if (mu_cost_learn_all(&engine->progress, &survey->store, err) == MU_OK) mu_engine_run(engine, err);
    mu_progress_clear(&engine->progress);
    show_times(survey);
    if (is_told) tell_steal(survey, &before);
    mu_progress_end(&engine->progress);
    if (survey->done_before != 0)
        fprintf(stderr, "muster: %zu of %zu experiments were in %s already (--restart does them anew)\n",
                survey->done_before, json_array_size(survey->points), survey->store.path);
    return err->status;
}

void mu_survey_summarise(const struct mu_experiment *experiments, const struct mu_device_info *info,
                         const json_t *measurements, void *summary)
{
    size_t i;
    json_t *measurement;
    json_array_foreach ((json_t *)measurements, i, measurement) {
        const char *name = mu_json_text(json_object_get(measurement, "parameters"), "experiment");
        const struct mu_experiment *experiment = mu_experiment_find(experiments, name);
        if (experiment != NULL && experiment->summarise != NULL && mu_json_is(measurement, "outcome", "ok"))
            experiment->summarise(info, measurement, summary);
    }
}
