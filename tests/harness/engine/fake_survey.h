/* A survey in an environment without a driver: tables of experiments, a child that answers for their points, and one
 * that ends as a test wants it. */
#ifndef MU_TESTS_FAKE_SURVEY_H
#define MU_TESTS_FAKE_SURVEY_H

#include "harness/engine/survey.h"

#include "tests/harness/engine/fake_environment.h"
#include "tests/tap.h"

/* ---- A table of experiments ---- */

static void three(const struct mu_circumstances *of, struct mu_json *values)
{
    (void)of;
    for (unsigned i = 1; i <= 3; i++) mu_json_append_number(values, i);
}

static void five(const struct mu_circumstances *of, struct mu_json *values)
{
    (void)of;
    for (unsigned i = 1; i <= 5; i++) mu_json_append_number(values, i);
}

static void ten_and_twenty(const struct mu_circumstances *of, struct mu_json *values)
{
    (void)of;
    mu_axis_powers(10, 20, 2, values);
}

static void one_and_nine(const struct mu_circumstances *of, struct mu_json *values)
{
    (void)of;
    mu_axis_powers(1, 10, 9, values);
}

static void ten(const struct mu_circumstances *of, struct mu_json *values)
{
    (void)of;
    mu_json_append_number(values, 10);
}

static bool is_quick(const struct mu_circumstances *of)
{
    return of->quick;
}

static bool has_product(const struct mu_circumstances *of, const json_t *point)
{
    (void)of;
    return mu_json_number(point, "n") * mu_json_number(point, "m") < 100;
}

/* "again" is done once a measurement says so. */
static bool is_enough(const json_t *measurements, const json_t *point)
{
    size_t i;
    json_t *measurement;
    json_array_foreach ((json_t *)measurements, i, measurement)
        if (json_equal(json_object_get(measurement, "parameters"), point) && mu_json_flag(measurement, "enough"))
            return true;
    return false;
}

static void add_value(const struct mu_device_info *info, const json_t *measurement, void *summary)
{
    (void)info;
    *(double *)summary += mu_json_real(measurement, "value");
}

static const struct mu_axis n_axes[] = {{"n", "a number", three}, {0}};
static const struct mu_axis n_m_axes[] = {{"n", "a number", five}, {"m", "another", ten_and_twenty}, {0}};
static const struct mu_axis more_axes[] = {{"n", "a number", one_and_nine}, {"m", "another", ten}, {0}};
static const struct mu_axis no_axes[] = {{0}};
static const struct mu_axis *const alpha[] = {n_axes, NULL}, *const beta[] = {n_m_axes, more_axes, NULL},
                                   *const alone[] = {no_axes, NULL};

static const struct mu_experiment table[] = {
    {.name = "alpha", .families = alpha, .processes = 3, .summarise = add_value},
    {.name = "beta", .families = beta, .has = has_product, .together = 4},
    {.name = "hasty", .families = alone, .applies = is_quick},
    {.name = "again", .families = alone, .is_done = is_enough},
    {0},
};

/* ---- A child ---- */

/* What a point does that does not just give its value. */
struct quirk {
    const char *point; /* "beta 3 10" */
    int status;        /* MU_CRASH and MU_DEADLINE end the process, others the point */
};

static int quirk_of(const struct fake_environment *fake, const char *point)
{
    for (const struct quirk *quirk = fake->table; quirk != NULL && quirk->point != NULL; quirk++)
        if (strcmp(quirk->point, point) == 0) return quirk->status;
    return MU_OK;
}

/* A point's answer: two measurements, n and 10 n; of "again" one, which is enough at the second try. */
static json_t *answer_point(const json_t *parameters, uint32_t call, uint64_t wall_ns, int status)
{
    const json_int_t n = json_integer_value(json_object_get(parameters, "n"));
    if (status != MU_OK)
        return json_pack("{s:s, s:s}", "outcome", mu_status_outcome(status), "message", "as the test wants it");
    if (mu_json_is(parameters, "experiment", "again"))
        return json_pack("{s:s, s:[{s:b}]}", "outcome", "ok", "measurements", "enough", (int)(call % 2 == 0));
    return json_pack("{s:s, s:[{s:I}, {s:I}], s:I}", "outcome", "ok", "measurements", "value", n, "value", 10 * n,
                     "wall_ns", (json_int_t)wall_ns);
}

/* Whether each child answers one point more than it was asked. */
static bool answers_too_much;

static json_t *answer(struct fake_environment *fake, const json_t *request, int *status)
{
    size_t i;
    json_t *point;
    static uint32_t tries;
    struct mu_json points = mu_json_array();
    json_array_foreach (json_object_get(request, "points"), i, point) {
        char name[48];
        const json_t *parameters = json_object_get(point, "parameters");
        const json_t *n = json_object_get(parameters, "n"), *m = json_object_get(parameters, "m");
        int used = snprintf(name, sizeof name, "%s", mu_json_text(parameters, "experiment"));
        if (n != NULL) used += snprintf(name + used, sizeof name - (size_t)used, " %lld", json_integer_value(n));
        if (m != NULL) snprintf(name + used, sizeof name - (size_t)used, " %lld", json_integer_value(m));
        fake_note(fake, i != 0 ? "+" : "");
        fake_note(fake, name);
        const int quirk = quirk_of(fake, name);
        if (quirk == MU_CRASH || quirk == MU_DEADLINE) *status = quirk;
        if (*status != MU_OK) break;
        const uint64_t wall_ns = fake->call_ns / json_array_size(json_object_get(request, "points"));
        mu_json_append(&points, answer_point(parameters, strcmp(name, "again") == 0 ? ++tries : 0, wall_ns, quirk));
    }
    if (answers_too_much)
        mu_json_append(&points, json_pack("{s:s, s:[{s:i}]}", "outcome", "ok", "measurements", "value", 7));
    return json_pack("{s:o}", "parts", mu_json_take(&points, "parts", NULL));
}

/* ---- Running it ---- */

static const struct mu_survey_kind kind = {.kind = "fake", .experiments = table, .deadline_s = 7};

/* Experiments that share processes. One of them has no points. */
static const struct mu_experiment sharing[] = {
    {.name = "alone", .families = alone},
    {.name = "one", .families = alone, .together = 4, .process = "p"},
    {.name = "none", .families = alone, .applies = is_quick, .together = 4, .process = "p"},
    {.name = "two", .families = alpha, .together = 4, .process = "p"},
    {.name = "three", .families = alpha, .together = 4, .process = "p"},
    {.name = "other", .families = alone, .together = 4, .process = "q"},
    {.name = "last", .families = alone, .together = 4},
    {0},
};
static const struct mu_survey_kind sharing_kind = {.kind = "fake", .experiments = sharing, .deadline_s = 7};

struct setting {
    const struct mu_survey_kind *kind; /* NULL: kind */
    struct fake_environment fake;
    bool quick;
    uint64_t seed;
    uint32_t units;   /* that a user says of the device; 0: none */
    char path[64];    /* of the store */
    char told[16384]; /* on standard error */
    double sum;       /* the summary */
    size_t records;   /* measurements of the device, afterwards */
    uint32_t failed;  /* tests of the engine */
    struct mu_error err;
};

static void prepare(struct setting *setting)
{
    *setting = (struct setting){.seed = 1, .fake = {.answer = answer, .call_ns = 60000000000, .health = MU_TRUSTED}};
    /* An empty file is a store without records. */
    snprintf(setting->path, sizeof setting->path, "/tmp/test_survey.XXXXXX");
    const int file = mkstemp(setting->path);
    CHECK(file >= 0 && close(file) == 0, "a file");
}

static void run(struct setting *setting)
{
    struct mu_device_info info = fake_device(false);
    info.resident = setting->units;
    const struct mu_selftest selftest = {.trust = MU_TRUSTED};
    const struct mu_engine_environment environment = fake_environment(&setting->fake);
    struct captured captured;
    struct mu_survey survey = {.kind = setting->kind != NULL ? setting->kind : &kind,
                               .of = {.info = &info, .selftest = &selftest, .quick = setting->quick},
                               .order_seed = setting->seed};
    setting->fake.calls = setting->fake.checks = 0;
    setting->err = (struct mu_error){0};
    capture(&captured);
    if (mu_survey_open(&survey, &environment, setting->path, &setting->err) == MU_OK)
        mu_survey_run(&survey, &setting->err);
    release(&captured, setting->told, sizeof setting->told);
    setting->sum = 0;
    mu_survey_summarise(table, &info, survey.measurements, &setting->sum);
    setting->records = json_array_size(survey.measurements);
    setting->failed = survey.engine.failed;
    mu_survey_close(&survey);
}

static bool tells(const struct setting *setting, const char *text)
{
    return is_told(setting->told, text);
}

/* Whether that call was for these points. */
static bool called(const struct setting *setting, uint32_t call, const char *what)
{
    const bool same = strcmp(setting->fake.log[call - 1], what) == 0;
    if (!same) printf("# call %u was for: %s\n", call, setting->fake.log[call - 1]);
    return same;
}

#endif
